import { text } from 'node:stream/consumers';
import { loadConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import type { OperatorContext } from './operator-context.js';

/** A command needs one connection, and a second for the checks of its transaction. */
const POOL_SIZE = 2;

/** The operator's context over this process: its environment, standard input and output, signals. */
export function createProcessContext(): OperatorContext {
  const readConfig = () => loadConfig(process.env);
  return {
    readConfig,

    async withDatabase(work) {
      const database = await openDatabase({ ...readConfig(), databasePoolSize: POOL_SIZE });
      try {
        return await work(database.knex);
      } finally {
        await database.close();
      }
    },

    async readStandardInput() {
      return (await text(process.stdin)).replace(/\r?\n$/, '');
    },

    stopRequested() {
      return new Promise((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) {
          // Once: a second signal ends a process whose orderly end takes too long.
          process.once(signal, () => resolve());
        }
      });
    },

    print(line) {
      process.stdout.write(line);
    },
  };
}
