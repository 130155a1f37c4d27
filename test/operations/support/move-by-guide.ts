import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { CodeBlock } from '../../partners/code-blocks.js';
import { runCommand } from '../../support/run-command.js';
import type { MovableServer } from './movable-server.js';

/** Does what a reader of the guide does, and restarts the server where it says so. */
export async function moveByGuide(
  server: MovableServer,
  blocks: readonly CodeBlock[],
  environment: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const restartAt = blocks.findIndex(({ language }) => language === 'sh');
  for (const block of blocks.slice(0, restartAt)) await execute(server, block);
  const slot = `select pg_create_logical_replication_slot('adx_move', 'pgoutput')`;
  await expect(server.run('adx', slot)).rejects.toThrow(/ogical decoding requires .*wal_level/);
  await server.restart();
  const env = await environment();
  for (const block of blocks.slice(restartAt)) {
    if (block.source.startsWith('vacuum')) await interruptCopying(server);
    if (block.note === 'postgres') await expectSameContent(server);
    await execute(server, block, env);
  }
}

/** Executes a block as printed, but for the connection, which is that of a reader. */
async function execute(
  server: MovableServer,
  { language, note, source }: CodeBlock,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (language === 'sh') {
    await runCommand('sh', ['-e', '-c', source], { env });
    return;
  }
  const [database = '', way = ''] = note.split(' ');
  const sql = source.replace(/connection '[^']*'/, `connection '${server.ownerUrl}'`);
  const run = async () => {
    const rows: object[] = [];
    for (const statement of statementsOf(sql))
      rows.push(...(await server.run(database, statement)));
    return rows;
  };
  if (way === 'until-empty') {
    // This takes long on a busy machine, with the load of another test.
    while ((await run()).length > 0) await wait(50);
    return;
  }
  const shown = await run();
  if (way !== 'run-in-adx_new') return;
  for (const row of shown) await server.run('adx_new', String(Object.values(row)[0]));
}

/** Returns the statements of a block, which psql sends one by one. */
function statementsOf(sql: string): string[] {
  return sql.match(/^do \$\$[\s\S]*?^end \$\$;$|^(?! )[\s\S]*?;$/gm) ?? [];
}

/** Ends the process that copies. PostgreSQL starts it again. */
async function interruptCopying(server: MovableServer): Promise<void> {
  const ended = await server.run(
    'adx_new',
    `select pg_terminate_backend(pid, 10000) as ended from pg_stat_subscription where relid is null`,
  );
  expect(ended).toEqual([{ ended: true }]);
}

async function expectSameContent(server: MovableServer): Promise<void> {
  const old = await contentOf(server, 'adx');
  expect(old.get('files')).not.toMatch(/^0 /);
  expect(old.get('graphile_worker._private_jobs')).not.toMatch(/^0 /);
  expect(await contentOf(server, 'adx_new')).toEqual(old);
}

/** Returns the number of rows and their checksum of each table, except for unlogged ones. */
async function contentOf(server: MovableServer, database: string): Promise<Map<string, string>> {
  const tables = await server.run(
    database,
    `select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
        and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const content = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await server.run(
      database,
      `select concat(count(*), ' ', sum(('x' || md5(t::text))::bit(64)::bigint)) as sums
         from ${name} t`,
    );
    content.set(name, row?.['sums']);
  }
  return content;
}
