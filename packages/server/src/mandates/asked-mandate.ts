import type { Language } from '@adx/contract';

/** A mandate as its signer reads of it: an account whose statements, or a provider whose files. */
export type AskedMandate =
  | {
      readonly product: 'CODA';
      readonly iban: string;
      readonly bankName?: string;
      /** Signed, it is a consent that has to be renewed. */
      readonly isLightConnector: boolean;
    }
  | { readonly product: 'CODB'; readonly payrollProviderName: string };

/** A signature request as its message shows it to the contact of a customer. */
export interface MailedRequest {
  /** The accounting firm. */
  readonly firmName: string;
  readonly customerName: string;
  /** Of the customer, `0123.456.789`. */
  readonly enterpriseNumber: string;
  readonly contactName: string;
  readonly language: Language;
  /** From this instant on the link no longer works. */
  readonly expiresOn: Date;
  /** At least one. */
  readonly mandates: readonly AskedMandate[];
}
