import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCoda } from '@adx/statements';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { type RunningDemo, startDemo } from '../../src/demo/start-demo.js';
import { pasteIntoShell } from '../operator/paste-into-shell.js';

const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
// The account of the embedded database has to enter it.
chmodSync(dataDir, 0o711);
const settings = { PORT: '0', STORAGE_PORT: '0', ADX_DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
/** Fewer than those of the demo: every statement is read, listed and rendered. */
const days = 21;
let demo: RunningDemo;
beforeAll(async () => {
  demo = await startDemo(loadConfig(settings), { days });
});
afterAll(async () => {
  await demo.close();
  rmSync(dataDir, { recursive: true });
});

/** The printed first call, for something else than customers. */
const ask = async (path: string, body: object) => {
  const call = (/API_KEY=.*?\n\n/s.exec(demo.banner)?.[0] ?? '').replace(
    '/v1/customers ',
    `/v1/${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}' `,
  );
  return JSON.parse(await pasteIntoShell(call));
};
const searchMandates = (body: object) => ask('mandates', body);

/** The printed calls, as pasted one after the other; what the last one prints. */
const listFirstFiles = async () => {
  const [first = '', last = ''] = demo.banner
    .slice(demo.banner.indexOf('API_KEY='))
    .split(/\n\n.*:\n\n/);
  return JSON.parse(await pasteIntoShell(`${first.replace(/\ncurl .*$/, '')}\n${last}`));
};

type Groups = { name: string; ibans: { iban: string; files: { urls: { coda: string } }[] }[] }[];

test('demo: never writes to a storage of your own', async () => {
  const own = loadConfig({
    ...{ S3_REGION: 'eu-west-1', STS_ROLE_ARN: 'arn:aws:iam::000000000000:role/uploads' },
    ...{ S3_BUCKET_FILES: 'files', S3_BUCKET_CODA_UPLOADS: 'coda', S3_BUCKET_CODB_UPLOADS: 'codb' },
  });
  await expect(startDemo(own)).rejects.toThrow('unset S3_…');
});

describe('demo: a fresh start', () => {
  test('demo: says that mandates move by themselves, and where the mail is', () => {
    expect(demo.banner).toContain('Mandates move by themselves');
    expect(demo.banner).toContain(`Mail       ${join(dataDir, 'mail')}\n`);
  });

  test('demo: mails the contacts who are asked to sign, and nobody who has answered', async () => {
    const folder = join(dataDir, 'mail');
    const mails = () => (existsSync(folder) ? readdirSync(folder) : []);
    await vi.waitUntil(() => mails().length >= 3, { timeout: 240_000 });
    const { recordsFiltered } = await searchMandates({ status: 'waitingForSigner' });
    expect(recordsFiltered).toBeGreaterThan(0);
    expect(mails().length).toBeLessThan(15);
  });

  test('§4.17 statements of its customers arrive through uploads; the printed call lists them with URLs', async () => {
    let groups: Groups = [];
    const filesOf = () => groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
    await vi.waitUntil(
      async () => {
        groups = await listFirstFiles();
        // Three weeks have more than 8 banking days.
        return filesOf().length > 8;
      },
      { timeout: 400_000, interval: 500 },
    );
    expect(groups.map(({ name }) => name)).toEqual(['Bakkerij De Zilveren Halm']);
    const response = await fetch(filesOf()[0]?.urls.coda ?? expect.fail());
    expect(response.headers.get('content-disposition')).toContain('.cod');
    const read = [];
    for await (const result of readCoda(new Uint8Array(await response.arrayBuffer()))) {
      read.push(result);
    }
    expect(read).toHaveLength(1);
    // Of a statement that was cut out of an upload the trailer says so.
    const codes = read.flatMap(({ findings }) => findings.map(({ code }) => code));
    expect(codes.filter((code) => code !== 'trailerNotLast')).toEqual([]);
    expect(read[0]?.statement?.account.iban).toBe(groups[0]?.ibans[0]?.iban);
  });

  test('§4.18 so do payroll files', async () => {
    await vi.waitUntil(async () => (await ask('codb-files', {})).length > 3, {
      timeout: 400_000,
      interval: 500,
    });
  });

  test('§4.15 who polls with updatedSince sees mandates change', async () => {
    const updatedSince = new Date().toISOString();
    await vi.waitUntil(
      async () =>
        (await searchMandates({ updatedSince, includeFinished: true })).recordsFiltered > 0,
      { timeout: 400_000, interval: 500 },
    );
  });
});
