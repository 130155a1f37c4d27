import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runAdxServer, type Settings, startAdxServer } from './adx-server.js';
import { pasteIntoShell } from './paste-into-shell.js';
import { runCommand } from './run-command.js';

/** A data folder that the account of the embedded database can enter. */
function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adx-serve-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Starts `adx-server serve` and waits for it to print something that matches. */
async function serve(parameters: string[], settings: Settings, until: RegExp) {
  const child = startAdxServer(['serve', ...parameters], { LOG_LEVEL: 'warn', ...settings });
  let printed = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (until.test(printed)) resolve();
    });
    child.once('close', () => reject(new Error(`It ended: ${errors}`)));
  });
  return { child, printed: () => printed, stop: (signal: NodeJS.Signals) => stop(child, signal) };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close');
  child.kill(signal);
  // Ctrl-C under npm reaches the process twice.
  if (signal === 'SIGINT') setTimeout(() => child.kill(signal), 10);
  await closed;
  return child.exitCode;
}

describe("adx-server serve on a database of one's own", () => {
  const dataDir = makeDataDir();
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createTestDatabase({ empty: true });
  });
  afterAll(async () => {
    await empty.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('operator: serve refuses a database that lacks migrations until migrate has run, and stops on SIGTERM', async () => {
    const settings = {
      DATABASE_URL: empty.url,
      ADX_DATA_DIR: dataDir,
      PORT: '0',
      STORAGE_PORT: '0',
    };
    for (const { exitCode, stdout, stderr } of [
      await runAdxServer(['serve'], settings),
      await runCommand(['firm', 'list'], settings),
    ]) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/^error: .*run `adx-server migrate`.*\n$/);
    }
    const first = await runAdxServer(['migrate', '--json'], settings);
    expect(JSON.parse(first.stdout).applied).toContain('0001-identity');
    const second = await runCommand(['migrate'], settings);
    expect(second.stdout).toBe('The database is up to date.\n');

    const service = await serve([], settings, /listens on \S+\n/);
    const [, url] = /listens on (\S+)/.exec(service.printed()) ?? [];
    expect((await fetch(`${url}/hello-world`)).status).toBe(403);
    expect(await service.stop('SIGTERM')).toBe(0);
  });

  test("demo: --demo never writes to a database of one's own, and never listens beyond this machine", async () => {
    const own = await runAdxServer(['serve', '--demo'], { DATABASE_URL: empty.url, PORT: '0' });
    expect(own).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('unset DATABASE_URL'),
    });
    const open = await runAdxServer(['serve', '--demo'], { HOST: '0.0.0.0', PORT: '0' });
    expect(open).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('unset HOST') });
  });
});

describe('adx-server serve --demo', () => {
  const dataDir = makeDataDir();
  const settings = { ADX_DATA_DIR: dataDir, PORT: '0', STORAGE_PORT: '0' };
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const banner = /curl -s \S+\/v1\/customers .*\n/;
  const firstCall = (printed: string) => /API_KEY=.*?\n\n/s.exec(printed)?.[0] ?? '';
  const printedAs = (label: string, printed: string) =>
    new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(printed)?.[1];

  test('demo: the printed call works when pasted, commands work meanwhile, a restart keeps it all, a taken port is one sentence', async () => {
    const first = await serve(['--demo'], settings, banner);
    const customers = JSON.parse(await pasteIntoShell(firstCall(first.printed())));
    expect(customers).toHaveLength(30);

    const [, archived] = customers;
    const users = JSON.parse((await runAdxServer(['user', 'list', '--json'], settings)).stdout);
    expect(users).toHaveLength(5);
    const archiving = firstCall(first.printed()).replace(
      /\/v1\/customers /,
      `/v1/customers/${archived.id} -X DELETE `,
    );
    await pasteIntoShell(archiving);
    expect(await first.stop('SIGINT')).toBe(0);

    const second = await serve(['--demo'], settings, banner);
    for (const label of ['API key', 'Login', 'Password']) {
      expect(printedAs(label, second.printed())).toBe(printedAs(label, first.printed()));
    }
    const again = await pasteIntoShell(firstCall(second.printed()));
    expect(JSON.parse(again)).toHaveLength(29);
    const port = /127\.0\.0\.1:(\d+)/.exec(second.printed())?.[1] ?? '';
    expect(await runAdxServer(['serve', '--demo'], { ...settings, PORT: port })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: The port is taken: set PORT to another, or to 0 for a free one.\n',
    });
    expect(await second.stop('SIGTERM')).toBe(0);

    const credentials = join(dataDir, 'demo-credentials.json');
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(credentials, 'utf8')).apiKey).toBe(
      printedAs('API key', first.printed()),
    );
    // Without a service the commands start the database for themselves.
    const firms = await runAdxServer(['firm', 'list', '--json'], settings);
    expect(JSON.parse(firms.stdout).map(({ name }: { name: string }) => name)).toEqual([
      'Fiduciaire Lambot',
      'Kantoor Maes',
    ]);
  });
});
