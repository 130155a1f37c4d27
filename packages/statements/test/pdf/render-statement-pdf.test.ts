import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Statement } from '../../src/coda/statement.js';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import { printed } from './printed-pages.js';
import { sampleStatement } from './sample-statement.js';

describe('PDF: statement', () => {
  test('the same statement gives the same bytes', async () => {
    const digest = async (): Promise<string> => {
      const pdf = await renderStatementPdf(await sampleStatement(), { language: 'nl' });
      return createHash('sha256').update(pdf).digest('hex');
    };
    const first = await digest();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await digest()).toBe(first);
  });

  test('a duplicate and a separate application are marked', async () => {
    const statement = await sampleStatement();
    const header = { ...statement.header, duplicate: true, separateApplication: '00501' };
    const [page] = await printed({ ...statement, header }, 'nl');
    expect(page).toContain('DUPLICAAT – Selectie van verrichtingen: de saldi zijn niet vermeld');
  });
});

/** Renders a statement, and returns the most often that `count` grew until other work went on. */
async function mostAtOnce(statement: Statement, count: () => number): Promise<number> {
  let isDone = false;
  const rendering = renderStatementPdf(statement, { language: 'nl' }).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    const before = count();
    await setImmediate();
    most = Math.max(most, count() - before);
  }
  await rendering;
  return most;
}

test('D-38 PDF: the messages of a bank are laid out page by page, so that other work goes on', async () => {
  let laidOut = 0;
  const message = {
    sequence: 1,
    get lines() {
      laidOut += 1;
      return ['A message of the bank'];
    },
  };
  const freeCommunications = Array.from({ length: 2_000 }, () => message);
  const statement = { ...(await sampleStatement()), freeCommunications };
  expect(await mostAtOnce(statement, () => laidOut)).toBeLessThan(200);
  expect(laidOut).toBe(4_000);
});

test('D-38 PDF: so is the information of one movement', async () => {
  const sample = await sampleStatement();
  const [movement = expect.fail()] = sample.movements;
  const [piece = expect.fail()] = sample.movements.flatMap(({ information }) => information);
  let laidOut = 0;
  const counted = {
    ...piece,
    get communication() {
      laidOut += 1;
      return piece.communication;
    },
  };
  const information = Array.from({ length: 2_000 }, () => counted);
  const statement = { ...sample, movements: [{ ...movement, information }] };
  // Each piece is looked at several times, to join texts that were wrapped.
  expect(await mostAtOnce(statement, () => laidOut)).toBeLessThan(500);
  expect(laidOut).toBeGreaterThanOrEqual(10_000);
});
