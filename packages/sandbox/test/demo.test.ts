import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCoda } from '@adx/statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator, type ListedMandate } from '../src/operator.js';
import { readSettings } from '../src/settings-file.js';
import { type InstalledSandbox, installSandbox, type RunningSandbox } from './installed-sandbox.js';
import { pasteIntoShell } from './paste-into-shell.js';
import { isAlive, newFolder } from './postgres-folder.js';

let installed: InstalledSandbox;
beforeAll(async () => {
  installed = await installSandbox();
});
afterAll(() => installed.remove());

const freePorts = ['--port', '0', '--storage-port', '0'];
const ready = /"event":"ready".*\n/;

/** A mandate as `adx-server mandate show` prints it. */
interface Shown {
  readonly history: readonly { readonly trigger: string }[];
}

/** Returns the facts that a sandbox prints when it is ready. */
function factsIn(printed: string): Record<string, string> {
  const lines = printed.split('\n').filter((line) => line.includes('"event":"ready"'));
  return JSON.parse(lines[0] ?? expect.fail(printed));
}
const firstCall = (printed: string) => factsIn(printed)['firstCall'] ?? expect.fail(printed);

/** Sends a POST request of the demo's administrator, as a variant of the printed call. */
async function ask(call: string, path: string, body: object) {
  const json = `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return JSON.parse(await pasteIntoShell(call.replace('_URL/customers ', `_URL/${path} ${json} `)));
}

/** Returns the processes that a sandbox has started: the service and the worker. */
function childrenOf({ pid }: RunningSandbox): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  return processes.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

/** Expects mandates in every status, and statements that can be downloaded. */
async function expectDemo(call: string): Promise<void> {
  const { records } = await ask(call, 'mandates', { limit: 100, includeFinished: true });
  const statuses = new Set(records.map(({ status }: { status: string }) => status));
  expect([...statuses].sort()).toEqual([
    ...['confirmedByBank', 'created', 'error', 'expired', 'finished', 'rejectedByBank'],
    ...['rejectedByPayrollProvider', 'rejectedBySigner', 'renewalRequired', 'unsupportedBank'],
    ...['unsupportedPayrollProvider', 'waitingForBank', 'waitingForPayrollProvider'],
    'waitingForSigner',
  ]);
  const groups: { ibans: { iban: string; files: { urls: { coda: string } }[] }[] }[] = await ask(
    call,
    'coda-files',
    {},
  );
  const [account] = groups.flatMap(({ ibans }) => ibans);
  const response = await fetch(account?.files[0]?.urls.coda ?? expect.fail());
  const statements = [];
  for await (const read of readCoda(new Uint8Array(await response.arrayBuffer()))) {
    statements.push(read);
  }
  expect(statements[0]?.statement?.account.iban).toBe(account?.iban);
  const today = new Date().toISOString().slice(0, 10);
  const newest = statements[0]?.statement?.newBalance?.date ?? expect.fail();
  expect(newest < today, `${newest} is not in the future`).toBe(true);
  expect((await ask(call, 'codb-files', {})).length).toBeGreaterThan(3);
}

// One test, because the demo takes long to set up.
test('D-34 sandbox: the demo is complete, works as printed, and continues after a restart, an interruption and a kill; it ends if its service dies', async () => {
  const dataDir = join(newFolder(), 'sand box');
  const data = ['--data', dataDir];
  const first = await installed.start(['start', ...data, ...freePorts], /The demo is complete/);
  const call = firstCall(first.printed());
  const customers: { id: string }[] = JSON.parse(await pasteIntoShell(call));
  expect(customers).toHaveLength(30);
  await expectDemo(call);

  // Contacts are reminded, renewals are offered, and some mandates are signed without the others.
  const operator = createOperator((await readSettings(dataDir)) ?? expect.fail());
  const listed = await operator.run<ListedMandate[]>(['mandate', 'list']);
  const triggersOf = async (name: string) => {
    const triggers: string[] = [];
    for (const { id, customerName } of listed) {
      if (customerName !== name) continue;
      const { history } = await operator.run<Shown>(['mandate', 'show', id]);
      triggers.push(...history.map(({ trigger }) => trigger));
    }
    return triggers;
  };
  for (const [name, triggers] of [
    ['Webatelier Pixelkroon', ['reminded']],
    ['Cabinet dentaire Sourirelles', ['renewalOffered']],
    ['Elektro Vonkelaar', ['signed', 'declined']],
  ] as const) {
    expect(await triggersOf(name)).toEqual(expect.arrayContaining([...triggers]));
  }

  const users = await installed.run(...data, 'user', 'list', '--json');
  expect(JSON.parse(users.stdout)).toHaveLength(5);
  const [archived] = customers;
  await pasteIntoShell(
    call.replace('_URL/customers ', `_URL/customers/${archived?.id} -X DELETE `),
  );
  // A second sandbox on the same folder.
  const again = await installed.run('start', ...data, ...freePorts);
  expect(again).toMatchObject({ exitCode: 1 });
  expect(again.stderr).toMatch(/^error: Another sandbox is using .*: stop it, or choose another/);
  first.closeOutput();
  expect(await first.stop('SIGINT')).toBe(0);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  expect(await installed.run(...data, 'user', 'list')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`No sandbox is running on ${dataDir}`),
  });

  const demoFile = join(dataDir, 'demo.json');
  const state = JSON.parse(readFileSync(demoFile, 'utf8'));
  // The state of a sandbox that was killed just before its demo was complete.
  writeFileSync(demoFile, JSON.stringify({ ...state, isComplete: false }));
  const second = await installed.start(['start', ...data, ...freePorts], /The demo is complete/);
  for (const fact of ['apiKey', 'login', 'password']) {
    expect(factsIn(second.printed())[fact]).toBe(factsIn(first.printed())[fact]);
  }
  const kept = await pasteIntoShell(firstCall(second.printed()));
  expect(JSON.parse(kept)).toHaveLength(29);
  expect(statSync(demoFile).mode & 0o777).toBe(0o600);

  const children = childrenOf(second);
  expect(children.map(isAlive)).toEqual([true, true]);
  await second.stop('SIGKILL');
  await expect.poll(() => children.map(isAlive)).toEqual([false, false]);
  // The state of a sandbox that was killed while it created the demo's firms.
  writeFileSync(demoFile, JSON.stringify({ ...state, isCreated: false }));
  const unfinished = await installed.run('start', ...data, ...freePorts);
  expect(unfinished).toMatchObject({
    exitCode: 1,
    stderr: `error: The demo in ${dataDir} was interrupted while it was created: delete the folder, or choose another with --data\n`,
  });
  const third = await installed.start(['start', '--empty', ...data, ...freePorts], ready);
  const [service = expect.fail()] = childrenOf(third);
  process.kill(service, 'SIGKILL');
  expect(await third.ended).toBe(1);
  const log = join(dataDir, 'service.log');
  expect(third.errors()).toBe(`error: adx-server serve has ended (SIGKILL): see ${log}\n`);
  expect(factsIn(third.printed())).toMatchObject({ log });
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
});
