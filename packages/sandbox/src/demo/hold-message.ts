import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long a worker may keep a message that it has begun to send, in ms. */
const longestMs = 30_000;

/**
 * Does something that makes the service ask a contact for a signature, and keeps the message from
 * being sent, as if the worker had not come to it. `delayMessages` of the operator sends it.
 *
 * A worker that has already begun waits for a lock, and its attempt fails; other messages are tried
 * again too.
 *
 * @param work - returns the id of the customer
 */
export async function holdMessage(databaseUrl: string, work: () => Promise<string>): Promise<void> {
  // Two sessions, because a change keeps locks on jobs until its transaction ends, also on those it
  // leaves.
  const guard = new pg.Client({ connectionString: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await Promise.all([guard.connect(), client.connect()]);
    await guard.query('begin; lock table signature_links in share mode');
    const customerId = await work();
    const end = Date.now() + longestMs;
    while (!(await delay(client, customerId))) {
      if (Date.now() > end)
        throw new Error(`The message to the customer ${customerId} was not held`);
      await guard.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where pg_backend_pid() = any(pg_blocking_pids(pid)) and query like 'insert into "signature_links"%'`,
      );
      await sleep(20);
    }
    await guard.query('commit');
  } finally {
    await Promise.all([guard.end(), client.end()]);
  }
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
