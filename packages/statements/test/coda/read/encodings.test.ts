import { expect, test } from 'vitest';
import { type CodePage, codePages, decodeCodePage } from '../../../src/code-pages.js';
import { writeCoda } from '../../../src/index.js';
import { codesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);

test('CODA text in iso-8859-15: every byte is decoded as in the Encoding Standard', () => {
  const decoded = new TextDecoder('iso-8859-15').decode(allBytes);
  expect(decodeCodePage('iso-8859-15', allBytes)).toBe(decoded);
});

test('CODA text in windows-1252: ISO-8859-1 except for the bytes 80 to 9F', () => {
  const decoded = decodeCodePage('windows-1252', allBytes);
  expect(decoded.slice(0xa0)).toBe(Buffer.from(allBytes).toString('latin1').slice(0xa0));
  expect(decoded.slice(0x80, 0xa0)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ');
});

test('CODA text in cp850: 128 different characters', () => {
  expect(new Set(codePages.cp850).size).toBe(128);
  expect(decodeCodePage('cp850', Uint8Array.of(0x82, 0x85, 0x8a, 0x87))).toBe('éàèç');
});

/** Sentences as in real files, with characters that distinguish the encodings. */
const sentences: readonly (readonly [encoding: 'utf-8' | CodePage, text: string])[] = [
  ['utf-8', 'Société générale de Liège à Namur'],
  ['utf-8', 'Zürich, façade, 100 €, œuvre – “ok”'],
  ['windows-1252', 'Société générale de Liège à Namur'],
  ['windows-1252', 'l’achat – “façade” … 100 €'],
  ['windows-1252', 'suite…'],
  ['windows-1252', '“Bonjour”'],
  ['iso-8859-15', 'Facture de 100 € à payer'],
  ['iso-8859-15', 'Sœur Marie à Liège'],
  ['cp850', 'Société générale de Liège à Namur'],
  ['cp850', 'paiement à la façade'],
  ['cp850', 'à'],
  ['cp850', 'Où est le maître Müller'],
];

test.each(sentences)('CODA text in %s is detected: %s', async (encoding, sentence) => {
  const communication = { kind: 'free', text: sentence } as const;
  const movements = [{ ...transfer, communication }];
  const [result] = await readAll(writeCoda([{ ...sample, movements }], { encoding }));
  expect(result?.findings).toEqual([]);
  expect(result?.statement?.encoding).toBe(encoding);
  expect(result?.statement?.movements[0]?.communication).toEqual(communication);
});

test('CODA text in UTF-8: a character outside the BMP takes one position', async () => {
  const communication = { kind: 'free', text: 'Thanks \u{1F600} for all' } as const;
  const movements = [{ ...transfer, communication }];
  const [result] = await readAll(writeCoda([{ ...sample, movements }]));
  expect(result?.statement?.movements[0]?.communication).toEqual(communication);
});

test('CODA text in UTF-8: a line of 128 bytes with fewer characters is read byte by byte', async () => {
  const file = writeCoda([{ ...sample, account: { ...sample.account, holder: 'CafX' } }]);
  const at = Buffer.from(file).indexOf('CafX');
  const bytes = Buffer.concat([file.subarray(0, at + 3), Buffer.from('é'), file.subarray(at + 5)]);
  const results = await readAll(bytes);
  expect(codesOf(results)).toEqual([]);
  expect(results[0]?.statement?.account.holder).toBe('CafÃ©');
});
