import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { brusselsDay } from '../dates/brussels-day.js';
import { requireSameClock } from '../db/same-clock.js';
import { inTransaction } from '../db/transaction.js';
import { deleteOldRefreshTokens } from '../identity/refresh-tokens.js';
import { attemptEach, type RepeatingWork } from '../jobs/repeating-tasks.js';
import { eraseContents, eraseFileBatch } from './erase-customer.js';
import { type ErasureDependencies, eraseUploadRows, removeFromBuckets } from './erase-uploads.js';
import { removeEndedMandates, removeEvidence } from './remove-mandates.js';

/** The years for which kinds of data are kept (D-63). */
export interface RetentionYears {
  /** Statements, payroll files, and customers that were archived. */
  readonly statements: number;
  /** Evidence of signatures, and mandates that have ended. */
  readonly evidence: number;
  /** Records of uploads and deliveries. */
  readonly uploads: number;
  readonly audit: number;
}

/** The pause between two runs, in ms. */
const RETENTION_MS = 3_600_000;

/** The numbers of records that are removed at once. */
const MISSING = 1_000;

const UPLOADS = 500;

const CUSTOMERS = 50;

export function retentionWork(
  dependencies: ErasureDependencies & { readonly logger: Logger },
  years: RetentionYears,
): RepeatingWork {
  const { knex, logger, now } = dependencies;
  const firstDay = () => firstDayKept(now(), years.statements);
  const before = (kind: 'evidence' | 'uploads' | 'audit') => yearsBefore(now(), years[kind]);
  const steps: Readonly<Record<string, () => Promise<number>>> = {
    'statements and payroll files': () => removeStatements(dependencies, firstDay()),
    'missing statements': () => removeMissing(knex, firstDay()),
    customers: () => removeCustomers(dependencies, firstDay(), before('evidence')),
    mandates: () => removeEndedMandates(knex, before('evidence')),
    evidence: () => removeEvidence(knex, before('evidence')),
    uploads: () => removeUploads(dependencies, before('uploads')),
    'refresh tokens': () => deleteOldRefreshTokens(knex, now()),
    'audit entries': () => removeAuditEntries(knex, before('audit')),
  };
  /** The errors by kind; a kind that failed is skipped until nothing is left of the others. */
  const failures = new Map<string, unknown>();
  return {
    name: 'removing data whose retention has ended',
    pauseMs: RETENTION_MS,
    // A batch of each kind, so that a worker that stops does not wait for all of them.
    async run() {
      await requireSameClock(knex);
      let isLeft = false;
      for (const [kind, remove] of Object.entries(steps)) {
        if (failures.has(kind)) continue;
        try {
          const count = await remove();
          if (count === 0) continue;
          isLeft = true;
          logger.info({ kind, count }, 'removed data whose retention has ended');
        } catch (error) {
          failures.set(kind, error);
        }
      }
      if (isLeft) return 'moreLeft';
      if (failures.size === 0) return 'done';
      const message = `It failed for ${[...failures.keys()].join(', ')}`;
      const error = new AggregateError([...failures.values()], message);
      failures.clear();
      throw error;
    },
  };
}

/**
 * Returns the first day of which statements are kept: the law counts from the end of the calendar
 * year in Belgium.
 */
function firstDayKept(now: Date, years: number): string {
  const year = Number(brusselsDay(now).slice(0, 4)) - years;
  return `${String(year).padStart(4, '0')}-01-01`;
}

function yearsBefore(now: Date, years: number): Date {
  const before = new Date(now);
  before.setUTCFullYear(now.getUTCFullYear() - years);
  // The 29th of February is the 1st of March in other years.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return before;
}

/**
 * Removes statements and payroll files before a day. One that is delivered again is not listed any
 * more, so that it is neither booked twice nor the beginning of a gap.
 */
async function removeStatements(
  dependencies: ErasureDependencies,
  firstDay: string,
): Promise<number> {
  const { knex } = dependencies;
  // Never earlier: what was removed is not listed again when the years are raised.
  await knex.raw(
    `insert into removed_statements as r (dated_before) values (?)
     on conflict (is_only) do update set dated_before = greatest(r.dated_before, excluded.dated_before)`,
    [firstDay],
  );
  const files = knex('files')
    .where('statement_date', '<', firstDay)
    .orderBy(['statement_date', 'id']);
  return eraseFileBatch(dependencies, files, { keepsUploads: true });
}

/** Removes what is missing before a day: the chain begins after the removed statements (D-30). */
function removeMissing(knex: Knex, firstDay: string): Promise<number> {
  const batch = knex('missing_statements').where('after_date', '<', firstDay).limit(MISSING);
  return knex('missing_statements').whereIn('id', batch.select('id')).delete();
}

/**
 * Erases archived customers that have neither files nor mandates to keep.
 *
 * @throws AggregateError if all of a batch fail
 */
async function removeCustomers(
  dependencies: ErasureDependencies,
  firstDay: string,
  endedBefore: Date,
): Promise<number> {
  const { rows } = await dependencies.knex.raw<{ rows: { id: string; firmId: string }[] }>(
    `select c.id, c.firm_id as "firmId" from customers c
      where (c.archived_on at time zone 'Europe/Brussels')::date < :firstDay
        and not exists (select from files f
                         where f.customer_id = c.id and f.firm_id = c.firm_id)
        and not exists (select from mandates m
                         where m.customer_id = c.id and m.firm_id = c.firm_id
                           and m.closed_on >= :endedBefore)
      -- In no order, so that those that fail keep no others waiting.
      order by random() limit ${CUSTOMERS}`,
    { firstDay, endedBefore },
  );
  let erased = 0;
  await attemptEach(
    rows,
    ({ id }) => `customer ${id}`,
    async ({ id, firmId }) => {
      await eraseContents(dependencies, { customerId: id, firmId });
      erased += 1;
    },
  ).catch((error: unknown) => {
    if (erased === 0) throw error;
  });
  return erased;
}

/** Removes the records of uploads; files that are kept still name them. */
async function removeUploads(dependencies: ErasureDependencies, before: Date): Promise<number> {
  const { knex, now } = dependencies;
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select u.id from uploads u
      where u.settled_on < :before and u.received_on < :before
        -- One is held no later than its upload settles.
        and u.id not in (select h.upload_id from held_deliveries h where h.held_on < :before)
      order by u.received_on limit ${UPLOADS}`,
    { before },
  );
  const ids = rows.map(({ id }) => id);
  await removeFromBuckets(dependencies, ids);
  await inTransaction(knex, (trx) => eraseUploadRows(trx, ids, now(), { keepsReferred: false }));
  return ids.length;
}

async function removeAuditEntries(knex: Knex, before: Date): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ removed: number }] }>(
    'select remove_audit_entries(?) as removed',
    [before],
  );
  return rows[0].removed;
}
