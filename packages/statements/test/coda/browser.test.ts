import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { type ByteSource, type CodaResult, toJsonValue, writeCoda } from '../../src/index.js';
import { readAll } from './coda-file.js';
import { sample } from './sample-statement.js';

/** The reader as a browser runs it, without anything of Node. */
interface InBrowser {
  readonly coda: { readCoda(source: ByteSource): AsyncIterable<CodaResult> };
  readonly Uint8Array: typeof Uint8Array;
}

let script: string;
let browser: InBrowser;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/coda.ts', import.meta.url))],
    ...{ bundle: true, minify: true, platform: 'browser', target: 'es2022', write: false },
    ...{ format: 'iife', globalName: 'coda' },
  });
  script = outputFiles[0]?.text ?? '';
  const context = createContext({ TextDecoder });
  browser = runInContext(`${script}\n({ coda, Uint8Array })`, context) as InBrowser;
});

test('D-46 reading CODA in a browser takes at most 40 kB, compressed', () => {
  expect(gzipSync(script).length).toBeLessThan(40_000);
});

const accented = { ...sample, account: { ...sample.account, holder: 'Société Zoé à 5' } };

test.each([
  ['ASCII', writeCoda([{ ...sample, movements: [] }])],
  ['UTF-8', writeCoda([sample, accented])],
  [
    'UTF-8 with characters of two units',
    writeCoda([{ ...sample, account: { ...sample.account, holder: '😀 & co' } }]),
  ],
  ['windows-1252', writeCoda([accented], { encoding: 'windows-1252' })],
  ['cp850', writeCoda([accented], { encoding: 'cp850' })],
  ['UTF-16', Buffer.from(Buffer.from(writeCoda([sample])).toString(), 'utf16le')],
])('D-46 a browser reads a file in %s as Node does', async (_, bytes) => {
  const own = browser.Uint8Array.from(bytes);
  const expected = await readAll(bytes);
  const chunks = function* () {
    for (let from = 0; from < own.length; from += 1000) yield own.subarray(from, from + 1000);
  };
  for (const source of [own, chunks()]) {
    const results: CodaResult[] = [];
    for await (const result of browser.coda.readCoda(source)) results.push(result);
    const plain = (all: readonly CodaResult[]) =>
      all.map(({ statement, findings }) => JSON.stringify(toJsonValue({ statement, findings })));
    expect(plain(results)).toEqual(plain(expected));
  }
});
