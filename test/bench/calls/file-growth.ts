import { createKnex } from '@adx/server';
import type { Knex } from 'knex';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { filesOfEach, seedFileHistory } from '../seeds/seed-file-history.js';
import { seedAcknowledgements, seedAdministrators } from '../seeds/seed-files.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { inTurns, medianOf } from '../turns.js';
import { until } from '../until.js';
import { bankStatement } from '../uploads/bank-statement.js';
import { startUploadService } from '../uploads/upload-service.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { withServers } from './with-servers.js';

const rounds = 7;
const customers = 400;
const few = customers * filesOfEach;
const many = Number(process.env['ADX_BENCH_FILES'] ?? 1_000_000);
const partitions = 16;
/** The statements of a round of ingesting, each of another customer. */
const statements = 100;

/** The firm under test, whose files are few or many with those of other firms. */
interface MeasuredFirm {
  readonly port: number;
  /** Signs in, and returns the measured requests: filling the other database may take hours. */
  requests(): Promise<ReadonlyMap<string, PreparedRequest>>;
  /** Returns the ms between the statements of a round, once the first one is listed. */
  ingest(): Promise<number>;
}

/** Measures a firm with 100,000 files, alone and among firms of that size, in partitions. */
export function benchFileGrowth(): Promise<Table> {
  return withFirm(few, (small) =>
    withFirm(many, async (large) => {
      const both = [small, large];
      const requests = new Map<MeasuredFirm, ReadonlyMap<string, PreparedRequest>>();
      for (const firm of both) requests.set(firm, await firm.requests());
      const rows: string[][] = [];
      for (const name of requests.get(small)?.keys() ?? []) {
        const turns = await inTurns(both, { rounds, warmUps: 1 }, async (firm) => {
          const request = requests.get(firm)?.get(name) ?? raise(name);
          return median(await load(firm.port, request, { connections: 1, durationMs: 1_000 }));
        });
        rows.push(compared(name, turns));
      }
      const turns = await inTurns(both, { rounds, warmUps: 1 }, (firm) => firm.ingest());
      rows.push(compared('statement read and listed', turns));
      const head = ['median ms', ...[few, many].map((count) => `of ${count.toLocaleString('en')}`)];
      return { head: [...head, 'ratio'], rows };
    }),
  );
}

function compared(name: string, turns: readonly (readonly number[])[]): string[] {
  const ofSmall = medianOf(turns, ([small]) => small);
  const ofLarge = medianOf(turns, ([, large]) => large);
  return [name, ofSmall.toFixed(3), ofLarge.toFixed(3), (ofLarge / ofSmall).toFixed(2)];
}

function raise(name: string): never {
  throw new Error(`There is no request ${name}`);
}

async function withFirm<Result>(
  files: number,
  measure: (firm: MeasuredFirm) => Promise<Result>,
): Promise<Result> {
  const storage = await startSandboxPart('storage', '--port', '0');
  try {
    return await withServers(
      customers,
      [],
      async ({ database, service }) => {
        const knex = createKnex(database.url, { poolSize: 2, statementTimeoutMs: 0 });
        const started = Date.now();
        await database.addOtherFirms(files / filesOfEach - customers, customers);
        await seedAdministrators(knex);
        await seedFileHistory(knex);
        await seedAcknowledgements(knex);
        const newcomer = await addNewcomer(knex, database.firmId);
        await knex.raw('vacuum analyze');
        await reportSize(knex, files, started);
        const worker = await startUploadService({
          ...storage.settings,
          DATABASE_URL: database.url,
          // Nothing is too old, in whatever year this runs.
          STATEMENT_YEARS: '100',
        });
        try {
          const uploads = await worker.uploadsOf(database.firmId);
          let number = 0;
          return await measure({
            port: service.port,
            requests: async () =>
              requestsFor(
                await database.signIn(service.port),
                await database.signIn(service.port, newcomer),
              ),
            async ingest() {
              number += 1;
              for (const iban of uploads.ibans.slice(0, statements)) {
                await uploads.upload(`${iban}-${number}.cod`, bankStatement(iban, number));
              }
              await until('all are read', 100, async () => (await uploads.countUnfinished()) === 0);
              return spanOf(knex, database.firmId);
            },
          });
        } finally {
          await worker.stop();
          await knex.destroy();
        }
      },
      partitions,
    );
  } finally {
    await storage.stop();
  }
}

function requestsFor(
  credentials: Readonly<Record<string, string>>,
  ofNewcomer: Readonly<Record<string, string>>,
): Map<string, PreparedRequest> {
  const list = (name: string, by: Readonly<Record<string, string>>, body: object) =>
    [name, prepareRequest(name, 'POST', '/v1/coda-files', by, body)] as const;
  const enterpriseNumber = '0000.020.091';
  return new Map([
    list('poll of files without news', credentials, {}),
    list('list of 20 new files', ofNewcomer, {}),
    list('all files of a customer', credentials, { enterpriseNumber, redownload: true }),
  ]);
}

/** Adds a user for whom two files of each of ten customers are new. Returns the username. */
async function addNewcomer(knex: Knex, firmId: string): Promise<string> {
  const username = 'newcomer@kantoor.example';
  await knex.raw(
    `insert into users (id, firm_id, username, password_hash, access_level, sees_customers)
     select lpad('f', 24, '0'), firm_id, :username, password_hash, access_level, sees_customers
       from users where firm_id = :firmId`,
    { firmId, username },
  );
  await knex.raw(
    `insert into acknowledged_arrivals (api_key_id, user_id, firm_id, customer_id, product, up_to)
     select k.id, lpad('f', 24, '0'), a.firm_id, a.customer_id, a.product,
            a.latest - case when row_number() over (order by a.product, a.customer_id) <= 10 then 2 else 0 end
       from api_keys k, file_arrivals a where a.firm_id = :firmId`,
    { firmId },
  );
  return username;
}

async function spanOf(knex: Knex, firmId: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ ms: string }] }>(
    `select extract(epoch from max(settled_on) - min(settled_on)) * 1000 / (count(*) - 1) as ms
       from (select settled_on from uploads where firm_id = ? order by received_on desc limit ?) u`,
    [firmId, statements],
  );
  return Number(rows[0].ms);
}

async function reportSize(knex: Knex, files: number, started: number): Promise<void> {
  const { rows } = await knex.raw(
    `select pg_database_size(current_database()) as database,
            (select sum(pg_relation_size(relid)) from pg_partition_tree('files')) as rows,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('files')) as files,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('audit_entries')) as entries`,
  );
  const [size] = rows;
  const each = (bytes: unknown) => Math.round(Number(bytes) / files);
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(
    `${files.toLocaleString('en')} files in ${seconds} s, bytes of each: ${each(size.database)}, ` +
      `of which row ${each(size.rows)}, row and indexes ${each(size.files)}, ` +
      `audit trail ${each(size.entries)}\n`,
  );
}
