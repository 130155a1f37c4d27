import type { Knex } from 'knex';
import type { BenchDatabase } from '../bench-database.js';
import { seedCodaFiles } from '../seeds/seed-files.js';
import { assumed } from './assumptions.js';

/** How many firms there are, and how many statements each of their accounts has. */
export const firms = Number(process.env['ADX_BENCH_FIRMS'] ?? 200);
export const history = 6;

/** A firm and its administrator. */
export interface SeededFirm {
  readonly firmId: string;
  readonly username: string;
}

/**
 * Fills a database with firms of the same size, each with an administrator who has acknowledged all statements,
 * and lets it keep its data through a crash, as in production.
 */
export async function seedFirms(database: BenchDatabase, knex: Knex): Promise<SeededFirm[]> {
  const { accounts } = assumed;
  await database.addOtherFirms((firms - 1) * accounts, accounts);
  await knex.raw(
    `insert into users (id, firm_id, username, password_hash, access_level, sees_customers)
     select substr(md5(f.id), 1, 24), f.id, f.id || '@kantoor.example', u.password_hash, u.access_level,
            u.sees_customers
       from firms f, users u where f.id <> u.firm_id`,
  );
  await seedCodaFiles(knex, history);
  for (const { id } of await knex('firms').orderBy('id')) {
    await knex.raw(
      `insert into file_acknowledgements (api_key_id, user_id, file_id, acknowledged_on)
       select k.id, u.id, f.id, now()
         from api_keys k, files f join users u on u.firm_id = f.firm_id
        where f.firm_id = ?`,
      [id],
    );
    // Otherwise each of the next statements reads the whole table, which was empty when it was planned.
    await knex.raw('analyze file_acknowledgements');
  }
  await knex.raw('vacuum analyze');
  // A temporary database of the sandbox does without, because nobody misses its data.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await knex.raw(`alter system set ${setting} = on`);
  }
  await knex.raw('select pg_reload_conf()');
  return knex('users').orderBy('id').select({ firmId: 'firm_id', username: 'username' });
}
