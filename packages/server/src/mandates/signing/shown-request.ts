import { hash } from 'node:crypto';
import type { Language } from '@adx/contract';
import { type RequestSection, renewedUntil, requestSections } from './mail/request-text.js';
import { textsIn } from './page/texts/all-texts.js';
import {
  type FirmContact,
  type IdentifiedMandate,
  pendingMandates,
  type RequestDetails,
} from './request-details.js';

/**
 * A signature request as the signing page shows it. The contact signs or declines exactly this
 * (D-37).
 */
export interface ShownRequest {
  readonly language: Language;
  readonly firm: {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly phone: string | null;
  };
  readonly customer: {
    readonly id: string;
    readonly name: string;
    /** `0123.456.789` */
    readonly enterpriseNumber: string;
  };
  readonly mandates: readonly IdentifiedMandate[];
  readonly text: ShownText;
}

/** The text of the page in its order, without the fields and buttons. */
export interface ShownText {
  readonly title: string;
  readonly lead: string;
  readonly facts: readonly ShownFact[];
  /** The mandates by product, in the order of `mandates`. */
  readonly sections: readonly RequestSection[];
  /** The text beside the checkbox of each mandate that excludes it; absent for a single mandate. */
  readonly exclude?: string;
  readonly meaning: { readonly title: string; readonly paragraphs: readonly string[] };
  /** The text beside the checkbox. */
  readonly consent: string;
  /** The text beside the checkbox to decline. */
  readonly decline: string;
  /** The text above the button to decline. */
  readonly refusal: string;
}

export interface ShownFact {
  readonly label: string;
  readonly value: string;
}

/**
 * Returns a signature request in a language, with the mandates that wait for the contact. The last
 * day to answer is not part of it: it is known only once the message is recorded as sent, and
 * nobody agrees to it.
 */
export function showRequest(request: RequestDetails, language: Language): ShownRequest {
  const { firmName, customerName, enterpriseNumber } = request;
  const texts = textsIn[language];
  const mandates = pendingMandates(request).toSorted((a, b) =>
    a.product < b.product ? -1 : a.product > b.product ? 1 : 0,
  );
  const lastDay = renewedUntil(mandates);
  return {
    language,
    firm: {
      id: request.firmId,
      name: firmName,
      email: request.firmEmail,
      phone: request.firmPhone,
    },
    customer: { id: request.customerId, name: customerName, enterpriseNumber },
    mandates,
    text: {
      title: texts.mail.sign,
      lead: texts.lead(firmName),
      facts: [
        { label: texts.facts.firm, value: firmName },
        { label: texts.facts.enterprise, value: customerName },
        { label: texts.facts.enterpriseNumber, value: enterpriseNumber },
      ],
      sections: requestSections(mandates, texts.mail),
      ...(mandates.length > 1 && { exclude: texts.answer.exclude }),
      meaning: texts.meaning(request, mandates.length),
      consent: texts.answer.consent(customerName, mandates.length),
      decline: texts.refusal.title,
      refusal:
        lastDay === undefined
          ? texts.refusal.meaning(firmName)
          : texts.refusal.renewal(firmName, lastDay),
    },
  };
}

/** Returns the firm of a shown request, with the ways to reach it. */
export function contactOf({ firm }: ShownRequest): FirmContact {
  return { firmName: firm.name, firmEmail: firm.email, firmPhone: firm.phone };
}

/** Returns the hash of a shown request, which differs if anything in it differs. */
export function hashOfShown(shown: ShownRequest): string {
  return sha256(JSON.stringify(shown));
}

/** Returns the SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
