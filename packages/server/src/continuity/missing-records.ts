import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import type { ChainAccount } from './chain-window.js';

/** What is missing between two statements. Dates are `YYYY-MM-DD`. */
export interface MissingRecord {
  readonly kind: 'gap' | 'balanceBreak';
  readonly fromNumber: number | null;
  readonly toNumber: number | null;
  readonly after: string;
  readonly before: string;
}

interface StoredRecord extends MissingRecord {
  readonly id: string;
  readonly n: number;
  readonly detectedOn: Date;
}

/** What is missing in a part of a chain now. */
export interface FollowedChain {
  readonly account: ChainAccount;
  /** The part of the chain: statements after and up to these dates; undefined for no limit. */
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly missing: readonly MissingRecord[];
}

const accountColumns = ({ customerId, iban, currency, extension }: ChainAccount) => ({
  ...{ customer_id: customerId, iban, currency, extension },
});

const ofAccount = `m.closed_on is null and m.customer_id = a.customer_id and m.iban = a.iban
        and m.currency = a.currency and m.extension = a.extension`;

/**
 * Stores what is missing in parts of chains: adds what is new and closes what has arrived. What is left of a
 * record that a late arrival has divided keeps the time at which it was detected.
 */
export async function replaceMissing(
  trx: Knex.Transaction,
  chains: readonly FollowedChain[],
  now: Date,
): Promise<void> {
  const accounts = chains.map(({ account, after, before }, n) => ({
    ...{ n, ...accountColumns(account), after, before },
  }));
  const { rows } = await trx.raw<{ rows: StoredRecord[] }>(
    `select a.n, m.id, m.kind, m.from_number as "fromNumber", m.to_number as "toNumber",
            m.after_date as after, m.before_date as before, m.detected_on as "detectedOn"
       from jsonb_to_recordset(?::jsonb) as a (n integer, customer_id text, iban text, currency text,
            extension text, after date, before date)
       join missing_statements m on ${ofAccount}
      where m.kind <> 'overdue' and (a.after is null or m.before_date > a.after)
        and (a.before is null or m.before_date <= a.before)
      order by m.id`,
    [JSON.stringify(accounts)],
  );
  const left = new Set(rows);
  const added: { n: number; record: MissingRecord }[] = [];
  for (const [n, { missing }] of chains.entries()) {
    for (const record of missing) {
      const stored = [...left].find((each) => each.n === n && isSame(each, record));
      if (stored === undefined) added.push({ n, record });
      else left.delete(stored);
    }
  }
  if (left.size > 0) {
    const ids = [...left].map(({ id }) => id);
    await trx('missing_statements').whereIn('id', ids).update({ closed_on: now });
  }
  const inserted = added.flatMap(({ n, record }) => {
    const chain = chains[n];
    if (chain === undefined) return [];
    const divided = [...left].find((each) => each.n === n && contains(each, record));
    return {
      ...{ id: newObjectId(), ...accountColumns(chain.account), kind: record.kind },
      ...{ from_number: record.fromNumber, to_number: record.toNumber },
      ...{ after_date: record.after, before_date: record.before },
      detected_on: divided?.detectedOn ?? now,
    };
  });
  if (inserted.length > 0) await trx.batchInsert('missing_statements', inserted, 500);
}

function isSame(one: MissingRecord, other: MissingRecord): boolean {
  return (
    one.kind === other.kind &&
    one.fromNumber === other.fromNumber &&
    one.toNumber === other.toNumber &&
    one.after === other.after &&
    one.before === other.before
  );
}

function contains(whole: MissingRecord, part: MissingRecord): boolean {
  return whole.after <= part.after && whole.before >= part.before;
}

/** When an account is overdue after its last statement; undefined if its habit is not known. */
interface OverdueAccount {
  readonly account: ChainAccount;
  /** The date of its last statement, `YYYY-MM-DD`. */
  readonly after: string;
  readonly from: Date | undefined;
}

/** Stores when accounts will be overdue, and ends what they were overdue for. */
export async function replaceOverdue(
  trx: Knex.Transaction,
  overdue: readonly OverdueAccount[],
  now: Date,
): Promise<void> {
  const accounts = JSON.stringify(
    overdue.map(({ account, after, from }) => ({
      ...{ id: newObjectId(), ...accountColumns(account), after, overdue_on: from },
    })),
  );
  const bindings = { accounts, now };
  const given = `jsonb_to_recordset(cast(:accounts as jsonb)) as a (id text, customer_id text, iban text,
            currency text, extension text, after date, overdue_on timestamptz)`;
  const isStored = `${ofAccount} and m.kind = 'overdue'`;
  const isChanged = `${isStored} and (m.after_date <> a.after or m.detected_on is distinct from a.overdue_on)`;
  await trx.raw(
    `delete from missing_statements m using ${given} where ${isChanged} and m.detected_on > :now`,
    bindings,
  );
  await trx.raw(
    `update missing_statements m set closed_on = :now from ${given} where ${isChanged}`,
    bindings,
  );
  await trx.raw(
    `insert into missing_statements
            (id, customer_id, iban, currency, extension, kind, after_date, detected_on)
     select a.id, a.customer_id, a.iban, a.currency, a.extension, 'overdue', a.after, a.overdue_on
       from ${given}
      where a.overdue_on is not null
        and not exists (select from missing_statements m where ${isStored})`,
    bindings,
  );
}
