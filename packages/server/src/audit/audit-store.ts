import type { Knex } from 'knex';
import { type AuditEntry, type AuditSeal, beforeFirstSeal, type SealPlace } from './seal.js';

/** The format of instants in seals, which never changes. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const entryColumns = `
  e.id, ${instant('e.occurred_on')} as "occurredOn", e.actor, e.user_id as "userId",
  e.api_key_id as "apiKeyId", e.operator, nullif(e.firm_id, '') as "firmId",
  e.customer_id as "customerId", e.object_id as "objectId", e.action, e.outcome, e.address,
  e.request_id as "requestId"`;

/**
 * The number of the seal of an entry `e`, or null. Seals follow each other, so it is nearly always
 * the first one that ends after the entry; one that was committed late is under one of the next.
 */
export const sealOfEntry = `(
  select sealed.number from audit_seals sealed
   where upper(sealed.entries) > e.id and sealed.entries @> e.id
   order by upper(sealed.entries) limit 1)`;

/** The columns of a seal `s`. PostgreSQL sends the elements of an array as text. */
const sealColumns = `s.number, ${instant('s.sealed_on')} as "sealedOn",
  array(select generate_series(lower(ids), upper(ids) - 1) from unnest(s.entries) ids) as "entryIds",
  encode(s.previous, 'hex') as previous, encode(s.hash, 'hex') as hash`;

type SealRow = Omit<AuditSeal, 'entryIds'> & { readonly entryIds: readonly string[] };

/** An entry with the number of its seal, which is null if the entry is not sealed yet. */
export type StoredEntry = AuditEntry & { readonly seal: number | null };

/** The largest `bigint`. */
const maximum = '9223372036854775807';

/** Returns the end of a range of ids; the last range has none. */
const endOf = (ids: string) => `coalesce(upper(${ids}), ${maximum})`;

/** Reads unsealed entries with ids after `after`, the oldest first. */
export async function readUnsealed(knex: Knex, limit: number, after = 0): Promise<AuditEntry[]> {
  type Range = { first: number; end: string };
  const { rows: ranges } = await knex.raw<{ rows: Range[] }>(
    `select greatest(lower(ids), :after::bigint + 1) as first, ${endOf('ids')}::text as end
       from audit_sealing cross join unnest(unsettled) ids
      where ${endOf('ids')} > :after::bigint + 1 order by 1`,
    { after },
  );
  const readIn = async (some: readonly Range[], most: number) => {
    if (some.length === 0 || most === 0) return [];
    const { rows } = await knex.raw<{ rows: AuditEntry[] }>(
      `select ${entryColumns}
         from unnest(?::bigint[], ?::bigint[]) range ("first", "end")
         join audit_entries e on e.id >= range."first" and e.id < range."end"
        order by e.id limit ?`,
      [some.map(({ first }) => first), some.map(({ end }) => end), most],
    );
    return rows;
  };
  // The last range has no end, so it is read by the index in its order.
  const inGaps = await readIn(ranges.slice(0, -1), limit);
  return [...inGaps, ...(await readIn(ranges.slice(-1), limit - inGaps.length))];
}

export async function countUnsealed(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
    `select count(*) from audit_sealing s cross join unnest(s.unsettled) ids
       join audit_entries e on e.id >= lower(ids) and e.id < ${endOf('ids')}`,
  );
  return rows[0].count;
}

const lastRemoved = `
  select seal as number, encode(hash, 'hex') as hash from audit_removals order by seal desc limit 1`;

/** Returns the place of the last seal, also of one that retention removed. */
export async function readHead(knex: Knex): Promise<SealPlace> {
  const { rows } = await knex.raw<{ rows: SealPlace[] }>(
    `(select number, encode(hash, 'hex') as hash from audit_seals order by number desc limit 1)
     union all (${lastRemoved})
     order by number desc limit 1`,
  );
  return rows[0] ?? beforeFirstSeal;
}

/** Returns the place after which the stored chain begins. */
export async function readStart(knex: Knex): Promise<SealPlace> {
  const { rows } = await knex.raw<{ rows: SealPlace[] }>(lastRemoved);
  return rows[0] ?? beforeFirstSeal;
}

/** The entries of a seal by their ids, and then those that were inserted among them. */
interface SealedEntries {
  readonly seal: AuditSeal;
  readonly entries: readonly AuditEntry[];
}

const SEALS = 50;

/** Reads the chain in pages, so that its length does not matter. */
export async function* readChain(knex: Knex): AsyncGenerator<SealedEntries> {
  let [after, end] = [-1, Number.MIN_SAFE_INTEGER];
  for (;;) {
    const { rows: seals } = await knex.raw<{ rows: SealRow[] }>(
      `select ${sealColumns} from audit_seals s where s.number > ? order by s.number limit ?`,
      [after, SEALS],
    );
    const last = seals.at(-1)?.number;
    if (last === undefined) return;
    const { rows: entries } = await knex.raw<{ rows: (AuditEntry & { seal: number })[] }>(
      `select ${entryColumns}, s.number as seal
         from audit_seals s cross join unnest(s.entries) ids
         join audit_entries e on e.id >= lower(ids) and e.id < upper(ids)
        where s.number > ? and s.number <= ? order by s.number, e.id`,
      [after, last],
    );
    const bySeal = new Map<number, AuditEntry[]>();
    for (const { seal, ...entry } of entries) {
      const others = bySeal.get(seal);
      if (others === undefined) bySeal.set(seal, [entry]);
      else others.push(entry);
    }
    const page = seals.map((seal) => ({ ...seal, entryIds: seal.entryIds.map(Number) }));
    const strays = await readStrays(knex, end, Math.max(...page.map(endOfSeal)));
    for (const seal of page) {
      const sealed = bySeal.get(seal.number) ?? [];
      const inserted = strays.filter(({ id }) => id >= end && id < endOfSeal(seal));
      yield { seal, entries: [...sealed, ...inserted] };
      end = Math.max(end, endOfSeal(seal));
    }
    after = last;
  }
}

/** Returns the id after the last one of a seal. */
export function endOfSeal({ entryIds }: Pick<AuditSeal, 'entryIds'>): number {
  return (entryIds.at(-1) ?? 0) + 1;
}

/**
 * Reads entries between two ids that have no seal and cannot get one: somebody has inserted them,
 * or removed their seal.
 */
export async function readStrays(knex: Knex, from: number, before: number): Promise<AuditEntry[]> {
  const { rows } = await knex.raw<{ rows: AuditEntry[] }>(
    `select ${entryColumns} from audit_entries e
      where e.id >= ? and e.id < ? and ${sealOfEntry} is null
        and not e.id <@ coalesce((select unsettled from audit_sealing), '{}')
      order by e.id`,
    [from, before],
  );
  return rows;
}
