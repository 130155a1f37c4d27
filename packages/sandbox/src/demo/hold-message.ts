import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withConnection } from '../postgres/with-connection.js';

/** How long a worker may keep a message that it has begun to send, in ms. */
const longestMs = 30_000;

/**
 * Keeps a message from being sent, as if the worker had not come to it. `delayMessages` of the
 * operator sends it. A worker that has already begun waits for a lock, and its attempt fails.
 *
 * @param work - makes the service ask a contact for a signature, and returns the id of the customer
 */
export function holdMessage(databaseUrl: string, work: () => Promise<string>): Promise<void> {
  // There are two sessions because a change keeps locks on jobs until its transaction ends.
  return withConnection(databaseUrl, (guard) =>
    withConnection(databaseUrl, async (client) => {
      await guard.query('begin; lock table signing_urls in share mode');
      const customerId = await work();
      const end = Date.now() + longestMs;
      while (!(await delay(client, customerId))) {
        if (Date.now() > end) throw new Error(`The message to ${customerId} was not held`);
        await guard.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
            where pg_backend_pid() = any(pg_blocking_pids(pid)) and query like 'insert into "signing_urls"%'`,
        );
        await sleep(20);
      }
      await guard.query('commit');
    }),
  );
}

/** Delays the message to a customer; returns false while a worker has it. */
async function delay(client: pg.Client, customerId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update graphile_worker._private_jobs j set run_at = now() + interval '10 years'
       from signature_requests r
      where r.customer_id = $1 and r.sent_on is null and j.locked_at is null
        and j.key = 'sendMail:' || r.id || '.' || r.delivery`,
    [customerId],
  );
  return rowCount !== 0;
}
