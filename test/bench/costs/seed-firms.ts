import type { Knex } from 'knex';
import type { BenchDatabase } from '../calls/bench-database.js';
import { seedAcknowledgements, seedAdministrators, seedCodaFiles } from '../seeds/seed-files.js';

export const accounts = 500;

const firms = Number(process.env['ADX_BENCH_FIRMS'] ?? 10);

/** The number of statements of each account, one a day from January. */
export const history = Number(process.env['ADX_BENCH_HISTORY'] ?? 250);

interface SeededFirm {
  readonly id: string;
  readonly username: string;
}

/** Creates firms, each with an administrator who has acknowledged all statements. */
export async function seedFirms(database: BenchDatabase, knex: Knex): Promise<SeededFirm[]> {
  await database.addOtherFirms((firms - 1) * accounts, accounts);
  await seedAdministrators(knex);
  await seedCodaFiles(knex, history);
  await seedAcknowledgements(knex);
  await knex.raw('vacuum analyze');
  return knex('users').orderBy('id').select({ id: 'firm_id', username: 'username' });
}
