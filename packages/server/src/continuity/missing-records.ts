import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import type { ChainAccount, ChainWindow, MissingRecord, StoredRecord } from './chain-window.js';

interface ChangedRecord extends StoredRecord {
  readonly account: ChainAccount;
  readonly closedOn: Date | null;
}

/**
 * Compares what is stored as missing with what was found. A hole that was not found any more is
 * closed; what is left of it after a late arrival keeps its time. An account has one record as
 * overdue, which moves with its last statement, and is closed if its statements show no habit any
 * more.
 */
export function changedRecords(
  { account, missing, reachesEnd }: ChainWindow,
  found: readonly MissingRecord[],
  now: Date,
): ChangedRecord[] {
  const wanted = byContent(found);
  const stored = byContent(missing);
  const added = [...wanted].flatMap(([key, record]) => (stored.has(key) ? [] : record));
  const ended = [...stored].flatMap(([key, record]) => (wanted.has(key) ? [] : record));
  const holes = ended.filter(({ kind }) => kind !== 'overdue');
  const overdue = ended.find(({ kind }) => kind === 'overdue');
  const isEnded = reachesEnd && !added.some(({ kind }) => kind === 'overdue');
  const closed = overdue !== undefined && isEnded ? [...holes, overdue] : holes;
  return [
    ...closed.map((each) => ({ ...each, account, closedOn: now })),
    ...added.map((each) => {
      const detectedOn = holes.find((hole) => contains(hole, each))?.detectedOn ?? each.detectedOn;
      const id = (each.kind === 'overdue' && overdue?.id) || newObjectId();
      return { ...each, id, account, detectedOn, closedOn: null };
    }),
  ];
}

/** Maps records by what is missing. Of two that say the same, one is enough. */
function byContent<Record extends MissingRecord>(records: readonly Record[]): Map<string, Record> {
  return new Map(
    records.map((record) => {
      const { kind, fromNumber, toNumber, detectedOn } = record;
      const { after, afterNumber, before, beforeNumber } = record;
      const around = [after, afterNumber, before, beforeNumber];
      const day = kind === 'overdue' ? detectedOn : null;
      return [JSON.stringify([kind, fromNumber, toNumber, ...around, day]), record];
    }),
  );
}

function contains(whole: MissingRecord, part: MissingRecord): boolean {
  const [wholeEnd, partEnd] = [whole.before ?? '', part.before ?? ''];
  return part.before !== null && whole.after <= part.after && wholeEnd >= partEnd;
}

export async function storeRecords(
  trx: Knex.Transaction,
  records: readonly ChangedRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ account: { firmId, customerId, ...account }, ...record }) => ({
    id: record.id,
    firm_id: firmId,
    customer_id: customerId,
    ...account,
    kind: record.kind,
    from_number: record.fromNumber,
    to_number: record.toNumber,
    after_date: record.after,
    after_number: record.afterNumber,
    before_date: record.before,
    before_number: record.beforeNumber,
    detected_on: record.detectedOn,
    closed_on: record.closedOn,
  }));
  await trx.raw(
    `insert into missing_statements as m (${columns})
     select ${columns} from jsonb_populate_recordset(null::missing_statements, ?::jsonb)
     on conflict (id, firm_id) do update set after_date = excluded.after_date,
            after_number = excluded.after_number, detected_on = excluded.detected_on,
            closed_on = excluded.closed_on`,
    [JSON.stringify(rows)],
  );
}

const columns = `id, firm_id, customer_id, iban, currency, extension, kind, from_number, to_number, after_date,
            after_number, before_date, before_number, detected_on, closed_on`;
