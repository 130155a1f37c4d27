import type { InformationCommunication } from '../format/information-layouts.js';
import type { MovementCommunication } from '../format/movement-layouts.js';
import type { Account, Balance, Counterparty, Header, TransactionCode } from '../statement.js';

/**
 * The data from which a statement is written. Sequence numbers, next and link codes, levels, the
 * new balance, counts and totals are computed. A `Statement` returned by the reader is also a
 * draft.
 */
export interface StatementDraft {
  readonly header: Pick<Header, 'creationDate' | 'bic'> & Partial<Header>;
  readonly account: Pick<Account, 'structure' | 'number' | 'currency'> & Partial<Account>;
  /** Record 1, 126-128; 0 by default. */
  readonly statementNumber?: number;
  /** Record 1, 3-5; the statement number by default. */
  readonly paperNumber?: number;
  /** Thousandths. The date may be missing in a separate application only. */
  readonly oldBalance: Balance;
  /** Record 8; undefined leaves it out, which is allowed for an empty statement only. */
  readonly newBalance?: NewBalanceDraft | undefined;
  readonly movements?: readonly MovementDraft[];
  readonly freeCommunications?: readonly { readonly lines: readonly string[] }[];
}

export interface NewBalanceDraft {
  readonly date?: string | undefined;
  /** Record 8, 2-4; that of record 1 by default. */
  readonly paperNumber?: number;
}

/** A movement or detail. Missing fields are blank or zero. */
export interface MovementDraft {
  /** Thousandths, credit positive. */
  readonly amount: bigint;
  readonly transactionCode: TransactionCode;
  readonly bankReference?: string;
  readonly valueDate?: string | undefined;
  readonly communication?: MovementCommunication;
  readonly entryDate?: string | undefined;
  readonly paperNumber?: number;
  readonly customerReference?: string;
  readonly counterparty?: Partial<Counterparty>;
  readonly rTransaction?: number;
  readonly reason?: string;
  readonly categoryPurpose?: string;
  readonly purpose?: string;
  readonly information?: readonly InformationDraft[];
  /** Details of type 5 below type 1, 6 or 7 below 2, 8 below 3, and 9 below 7. */
  readonly details?: readonly MovementDraft[];
}

/** Records 3. Reference and transaction code default to those of the movement. */
export interface InformationDraft {
  readonly communication: InformationCommunication;
  readonly bankReference?: string;
  readonly transactionCode?: TransactionCode;
}
