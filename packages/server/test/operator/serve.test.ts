import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { captureProgram } from '../../src/operator/program.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { processSettings } from '../support/process-settings.js';
import { runAdxServer, type Settings, startAdxServer } from './adx-server.js';

async function serve(settings: Settings) {
  const child = startAdxServer(['serve'], { ...settings, LOG_LEVEL: 'warn' });
  let [printed, errors] = ['', ''];
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const [, found] = /listens on ([^"\s]+)"/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`It ended: ${errors}`)));
  });
  return { child, url };
}

test('operator: serve refuses a database with pending migrations until migrate has run, names a port that is in use and an address of another machine, and stops on SIGTERM', {
  tags: 'long',
}, async () => {
  const empty = await createTestDatabase({ empty: true });
  onTestFinished(() => empty.release());
  const settings = await processSettings(empty.url);
  for (const { exitCode, stdout, stderr } of [
    await runAdxServer(['serve'], settings),
    await captureProgram(['firm', 'list'], settings),
  ]) {
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^error: .*run `adx-server migrate`.*\n$/);
  }
  const first = await runAdxServer(['migrate', '--partitions', '2', '--json'], settings);
  expect(JSON.parse(first.stdout).applied).toEqual(['0001-baseline']);
  const knex = createTestKnex(empty.url, { poolSize: 1 });
  const other = await knex.transaction();
  await other.raw('select pg_advisory_xact_lock(4237190553)');
  setTimeout(() => other.rollback(), 1_500);
  expect(await captureProgram(['migrate'], settings)).toMatchObject({
    stdout: 'The database is up to date.\n',
    stderr: expect.stringMatching(/^`migrate` waits for another `migrate`, process \d+ .*\n$/),
  });
  expect(await captureProgram(['migrate', '--partitions', '3'], settings)).toMatchObject({
    exitCode: 1,
    stderr:
      'error: The tables of this database have 2 partitions. ' +
      'Their number is decided when a database is created.\n',
  });
  expect(await captureProgram(['migrate', '--distributed'], settings)).toMatchObject({
    exitCode: 1,
    stderr: 'error: The database has no Citus: see "Several database servers".\n',
  });
  // D-64: this is now the former release, which starts on the schema of the next one.
  const newer = { name: '9001-newer', batch: 2, migration_time: new Date() };
  await knex('knex_migrations').insert(newer);
  await knex.destroy();
  expect(await captureProgram(['migrate'], settings)).toMatchObject({
    exitCode: 0,
    stdout: 'The database has migrations of a newer release: 9001-newer.\n',
  });

  const { child, url } = await serve(settings);
  expect((await fetch(`${url}/hello-world`)).status).toBe(403);
  const { port } = new URL(url);
  expect(await runAdxServer(['serve'], { ...settings, PORT: port })).toMatchObject({
    exitCode: 1,
    stderr: `error: The port ${port} is in use: set PORT to another one, or to 0 for any free port.\n`,
  });
  // An address for documentation (RFC 5737), which no machine has.
  expect(await runAdxServer(['serve'], { ...settings, HOST: '192.0.2.1' })).toMatchObject({
    exitCode: 1,
    stderr:
      'error: The address 192.0.2.1 cannot be used (EADDRNOTAVAIL): set HOST to an address of this machine.\n',
  });
  expect(await runAdxServer(['serve'], { ...settings, HOST: 'adx.invalid' })).toMatchObject({
    exitCode: 1,
    // EAI_AGAIN where no name server can be reached.
    stderr: expect.stringMatching(
      /^error: The address adx\.invalid cannot be used \((ENOTFOUND|EAI_AGAIN)\): set HOST to/,
    ),
  });
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  expect(child.exitCode).toBe(0);
});
