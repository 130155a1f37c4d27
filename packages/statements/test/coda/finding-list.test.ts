import { expect, test } from 'vitest';
import { FindingList } from '../../src/coda/finding-list.js';
import { type CodaFindingCode, codaFindings } from '../../src/index.js';

const codesOf = (severity: 'error' | 'warning') =>
  (Object.keys(codaFindings) as CodaFindingCode[]).filter(
    (code) => codaFindings[code].severity === severity,
  );
const repeated = 'statementRepeated';
const errors = codesOf('error');
const warnings = codesOf('warning').filter((code) => code !== repeated);

/** Returns a list with this many findings of a severity, ten of each code, at records from 1 on. */
function listOf(codes: readonly CodaFindingCode[], count: number): FindingList {
  const findings = new FindingList();
  for (let i = 0; i < count; i += 1) {
    findings.add(codes[Math.floor(i / 10)] ?? expect.fail(), i + 1);
  }
  return findings;
}

test('CODA findings: they are listed in file order, by record and position', () => {
  const findings = new FindingList();
  findings.add('digits', 3, 40, 'x');
  findings.add('date', 2, 59);
  findings.add('sign', 3, 5);
  findings.add('recordType', 3);
  findings.add('linkCode', 1, 128, '0');
  expect(findings.toArray()).toEqual([
    { ...codaOf('linkCode', '0'), record: 1, position: 128 },
    { ...codaOf('date'), record: 2, position: 59 },
    { ...codaOf('recordType'), record: 3 },
    { ...codaOf('sign'), record: 3, position: 5 },
    { ...codaOf('digits', 'x'), record: 3, position: 40 },
  ]);
});

function codaOf(code: CodaFindingCode, seen?: string) {
  const { severity, text } = codaFindings[code];
  return seen === undefined
    ? { severity, code, message: text }
    : { severity, code, message: `${text}: ${seen}`, found: seen };
}

test('CODA findings: a list is refused once it has an error, listed or not', () => {
  const findings = listOf(warnings, 100);
  expect(findings.refused).toBe(false);
  findings.add(errors[0] ?? expect.fail(), 1);
  expect(findings.refused).toBe(true);
});

test('CODA findings: ten of a code are listed, and the others counted', () => {
  const findings = new FindingList();
  for (let record = 1; record <= 12; record += 1) findings.add('sign', record, 32);
  expect(findings.toArray().map(({ record }) => record)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(findings.omitted).toBe(2);
});

test('CODA findings: a hundred are listed, and further warnings are counted', () => {
  const findings = listOf(warnings, 100);
  expect([findings.toArray().length, findings.omitted]).toEqual([100, 0]);
  findings.add(warnings[10] ?? expect.fail(), 1);
  expect([findings.toArray().length, findings.omitted]).toEqual([100, 1]);
  expect(findings.toArray().map(({ code }) => code)).not.toContain(warnings[10]);
});

test('CODA findings: an error replaces the last warning, which is counted', () => {
  const findings = listOf(warnings, 100);
  findings.add(errors[0] ?? expect.fail(), 101);
  findings.add(errors[0] ?? expect.fail(), 102);
  const listed = findings.toArray();
  expect([listed.length, findings.omitted]).toEqual([100, 2]);
  // The warnings of records 99 and 100 were replaced.
  expect(listed.slice(-3).map(({ record }) => record)).toEqual([98, 101, 102]);
});

test('CODA findings: a statement that is there twice replaces the last warning too', () => {
  const findings = listOf(warnings, 100);
  findings.add(repeated, 2);
  expect(findings.toArray().map(({ code }) => code)).toContain(repeated);
  expect(findings.omitted).toBe(1);
});

test('CODA findings: after a hundred errors, further errors are counted', () => {
  const findings = listOf(errors, 100);
  findings.add(errors[10] ?? expect.fail(), 101);
  expect([findings.toArray().length, findings.omitted]).toEqual([100, 1]);
  expect(findings.toArray().at(-1)?.record).toBe(100);
});
