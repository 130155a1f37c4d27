import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { isShortPart } from '../../../../test/support/rounds.js';
import { demoAdministrator } from '../../src/demo/firms.js';
import { readSettings, type Settings } from '../../src/settings-file.js';
import { createFirmsOfDemo } from '../firms-of-demo.js';
import {
  type InstalledSandbox,
  installSandbox,
  type RunningSandbox,
} from '../installed-sandbox.js';

// A space, because it has to be quoted in what the sandbox prints for a shell.
const folder = mkdtempSync(join(tmpdir(), 'adx-demo-'));
// The account of PostgreSQL has to enter it.
chmodSync(folder, 0o711);
/** The data folder of the sandbox with demo firms. */
export const dataDir = join(folder, 'sand box');

let installed: InstalledSandbox;
let sandbox: RunningSandbox;
let facts: Record<string, string> = {};
const stopping: (() => Promise<unknown>)[] = [];

/**
 * Installs and starts the sandbox before the tests of this file, and stops it after them. In the
 * short part of the tests, its firms have no customers.
 */
export function shareSandbox(): void {
  beforeAll(async () => {
    installed = await installSandbox();
    await startSandbox(isShortPart ? ['--empty'] : []);
    if (isShortPart) await useFirmsOfDemo();
  });
  afterAll(async () => {
    for (const stop of stopping) await stop();
    installed.remove();
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });
}

/** Creates firms without customers, and uses them as those that a sandbox with the demo prints. */
async function useFirmsOfDemo(): Promise<void> {
  const { demo } = await createFirmsOfDemo(dataDir, await settings());
  const { apiKey, passwords } = demo;
  const passwordInBase64 = Buffer.from(passwords[demoAdministrator] ?? '').toString('base64');
  facts = { ...facts, apiKey, login: demoAdministrator, passwordInBase64 };
}

/**
 * Starts a sandbox on the data folder, which the tests after this one share, until its output
 * matches.
 */
export async function startSandbox(
  options: readonly string[] = [],
  until = /"event":"ready".*\n/,
): Promise<RunningSandbox> {
  const parameters = ['start', ...options, '--data', dataDir, '--port', '0', '--storage-port', '0'];
  sandbox = await installed.start(parameters, until, {}, (stop) => stopping.push(stop));
  const lines = sandbox.printed().split('\n');
  facts = JSON.parse(lines.find((line) => line.includes('"event":"ready"')) ?? expect.fail());
  tokens = undefined;
  return sandbox;
}

/** Returns the sandbox that was started last. */
export const runningSandbox = (): RunningSandbox => sandbox;

/** Returns the facts that it printed when it was ready. */
export const printedFacts = (): Readonly<Record<string, string>> => facts;

/** Runs `adx-sandbox` to its end. */
export const run: InstalledSandbox['run'] = (...parameters) => installed.run(...parameters);

/** Returns the address without `/v1`. */
export const url = (): string => facts['url'] ?? expect.fail();

export const apiKey = (): string => facts['apiKey'] ?? expect.fail();

/** Returns the settings of its service. */
export const settings = async (): Promise<Settings> =>
  (await readSettings(dataDir)) ?? expect.fail('The sandbox is not running');

/** Sends a request with exactly these headers. */
export async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${facts['url']}${path}`, { method, headers }, resolve);
    sent.once('error', reject).end(body);
  });
  return {
    status: response.statusCode ?? 0,
    rawHeaders: response.rawHeaders,
    headers: response.headers,
    body: await text(response),
  };
}

/** Does a scenario by a call over HTTP, and returns its answer. */
export async function scenario<Answer = Record<string, unknown>>(
  name: string,
  body: object,
): Promise<Answer> {
  if (name === 'time') tokens = undefined;
  const headers = { 'Content-Type': 'application/json' };
  const answer = await send('POST', `/sandbox/${name}`, headers, JSON.stringify(body));
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** Signs in, or refreshes a token. */
export async function signIn(refreshToken?: string) {
  const headers = { 'X-Api-Key': apiKey(), 'Content-Type': 'application/json' };
  const { login: username, passwordInBase64: password } = facts;
  const sent = refreshToken === undefined ? { username, password } : { refreshToken };
  const { status, body } = await send('POST', '/v1/token', headers, JSON.stringify(sent));
  return { status, ...(JSON.parse(body) as Tokens & { error?: string }) };
}

/** The tokens of the first call after time has passed: to sign in takes much CPU time. */
let tokens: Tokens | undefined;

export async function freshIdToken(): Promise<string> {
  tokens ??= await signIn();
  return tokens.idToken;
}

/** Calls an operation, by default with a token that is fresh. */
export async function call(method: string, path: string, sent?: object, idToken?: string) {
  const headers = {
    'X-Api-Key': apiKey(),
    Authorization: `Bearer ${idToken ?? (await freshIdToken())}`,
    ...(sent && { 'Content-Type': 'application/json' }),
  };
  const answer = await send(method, `/v1${path}`, headers, sent && JSON.stringify(sent));
  return { status: answer.status, body: JSON.parse(answer.body) };
}
