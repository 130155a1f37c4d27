import type { Mandate, MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import type { MandateKind } from './lifecycle.js';
import { type MandateRecord, mandateColumns, namesOfMandate, toMandate } from './mandate-record.js';

/** A mandate as the operator sees it: with its firm, and also when it is closed. */
export type ListedMandate = Mandate & {
  readonly firmId: string;
  /** The latest request to sign it: mandates with the same one were asked for in one message. */
  readonly signatureRequestId?: string;
  readonly closedOn?: Date;
};

/** Which mandates to list; what is absent does not matter. */
export interface ListedMandates {
  readonly firmId?: string;
  readonly statuses?: readonly MandateStatus[];
  /** Those that are closed, instead of those that are not. */
  readonly closed: boolean;
}

type ListedRecord = MandateRecord & {
  readonly firm_id: string;
  readonly signature_request_id: string | null;
  readonly closed_on: Date | null;
};

/** The mandates of all firms, for the operator and never for a user of the interface. */
export function createMandateDirectory(knex: Knex) {
  async function select(condition: string, bindings: readonly Knex.RawBinding[]) {
    const { rows } = await knex.raw<{ rows: ListedRecord[] }>(
      `select ${mandateColumns}, m.firm_id, m.signature_request_id, m.closed_on
         from (select m.*, c.name as customer_name
                 from mandates m join customers c on c.id = m.customer_id) m ${namesOfMandate}
        where ${condition}
        order by m.firm_id, m.customer_name_sort, m.id`,
      [...bindings],
    );
    return rows.map(toListedMandate);
  }

  return {
    /** By firm, customer and age. */
    list: ({ firmId, statuses, closed }: ListedMandates): Promise<ListedMandate[]> =>
      select(
        `m.closed_on is ${closed ? 'not null' : 'null'}
         and m.firm_id = coalesce(?, m.firm_id) and m.status = any(coalesce(?, array[m.status]))`,
        [firmId ?? null, statuses ? [...statuses] : null],
      ),

    async find(id: string): Promise<ListedMandate | undefined> {
      const [mandate] = await select('m.id = ?', [id]);
      return mandate;
    },
  };
}

function toListedMandate(record: ListedRecord): ListedMandate {
  const { firm_id: firmId, signature_request_id: requestId, closed_on: closedOn } = record;
  return {
    ...toMandate(record),
    firmId,
    ...(requestId !== null && { signatureRequestId: requestId }),
    ...(closedOn !== null && { closedOn }),
  };
}

/** The kind that the lifecycle knows a mandate by. */
export function kindOf(mandate: Mandate): MandateKind {
  if (mandate.product === 'CODB') return 'codb';
  return mandate.connectorId === undefined ? 'coda' : 'lightConnector';
}
