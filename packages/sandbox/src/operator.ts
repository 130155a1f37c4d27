import { readFile } from 'node:fs/promises';
import type { Mandate } from '@adx/client';
import { captureProgram } from '@adx/server/commands';
import pg from 'pg';
import { withConnection } from './postgres/with-connection.js';
import type { Settings } from './settings-file.js';

/** A mandate as `adx-server mandate list` prints it. */
export type ListedMandate = Mandate & { readonly firmId: string };

export type Operator = ReturnType<typeof createOperator>;

/** Creates the operator, who runs `adx-server` commands with the settings of the service. */
export function createOperator(settings: Settings) {
  async function change(call: string, values: unknown[]): Promise<void> {
    await withConnection(settings['DATABASE_URL'], async (client) => {
      await client.query(
        await readFile(new URL('demo/let-time-pass.sql', import.meta.url), 'utf8'),
      );
      await retryDeadlocks(() => client.query(call, values));
    });
  }

  return {
    async run<Result>(parameters: readonly string[], standardInput = '') {
      const { exitCode, stdout, stderr } = await captureProgram(
        [...parameters, '--json'],
        settings,
        standardInput,
      );
      if (exitCode !== 0) {
        const reason = stderr.trim().replace(/^error: /, '');
        throw new Error(`adx-server ${parameters.join(' ')}: ${reason}`);
      }
      return JSON.parse(stdout) as Result;
    },
    /** Backdates mandates by some days; see `let-time-pass.sql`. */
    letTimePass: (ids: readonly string[], days: number) =>
      change('select pg_temp.let_time_pass($1, $2)', [ids, days]),
    letAllTimePass: (seconds: number) => change('select pg_temp.let_all_time_pass($1)', [seconds]),
    delayMessages: (ids: readonly string[], seconds: number) =>
      change('select pg_temp.delay_messages($1, $2)', [ids, seconds]),
  };
}

/** Tries again if PostgreSQL ended our transaction, which deadlocked with one of the service. */
async function retryDeadlocks(work: () => Promise<unknown>, attempts = 10): Promise<unknown> {
  return work().catch((error: unknown) => {
    const isDeadlock = error instanceof pg.DatabaseError && error.code === '40P01';
    if (!isDeadlock || attempts === 1) throw error;
    return retryDeadlocks(work, attempts - 1);
  });
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
