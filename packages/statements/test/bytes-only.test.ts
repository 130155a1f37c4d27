import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { looksLikeCoda, readCoda, readCodb, writeCoda } from '../src/index.js';
import { readAll } from './coda/coda-file.js';
import { sample } from './coda/sample-statement.js';

const file = writeCoda([sample]);

test.each([
  ['a string', Buffer.from(file).toString(), /^readCoda takes bytes .* got string; read the file/],
  ['nothing', undefined, /got undefined$/],
  ['null', null, /got null$/],
  ['a number', 7, /got number$/],
])('CODA: %s in place of bytes is a TypeError', (_, source, message) => {
  const call = () => readCoda(source as unknown as Uint8Array);
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});

test('CODA: a stream of text is a TypeError', async () => {
  const source = Readable.from(['0000', '1']) as unknown as AsyncIterable<Uint8Array>;
  await expect(readAll(source)).rejects.toThrow(/^readCoda takes bytes .* got string/);
});

test('CODA and CODB: so is text given to the other functions', () => {
  const text = '<SocialDocument/>' as unknown as Uint8Array;
  expect(() => readCodb(text)).toThrow(/^readCodb takes bytes .* got string/);
  expect(() => looksLikeCoda(text)).toThrow(TypeError);
});
