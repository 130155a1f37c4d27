import type { Knex } from 'knex';
import { type AuditEntry, type AuditSeal, beforeFirstSeal, type SealPlace } from './seal.js';

/** The format of instants in seals: RFC 3339 in UTC, with milliseconds. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of an entry `e`, as {@link AuditEntry}. */
export const entryColumns = `
  e.id, ${instant('e.occurred_on')} as "occurredOn", e.actor, e.user_id as "userId",
  e.api_key_id as "apiKeyId", e.operator, e.firm_id as "firmId", e.customer_id as "customerId",
  e.object_id as "objectId", e.action, e.outcome, e.address, e.request_id as "requestId"`;

/** The columns of a seal `s`. PostgreSQL sends the elements of an array as text. */
const sealColumns = `s.number, ${instant('s.sealed_on')} as "sealedOn",
  s.entry_ids as "entryIds", s.previous, s.hash`;

type SealRow = Omit<AuditSeal, 'entryIds'> & { readonly entryIds: readonly string[] };

/** An entry with the number of its seal, or null if it is not sealed yet. */
export type StoredEntry = AuditEntry & { readonly seal: number | null };

/** Reads the unsealed entries after one with this id, the oldest first. */
export async function readUnsealed(knex: Knex, limit: number, after = 0): Promise<StoredEntry[]> {
  const { rows } = await knex.raw<{ rows: StoredEntry[] }>(
    `select ${entryColumns}, e.seal from audit_entries e
      where e.seal is null and e.id > ? order by e.id limit ?`,
    [after, limit],
  );
  return rows;
}

/** Returns the place of the last seal; of the last one that retention removed if there is none. */
export async function readHead(knex: Knex): Promise<SealPlace> {
  const { rows } = await knex.raw<{ rows: SealPlace[] }>(
    `(select number, hash from audit_seals order by number desc limit 1)
     union all
     (select seal, hash from audit_removals order by seal desc limit 1)
     order by number desc limit 1`,
  );
  return rows[0] ?? beforeFirstSeal;
}

/** Returns the place after which the stored chain begins. */
export async function readStart(knex: Knex): Promise<SealPlace> {
  const { rows } = await knex.raw<{ rows: SealPlace[] }>(
    'select seal as number, hash from audit_removals order by seal desc limit 1',
  );
  return rows[0] ?? beforeFirstSeal;
}

/** A seal with its entries, in the order of their ids. */
interface SealedEntries {
  readonly seal: AuditSeal;
  readonly entries: readonly AuditEntry[];
}

/** The number of seals that are read at once. */
const SEALS = 50;

/** Reads the chain from its start, in pages, so that its length does not matter. */
export async function* readChain(knex: Knex): AsyncGenerator<SealedEntries> {
  let after = -1;
  for (;;) {
    const { rows: seals } = await knex.raw<{ rows: SealRow[] }>(
      `select ${sealColumns} from audit_seals s where s.number > ? order by s.number limit ?`,
      [after, SEALS],
    );
    const last = seals.at(-1)?.number;
    if (last === undefined) return;
    const { rows: entries } = await knex.raw<{ rows: StoredEntry[] }>(
      `select ${entryColumns}, e.seal from audit_entries e
        where e.seal > ? and e.seal <= ? order by e.seal, e.id`,
      [after, last],
    );
    const bySeal = new Map<number | null, AuditEntry[]>();
    for (const { seal, ...entry } of entries) {
      const others = bySeal.get(seal);
      if (others === undefined) bySeal.set(seal, [entry]);
      else others.push(entry);
    }
    for (const { entryIds, ...seal } of seals) {
      yield {
        seal: { ...seal, entryIds: entryIds.map(Number) },
        entries: bySeal.get(seal.number) ?? [],
      };
    }
    after = last;
  }
}
