import type { Knex } from 'knex';
import type { RepeatingStep } from '../jobs/repeating-tasks.js';
import type { UsedElement } from './used-elements.js';

/** The number of days before today whose counts are kept. */
export const KEPT_DAYS = 400;

/** How often an API key used an element on a day. */
export interface UsageCount extends UsedElement {
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly apiKeyId: string;
  readonly calls: number;
}

/**
 * Adds counts to those of other processes, in one statement. Rows are in order, so that the
 * statements of several processes do not deadlock. Counts of API keys that are no longer in the
 * database are left out.
 */
export async function addUsage(knex: Knex, counts: readonly UsageCount[]): Promise<void> {
  await knex.raw(
    `insert into api_usage as u (day, api_key_id, operation, field, value, calls)
     select c.day, c.api_key_id, c.operation, c.field, c.value, c.calls
       from unnest(?::date[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
            as c (day, api_key_id, operation, field, value, calls)
       join api_keys k on k.id = c.api_key_id
      order by c.day, c.api_key_id, c.operation, c.field, c.value
     on conflict (day, api_key_id, operation, field, value)
        do update set calls = u.calls + excluded.calls`,
    [
      counts.map(({ day }) => day),
      counts.map(({ apiKeyId }) => apiKeyId),
      counts.map(({ operation }) => operation),
      counts.map(({ field }) => field),
      counts.map(({ value }) => value),
      counts.map(({ calls }) => calls),
    ],
  );
}

/** The counted calls of a period. */
export interface Usage {
  /** The first day in UTC, `YYYY-MM-DD`; later than asked for if no call was counted before. */
  readonly from: string;
  /** Today in UTC, `YYYY-MM-DD`. */
  readonly to: string;
  /** The only operation, if one was asked for. */
  readonly operation?: string;
  /** By partner. */
  readonly uses: readonly UsageSum[];
}

/** The calls of an API key to an operation; or those of them that had a field, or a value in it. */
export interface UsageSum {
  readonly partner: string;
  /** The id of the API key. */
  readonly apiKey: string;
  readonly operation: string;
  /** Without it, the calls of the operation. */
  readonly field?: string;
  /** A value of an enumeration; JSON if it is no text. Without it, the calls with the field. */
  readonly value?: string;
  readonly calls: number;
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly lastUsed: string;
}

/**
 * Returns what API keys used in the last days.
 *
 * @param options.days - the number of days, today in UTC included
 * @param options.operation - the only operation; without it, all of them
 */
export async function readUsage(
  knex: Knex,
  { days, operation }: { readonly days: number; readonly operation?: string | undefined },
): Promise<Usage> {
  const covered = await knex.raw<{ rows: [Pick<Usage, 'from' | 'to'>] }>(
    `select greatest(today - ?::int + 1, least(today, (select min(day) from api_usage))) as "from",
            today as "to"
       from (select (now() at time zone 'UTC')::date as today) as t`,
    [days],
  );
  const [{ from, to }] = covered.rows;
  const { rows } = await knex.raw<{ rows: SumRow[] }>(
    `select k.partner, k.id, u.operation, u.field, u.value,
            sum(u.calls)::bigint as calls, max(u.day) as last_used
       from api_usage u join api_keys k on k.id = u.api_key_id
      where u.day >= ?::date
        and u.operation = coalesce(?, u.operation)
      group by k.partner, k.id, u.operation, u.field, u.value
      order by k.partner, k.id, u.operation, u.field, u.value`,
    [from, operation ?? null],
  );
  const uses = rows.map(({ partner, id, operation, field, value, calls, last_used }) => ({
    partner,
    apiKey: id,
    operation,
    ...(field !== '' && { field }),
    ...(value !== '' && { value: textOf(value) }),
    calls,
    lastUsed: last_used,
  }));
  return { from, to, ...(operation !== undefined && { operation }), uses };
}

interface SumRow {
  readonly partner: string;
  readonly id: string;
  readonly operation: string;
  readonly field: string;
  readonly value: string;
  readonly calls: number;
  readonly last_used: string;
}

/** Returns the text that a JSON text stands for, or the JSON of any other value. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** Creates the step of the clean-up that deletes the counts of days that are too long ago. */
export function deleteOldUsage(knex: Knex): RepeatingStep {
  return {
    name: 'deleting old counts of calls',
    async run() {
      await knex.raw(
        `delete from api_usage where day < (now() at time zone 'UTC')::date - ${KEPT_DAYS}`,
      );
      return 'done';
    },
  };
}
