import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScript } from './run-script.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

const askForSecrets = (dataDir: string) =>
  runScript(
    `import { keptLinkSecret } from ${JSON.stringify(new URL('../../src/mandates/link-secret.ts', import.meta.url).href)};
     const dataDir = process.argv[1];
     const secrets = await Promise.all(Array.from({ length: 5 }, () => keptLinkSecret(dataDir)));
     process.stdout.write(JSON.stringify(secrets));`,
    [dataDir],
  );

test('D-25 the secret of links is made once, also by processes that start together', async () => {
  const dataDir = join(folder, 'not', 'yet');
  const outputs = await Promise.all([1, 2, 3, 4].map(() => askForSecrets(dataDir)));
  const secrets = new Set(outputs.flatMap((output) => JSON.parse(output) as string[]));
  expect(secrets.size).toBe(1);
  const [secret = ''] = secrets;
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(await readdir(dataDir)).toEqual(['link-secret']);
  const path = join(dataDir, 'link-secret');
  expect(await readFile(path, 'utf8')).toBe(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await askForSecrets(dataDir))).toEqual(Array(5).fill(secret));
});

test('D-25 data folders have different secrets', async () => {
  const outputs = await Promise.all(['a', 'b'].map((name) => askForSecrets(join(folder, name))));
  expect(outputs[0]).not.toBe(outputs[1]);
});
