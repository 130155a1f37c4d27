import { expect, test } from 'vitest';
import { joinMessage } from '../../../src/coda/read/join-information.js';
import { fileOf, linesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';

/** Reads a movement with these texts in its records 3.1, and returns its joined texts. */
async function joined(...texts: readonly string[]): Promise<readonly string[] | undefined> {
  const information = texts.map((text) => ({ communication: { kind: 'free', text } as const }));
  const draft = { ...sample, movements: [{ ...transfer, information }], freeCommunications: [] };
  const [result] = await readAll(fileOf(linesOf(draft)));
  const [movement] = result?.statement?.movements ?? [];
  // The records themselves stay as they are.
  expect(movement?.information.map(({ communication }) => communication)).toEqual(
    information.map(({ communication }) => communication),
  );
  return movement?.informationTexts;
}

const debit = 'DOMICILIATION EUROPEENNE MANDAT 7F3A REFERENCE DE COMMUNICATION: 202/';
const filled = debit.padStart(73, '*');
const lineOf = (length: number) => 'ABCDEFGHI '.repeat(8).slice(0, length);

test.each<[string, readonly string[], readonly string[]]>([
  ['a record that is full', [filled, '2-12-13196'], [`${filled}2-12-13196`]],
  ['three full records', [filled, filled, filled, 'end'], [`${filled}${filled}${filled}end`]],
  ['a word that did not fit', [lineOf(69), 'INVOICE 12'], [`${lineOf(69)} INVOICE 12`]],
  ['a word that is one too long', [lineOf(66), 'INVOICE 12'], [`${lineOf(66)} INVOICE 12`]],
  ['a word that just fits', [lineOf(65), 'INVOICE 12'], [lineOf(65), 'INVOICE 12']],
  ['a word that would have fitted', [lineOf(68), 'VAN: X'], [lineOf(68), 'VAN: X']],
  ['short lines', ['VAN: ACME', 'NAAR: JAN', 'more'], ['VAN: ACME', 'NAAR: JAN', 'more']],
  ['three records that are not full', ['x'.repeat(200), 'y'], ['x'.repeat(200), 'y']],
  ['records 3.1 and 3.2 that are full', ['x'.repeat(178), 'y'], [`${'x'.repeat(178)}y`]],
  [
    'lines of 36 characters',
    [lineOf(36), lineOf(72).slice(36), lineOf(35), 'JKL'],
    [`${lineOf(72)}${lineOf(35)} JKL`],
  ],
  [
    'lines of several lengths',
    ['ALPHA BETA GAMMA', 'DELTA', 'EPSILON ZETA ETA', 'THETA'],
    ['ALPHA BETA GAMMA', 'DELTA', 'EPSILON ZETA ETA', 'THETA'],
  ],
  [
    'lines of one length or one less',
    ['ALPHA BETA GAMMA', 'DELTA EPSI ZETA', 'ETA THETA IOTA K', 'APPA'],
    ['ALPHA BETA GAMMADELTA EPSI ZETA ETA THETA IOTA KAPPA'],
  ],
  [
    'a list with numbers of several lengths',
    ['9 ALPHA', '10 BETA', '11 ZETA', '12 ETA'],
    ['9 ALPHA', '10 BETA', '11 ZETA', '12 ETA'],
  ],
  [
    'a list whose lines have one length',
    ['TICKET 0001 10,00', 'TICKET 0002 12,00', 'TICKET 0003 99,00', 'TICKET 0004 17,00'],
    ['TICKET 0001 10,00', 'TICKET 0002 12,00', 'TICKET 0003 99,00', 'TICKET 0004 17,00'],
  ],
  [
    'a list of dates',
    ['01-02-2026 JAN', '02-02-2026 PIT', '03-02-2026 ANN', '04-02-2026 TOM'],
    ['01-02-2026 JAN', '02-02-2026 PIT', '03-02-2026 ANN', '04-02-2026 TOM'],
  ],
  ['two lines of one length', [lineOf(35), lineOf(35), 'JKL'], [lineOf(35), lineOf(35), 'JKL']],
  ['one record', ['alone'], ['alone']],
])('CODA record 3.1, 41-113: the text of %s', async (_, texts, expected) => {
  expect(await joined(...texts)).toEqual(expected);
});

test('CODA record 3.1: a structured text between two free ones keeps them apart', async () => {
  const free = (text: string) => ({ communication: { kind: 'free', text } as const });
  const structured = {
    communication: { kind: 'structured', type: '008', name: 'Jan', identification: '' } as const,
  };
  const information = [free(filled), structured, free('2-12')];
  const draft = { ...sample, movements: [{ ...transfer, information }], freeCommunications: [] };
  const [result] = await readAll(fileOf(linesOf(draft)));
  expect(result?.statement?.movements[0]?.informationTexts).toEqual([filled, '2-12']);
});

test('CODA record 4, 33-112: a line that is full was cut, and others end with a word', () => {
  const full = 'raadpleeg de tarievenlijs'.padStart(80, 'x');
  const message = (...lines: string[]) => joinMessage({ sequence: 1, lines });
  expect(message(full, 't op onze website')).toBe(`${full}t op onze website`);
  expect(message(`${full.slice(0, 79)}`, ' of')).toBe(`${full.slice(0, 79)}  of`);
  expect(message('Maandag gesloten.', 'Tot dinsdag!')).toBe('Maandag gesloten. Tot dinsdag!');
});
