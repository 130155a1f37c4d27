import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCatalogue } from '@adx/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { programPath } from '../../packages/server/test/support/program-path.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { isShortPart } from '../support/rounds.js';
import { useDeployment } from './support/deployment.js';

const deployment = useDeployment();
const mailFolder = mkdtempSync(join(tmpdir(), 'adx-mail-'));
const coverageFolder = mkdtempSync(join(tmpdir(), 'adx-coverage-'));
afterAll(async () => {
  for (const folder of [mailFolder, coverageFolder]) rmSync(folder, { recursive: true });
});

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [
    secret,
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(base64).toString('base64'),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    // The start of a long secret must not appear either.
    secret.slice(0, 24),
  ];
}

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly version?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly code?: string;
}

describe('operations: the log', () => {
  it('is one JSON object per line with the request id, without secrets and personal data', async () => {
    const process = await deployment.start({
      ...{ LOG_LEVEL: 'trace', JOBS_CONCURRENCY: '2' },
      ...{ SMTP_URL: '', MAIL_FOLDER: mailFolder },
      ...(!isShortPart && { NODE_V8_COVERAGE: coverageFolder }),
    });
    const { idToken, refreshToken } = await deployment.signIn(process);
    const { call, password, username, apiKey } = deployment;
    const requestIds: string[] = [];
    /** The `error` of each answer that has one, by the id of its request. */
    const errors = new Map<string, string>();
    const send = async (path: string, init: Parameters<typeof call>[2] = {}) => {
      const response = await call(process, path, { idToken, ...init });
      const requestId = response.headers.get('x-request-id') ?? 'none';
      requestIds.push(requestId);
      const body: unknown = await response.clone().json();
      if (body instanceof Object && 'error' in body) errors.set(requestId, String(body.error));
      return response;
    };
    const encoded = Buffer.from(password).toString('base64');
    const wrongPassword = 'Fout-Wachtwoord-Van-Els';
    const wrongKey = `adx_live_${'Q'.repeat(43)}`;
    const wrongToken = `${idToken.slice(0, -20)}${'Q'.repeat(20)}`;
    const iban = newIban();
    const customer = newCustomer({ name: 'Onvindbare Naam', bankAccounts: [{ iban }] });

    const token = (body: unknown) => send('/token', { method: 'POST', body });
    await token({ username, password: encoded });
    await token({ refreshToken });
    await token({ username, password });
    await token({ username, password: Buffer.from(wrongPassword).toString('base64') });
    await token({ username, password: encoded, extra: password });
    await token({ refreshToken: `${refreshToken}x` });
    await token({ username: [password], password: encoded });
    await send('/hello-world', { apiKey: wrongKey });
    await send('/hello-world', { idToken: wrongToken });
    await send(`/hello-world?x-api-key=${apiKey}&password=${password}`);
    await send(`/customers/${refreshToken}`);
    await send('/customers/create', { method: 'POST', body: customer });
    await send('/customers/create', { method: 'POST', body: customer });
    await send('/customers/create', { method: 'POST', body: { [password]: refreshToken } });
    await send('/customers', { method: 'POST', body: { search: customer.name, iban } });
    await send('/mandates', { method: 'POST', body: {} });
    await failInside(send, [customer.name, iban]);
    await eventually(async () => process.output().includes('mail written'));
    process.kill('SIGTERM');
    await process.exited;

    const lines = process
      .output()
      .split('\n')
      .filter((line) => line !== '');
    const entries = lines.map((line) => JSON.parse(line) as LogLine);
    expect(entries.find(({ version }) => version !== undefined)?.msg).toMatch(/listens on/);
    const logged = new Map(
      entries
        .filter(({ status, code }) => status !== undefined && code !== undefined)
        .map(({ requestId, code }) => [requestId, code]),
    );
    expect(errors.size).toBeGreaterThan(10);
    for (const [requestId, error] of errors) {
      const isOurs = Object.hasOwn(errorCatalogue, error);
      expect(logged.get(requestId), error).toBe(isOurs ? error : 'signInRefused');
    }
    // Status 500 by §7, but no failure of the service.
    const refused = entries.filter(({ code }) => code === 'signInRefused');
    expect(refused.map(({ level, status }) => [level, status])).toContainEqual(['info', 500]);
    for (const { time } of entries) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(entries.map(({ requestId }) => requestId)).toEqual(expect.arrayContaining(requestIds));
    for (const requestId of requestIds) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);

    const secrets = {
      password,
      wrongPassword,
      apiKey,
      wrongKey,
      idToken,
      wrongToken,
      refreshToken,
    };
    const { email, name } = customer.contact;
    const personal = { username, customer: customer.name, iban, email, name };
    for (const [what, secret] of Object.entries({ ...secrets, ...personal })) {
      for (const form of formsOf(secret)) {
        expect(process.output().includes(form), `${what} is logged as ${form}`).toBe(false);
      }
    }
  });

  it('D-55 a process without the variables of OpenTelemetry loads no part of its SDK', {
    tags: 'long',
  }, () => {
    // Node lists the parts that it has loaded. A bundle is split where an import is dynamic.
    const [report = ''] = readdirSync(coverageFolder);
    const { result } = JSON.parse(readFileSync(join(coverageFolder, report), 'utf8'));
    const loaded = new Set<string>(result.map(({ url }: { url: string }) => url));
    const bundle = pathToFileURL(dirname(programPath('adx-server')));
    const withSdk = readdirSync(bundle)
      .filter((name) => name.endsWith('.js'))
      .map((name) => `${bundle.href}/${name}`)
      .filter((url) => readFileSync(new URL(url), 'utf8').includes('BatchSpanProcessor'));
    expect([...loaded].some((url) => url.startsWith(bundle.href))).toBe(true);
    expect(withSdk).not.toEqual([]);
    expect(withSdk.filter((url) => loaded.has(url))).toEqual([]);
  });

  /** Makes calls that fail: a view is missing for a moment, then a row is refused. */
  async function failInside(
    send: (path: string, init?: object) => Promise<Response>,
    [name, iban]: [string, string],
  ): Promise<void> {
    const { knex } = deployment;
    await knex.raw('alter view banks_by_code rename to away');
    const body = newCustomer({ name, bankAccounts: [{ iban: newIban() }] });
    const failed = [
      await send('/customers/create', { method: 'POST', body }),
      await send('/customers', { method: 'POST', body: { search: name, iban } }),
    ];
    await knex.raw('alter view away rename to banks_by_code');
    // PostgreSQL repeats the whole row in the detail of this error.
    await knex.raw(`alter table customers add constraint never check (false) not valid`);
    failed.push(await send('/customers/create', { method: 'POST', body }));
    await knex.raw('alter table customers drop constraint never');
    for (const response of failed) {
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        error: 'internalError',
        message: 'Something went wrong on our side.',
        requestId: response.headers.get('x-request-id'),
      });
    }
  }
});
