// @module-tag long
import { execFile as execute } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import {
  acknowledgedFiles,
  insertCodaFile,
  insertCodbFile,
  listedFiles,
} from '../../packages/server/test/support/files.js';
import { newCustomer } from '../support/new-customer.js';
import { rounds } from '../support/rounds.js';
import { repository } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';

const kills = rounds({ short: 2, proof: 100 });
test(`D-50 the nightly program of the README loses no file and saves none twice when it is killed ${kills} times`, async () => {
  // Otherwise no kill has interrupted the work.
  expect(await killNightlySync(kills)).toBeGreaterThan(kills === 100 ? 20 : 0);
});

const filesOfEach = 60;

const execFile = promisify(execute);
const killer = fileURLToPath(new URL('support/kill-after-changes.mjs', import.meta.url));

/** Returns how many runs were killed after the first and before the last file. */
async function killNightlySync(kills: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-nightly-'));
  const service = await startTestService();
  try {
    const contents = await storeFiles(service);
    const program = join(folder, 'nightly.mjs');
    await bundleProgram(program);
    const environment = await environmentOf(service);
    const statements = join(folder, 'statements');
    await mkdir(statements);
    const places = new Map<string, number>();
    let amid = 0;
    for (let run = 0; run <= kills; run += 1) {
      const before = places.size;
      // Each file takes more than two changes, so that the program is killed before its end.
      const changes = 1 + Math.floor(Math.random() * 2 * (contents.size - before));
      await runProgram(folder, program, environment, run < kills ? changes : undefined);
      await checkFolder(statements, contents, places);
      await checkAcknowledged(service, places);
      if (places.size > before && places.size < contents.size) amid += 1;
      // If only a few files are left, almost every kill comes before the first of them is saved.
      const left = contents.size - places.size;
      if (run < kills && left < 10) await storeFiles(service, contents);
    }
    expect([...places.keys()].sort()).toEqual([...contents.keys()].sort());
    expect(await unacknowledged(service)).toEqual([]);
    return amid;
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

let firm: { user: Awaited<ReturnType<TestService['createUser']>>; customerId: string };

/** Stores files of both products, and returns the contents of all files by name. */
async function storeFiles(service: TestService, contents = new Map<string, string>()) {
  const { knex, storage } = service;
  if (contents.size === 0) {
    const user = await service.createUser({ firmId: await service.createFirm() });
    const client = await service.client(user);
    firm = { user, customerId: (await client.customers.create(newCustomer())).id };
  }
  for (let index = 0; index < filesOfEach; index += 1) {
    const ids = [
      await insertCodaFile(knex, firm.customerId, { statementNumber: index }),
      await insertCodbFile(knex, firm.customerId, { statementNumber: index }),
    ];
    for (const { id, file_name, object_key } of await listedFiles(knex).whereIn('id', ids)) {
      const content = `content of ${id}\r\n`.repeat(40);
      contents.set(file_name, content);
      const { store, buckets } = storage;
      await store.put(buckets.files, object_key, Buffer.from(content), 'text/plain');
    }
  }
  return contents;
}

async function bundleProgram(outfile: string): Promise<void> {
  const readme = await readFile(join(repository, 'packages/client/README.md'), 'utf8');
  const program = /```typescript\n(.*?)```/s.exec(readme)?.[1] ?? '';
  expect(program.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  await build({
    stdin: { contents: program, loader: 'ts', resolveDir: join(repository, 'test') },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', conditions: ['adx-source'] },
  });
}

async function environmentOf(service: TestService): Promise<NodeJS.ProcessEnv> {
  const { key } = await service.issueApiKey();
  const { username, password } = firm.user;
  const settings = { ADX_URL: service.baseUrl, ADX_API_KEY: key };
  return { ...process.env, ...settings, ADX_USERNAME: username, ADX_PASSWORD: password };
}

/** Runs the program, and kills it after this number of changes in the folder. */
async function runProgram(
  cwd: string,
  program: string,
  env: NodeJS.ProcessEnv,
  changes?: number,
): Promise<void> {
  const parameters = [program, join(cwd, 'statements'), String(changes ?? 0)];
  const { stdout } = await execFile(process.execPath, [killer, ...parameters], { cwd, env });
  expect(stdout).toBe(changes === undefined ? '0' : 'SIGKILL');
}

/** Checks that each file is complete, and is the one that was there after the run before. */
async function checkFolder(
  folder: string,
  contents: ReadonlyMap<string, string>,
  places: Map<string, number>,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !/^\..*\.part$/.test(name));
  for (const name of names) {
    expect(await readFile(join(folder, name), 'utf8')).toBe(contents.get(name));
    const { ino } = await stat(join(folder, name));
    expect(places.get(name) ?? ino).toBe(ino);
    places.set(name, ino);
  }
  expect(names).toHaveLength(places.size);
}

async function checkAcknowledged({ knex }: TestService, places: ReadonlyMap<string, number>) {
  const names: string[] = await acknowledgedFiles(knex).pluck('file_name');
  expect(names.filter((name) => !places.has(name))).toEqual([]);
}

async function unacknowledged({ knex }: TestService): Promise<string[]> {
  return knex('files').whereNotIn('id', acknowledgedFiles(knex).select('id')).pluck('file_name');
}
