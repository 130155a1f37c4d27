import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCoda } from '@adx/statements';
import { expect, test } from 'vitest';
import { createOperator, type ListedMandate } from '../../src/operator.js';
import type { RunningSandbox } from '../installed-sandbox.js';
import { pasteIntoShell } from '../paste-into-shell.js';
import { isAlive } from '../postgres-folder.js';
import {
  dataDir,
  printedFacts,
  run,
  runningSandbox,
  settings,
  startSandbox,
} from './scenario-sandbox.js';

/** A mandate as `adx-server mandate show` prints it. */
interface Shown {
  readonly history: readonly { readonly trigger: string }[];
}

const isComplete = /The demo is complete/;
const demoFile = join(dataDir, 'demo.json');
const postgresIsRunning = () => existsSync(join(dataDir, 'postgres/postmaster.pid'));
const firstCall = () => printedFacts()['firstCall'] ?? expect.fail('It prints no call');

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

/** Tests the demo of a new sandbox, and leaves one that was started again. */
export function testWholeDemo(): void {
  test('D-34 sandbox: the demo is complete, works as printed, and continues after an interruption', {
    tags: 'long',
  }, async () => {
    const first = runningSandbox();
    const factsOfFirst = printedFacts();
    await expect.poll(first.printed, { timeout: 300_000 }).toMatch(isComplete);
    const customers: { id: string }[] = JSON.parse(await pasteIntoShell(firstCall()));
    expect(customers).toHaveLength(30);
    await expectDemo(firstCall());

    // Contacts are reminded, renewals are offered, and some mandates are signed without the others.
    const operator = createOperator(await settings());
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

    const users = await run('--data', dataDir, 'user', 'list', '--json');
    expect(JSON.parse(users.stdout)).toHaveLength(5);
    const [archived] = customers;
    await pasteIntoShell(
      firstCall().replace('_URL/customers ', `_URL/customers/${archived?.id} -X DELETE `),
    );
    // A second sandbox on the same folder.
    const again = await run('start', '--data', dataDir, '--port', '0', '--storage-port', '0');
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stderr).toMatch(/^error: Another sandbox is using .*: stop it, or choose another/);
    first.closeOutput();
    expect(await first.stop('SIGINT')).toBe(0);
    expect(postgresIsRunning()).toBe(false);
    expect(await run('--data', dataDir, 'user', 'list')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`No sandbox is running on ${dataDir}`),
    });

    const state = JSON.parse(readFileSync(demoFile, 'utf8'));
    // The state of a sandbox that was killed just before its demo was complete.
    writeFileSync(demoFile, JSON.stringify({ ...state, isComplete: false }));
    await startSandbox([], isComplete);
    for (const fact of ['apiKey', 'login', 'password']) {
      expect(printedFacts()[fact]).toBe(factsOfFirst[fact]);
    }
    expect(JSON.parse(await pasteIntoShell(firstCall()))).toHaveLength(29);
    expect(statSync(demoFile).mode & 0o777).toBe(0o600);
  });
}

/** Tests the ends of a sandbox that nobody has asked for. No sandbox is left. */
export function testEnds(): void {
  test('D-34 sandbox: a kill takes its processes along, its folder can be used again, and it ends if its service dies', {
    tags: 'long',
  }, async () => {
    const killed = runningSandbox();
    const children = childrenOf(killed);
    expect(children.map(isAlive)).toEqual([true, true]);
    await killed.stop('SIGKILL');
    await expect.poll(() => children.map(isAlive)).toEqual([false, false]);
    // The state of a sandbox that was killed while it created the demo's firms.
    const state = JSON.parse(readFileSync(demoFile, 'utf8'));
    writeFileSync(demoFile, JSON.stringify({ ...state, isCreated: false }));
    expect(
      await run('start', '--data', dataDir, '--port', '0', '--storage-port', '0'),
    ).toMatchObject({
      exitCode: 1,
      stderr: `error: The demo in ${dataDir} was interrupted while it was created: delete the folder, or choose another with --data\n`,
    });
    const last = await startSandbox(['--empty']);
    const [service = expect.fail()] = childrenOf(last);
    process.kill(service, 'SIGKILL');
    expect(await last.ended).toBe(1);
    const log = join(dataDir, 'service.log');
    expect(last.errors()).toBe(`error: adx-server serve has ended (SIGKILL): see ${log}\n`);
    expect(printedFacts()).toMatchObject({ log });
    expect(postgresIsRunning()).toBe(false);
  });
}
