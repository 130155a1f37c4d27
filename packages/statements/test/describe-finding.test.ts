import { describe, expect, test } from 'vitest';
import {
  type CodaFindingCode,
  type CodbFindingCode,
  codaFindings,
  codbFindings,
  describeCodaFinding,
  describeCodbFinding,
  type FindingLanguage,
} from '../src/index.js';

const languages: readonly FindingLanguage[] = ['en', 'fr', 'nl', 'de'];

test.each([
  ['en', 'The debit total in the trailer is wrong: 1.000 instead of 2.000'],
  ['fr', 'Le total des débits dans l’enregistrement de fin est faux\u00A0: 1.000 au lieu de 2.000'],
  ['nl', 'Het debettotaal in het slotrecord is fout: 1.000 in plaats van 2.000'],
  ['de', 'Die Sollsumme im Schlusssatz ist falsch: 1.000 statt 2.000'],
] as const)('CODA findings in %s say what was found and expected', (language, text) => {
  const values = { found: '1.000', expected: '2.000' };
  expect(describeCodaFinding({ code: 'trailerDebitTotal', ...values }, language)).toBe(text);
});

test.each([
  ['en', 'The element is missing or empty: Social/SeqNumber'],
  ['fr', 'L’élément manque ou est vide\u00A0: Social/SeqNumber'],
  ['nl', 'Het element ontbreekt of is leeg: Social/SeqNumber'],
  ['de', 'Das Element fehlt oder ist leer: Social/SeqNumber'],
] as const)('CODB findings in %s name the element', (language, text) => {
  const finding = { code: 'missingElement', field: 'Social/SeqNumber' } as const;
  expect(describeCodbFinding(finding, language)).toBe(text);
});

test.each([
  ['en', { found: '', expected: '05' }, ': blank instead of 05'],
  ['fr', { found: ' ', expected: '05' }, '\u00A0: vide au lieu de 05'],
  ['nl', { found: 'x', expected: '' }, ': x in plaats van leeg'],
  ['de', { found: '' }, ': leer'],
  ['en', { expected: '2' }, ': expected 2'],
  ['fr', { expected: '2' }, '\u00A0: attendu 2'],
  ['nl', { expected: '2' }, ': verwacht 2'],
  ['de', { expected: '2' }, ': erwartet 2'],
  ['de', {}, ''],
  ['en', { field: 'date', found: '310226' }, ': date, 310226'],
] as const)('findings in %s with the values %j end with “%s”', (language, values, end) => {
  const plain = describeCodaFinding({ code: 'headerConstant' }, language);
  expect(describeCodaFinding({ code: 'headerConstant', ...values }, language)).toBe(plain + end);
});

describe('findings of every code and language', () => {
  const coda = (Object.keys(codaFindings) as CodaFindingCode[]).map((code) =>
    languages.map((language) => describeCodaFinding({ code }, language)),
  );
  const codb = (Object.keys(codbFindings) as CodbFindingCode[]).map((code) =>
    languages.map((language) => describeCodbFinding({ code }, language)),
  );

  test('have texts of their own, without a full stop', () => {
    for (const texts of [...coda, ...codb]) {
      for (const text of texts) expect(text).toMatch(/^[A-ZÉ].{10,}[^. ]$/);
      expect(new Set(texts).size, texts[0]).toBe(languages.length);
    }
    for (const format of [coda, codb]) {
      expect(new Set(format.flat()).size).toBe(format.length * languages.length);
    }
  });
});
