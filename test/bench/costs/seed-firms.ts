import type { Knex } from 'knex';
import type { BenchDatabase } from '../calls/bench-database.js';
import { seedAcknowledgements, seedCodaFiles } from '../seeds/seed-files.js';

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
  await knex.raw(
    `insert into users (id, firm_id, username, password_hash, access_level, sees_customers)
     select substr(md5(f.id), 1, 24), f.id, f.id || '@kantoor.example', u.password_hash, u.access_level,
            u.sees_customers
       from firms f, users u where f.id <> u.firm_id`,
  );
  await seedCodaFiles(knex, history);
  await seedAcknowledgements(knex);
  await knex.raw('vacuum analyze');
  return knex('users').orderBy('id').select({ id: 'firm_id', username: 'username' });
}
