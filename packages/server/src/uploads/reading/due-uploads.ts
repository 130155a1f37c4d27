import type { Knex } from 'knex';
import { enqueueAll, type Job } from '../../jobs/job.js';
import { storableText } from '../documents/finding.js';
import type { UploadProgress, UploadStatus } from '../upload-store.js';

/**
 * Uploads that are due are read, and removed from their bucket if they have an outcome. An attempt is
 * counted before it begins, so that a file that kills the process is given up too. Failed attempts are
 * repeated with exponential backoff, as those of jobs. All times are by the clock of the database (D-38).
 */

/** The number of attempts without progress before workers give up an upload. */
export const maximumAttempts = 25;

/** The status of an upload, or `failed`: it is received, and workers have given it up. */
export type ShownStatus = UploadStatus | 'failed';

/** SQL: the shown status of an upload `u`. */
export const shownStatus = `case when u.status = 'received' and u.attempts >= ${maximumAttempts}
            then 'failed' else u.status end`;

/** SQL: uploads `u` with a shown status. As constants, so that an index serves those that are few. */
export const hasShownStatus: Readonly<Record<ShownStatus, string>> = {
  received: `u.status = 'received' and u.attempts < ${maximumAttempts}`,
  failed: `u.status = 'received' and u.attempts >= ${maximumAttempts}`,
  processed: `u.status = 'processed'`,
  rejected: `u.status = 'rejected'`,
};

/** SQL: uploads `u` whose firm is not disabled (D-60). */
const isOfEnabledFirm = `not exists (
          select from upload_grants own join firms f on f.id = own.firm_id
           where own.id = u.grant_id and f.disabled_on is not null)`;

/**
 * SQL: uploads `u` that are due. Those of a disabled firm stay received. The removal of an upload with an
 * outcome is never given up.
 */
const isDue = `u.due_on <= now() and u.source = 'upload'
        and (u.status <> 'received' or u.attempts < ${maximumAttempts} and ${isOfEnabledFirm})`;

/** SQL: the time of the next attempt; 3 seconds after the first one, at most 6 hours after a later one. */
const nextAttempt = (attempts: string) =>
  `now() + exp(least(${attempts}, 10)) * interval '1 second'`;

/**
 * Creates the job that reads uploads of a firm for one turn.
 *
 * @param firmId - null for the objects that no grant covers (D-31)
 */
export function readUploadsJob(firmId: string | null): Job {
  const key = `readUploads:${firmId ?? 'none'}`;
  return { task: 'readUploads', payload: { firmId }, key, queue: key };
}

/** Enqueues a turn for each of the firms. One that waits already keeps its place. */
export function enqueueTurns(
  trx: Knex.Transaction,
  firmIds: readonly (string | null)[],
): Promise<void> {
  return enqueueAll(
    trx,
    firmIds.map((firmId) => ({ ...readUploadsJob(firmId), keepsPlace: true })),
  );
}

/** Returns the firms with due uploads, and null if there are any of no grant. */
export async function findDueFirms(knex: Knex): Promise<(string | null)[]> {
  const { rows } = await knex.raw<{ rows: { firmId: string | null }[] }>(
    `select distinct g.firm_id as "firmId"
       from uploads u left join upload_grants g on g.id = u.grant_id
      where ${isDue} order by 1`,
  );
  return rows.map(({ firmId }) => firmId);
}

/** An upload that is due. */
export interface DueUpload {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** The number of attempts since the last progress. */
  readonly attempts: number;
}

/** Returns uploads of a firm that are due, those that have waited longest first. */
export async function findDue(
  knex: Knex,
  firmId: string | null,
  limit: number,
): Promise<DueUpload[]> {
  const { rows } = await knex.raw<{ rows: DueUpload[] }>(
    `select u.id, u.size::float8 as size, u.attempts
       from uploads u left join upload_grants g on g.id = u.grant_id
      where ${isDue} and g.firm_id is not distinct from ?
      order by u.due_on, u.id limit ?`,
    [firmId, limit],
  );
  return rows;
}

/**
 * Counts an attempt for each of the uploads that is still due.
 *
 * @returns their ids
 */
export async function beginAttempts(knex: Knex, ids: readonly string[]): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `update uploads u set attempts = u.attempts + 1, due_on = ${nextAttempt('u.attempts + 1')}
      where u.id = any(?) and ${isDue} returning u.id`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

/**
 * Records a step that is not the last one. The next step counts as a first attempt, which has begun.
 * Call it with the upload locked.
 */
export async function recordProgress(
  trx: Knex.Transaction,
  id: string,
  { checkpoint, findings, omittedFindings }: UploadProgress,
): Promise<void> {
  await trx.raw(
    `update uploads set checkpoint = ?, findings = ?::jsonb, omitted_findings = ?,
            attempts = 1, last_error = null, due_on = ${nextAttempt('1')}
      where id = ?`,
    [checkpoint, JSON.stringify(findings), omittedFindings, id],
  );
}

/** Makes an upload due at once whose turn has ended after some progress. */
export async function continueLater(knex: Knex, id: string): Promise<void> {
  await knex('uploads')
    .where({ id, status: 'received' })
    .update({ attempts: 0, due_on: knex.fn.now() });
}

/** Records why an attempt failed. Returns true if it was the last one. */
export async function recordFailure(knex: Knex, id: string, error: unknown): Promise<boolean> {
  const text = storableText(error instanceof Error ? error.message : String(error));
  const { rows } = await knex.raw<{ rows: { isLast: boolean }[] }>(
    `update uploads u set last_error = ?, due_on = ${nextAttempt('u.attempts')}
      where u.id = ?
     returning u.status = 'received' and u.attempts >= ${maximumAttempts} as "isLast"`,
    [text, id],
  );
  return rows[0]?.isLast ?? false;
}

/** Records that nothing is left to do for an upload with an outcome. */
export async function finishUpload(knex: Knex, id: string): Promise<void> {
  await knex('uploads').where({ id }).whereNot({ status: 'received' }).update({ due_on: null });
}
