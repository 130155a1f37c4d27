import type { Statement } from '../../src/coda/statement.js';
import type { MovementDraft } from '../../src/coda/write/statement-draft.js';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import type { PrintedLanguage } from '../../src/texts/printed-texts.js';
import { readPdf, type ShownText } from './read-pdf.js';
import { code, day, free, sampleStatement } from './sample-statement.js';

export const textsOf = (pages: readonly (readonly ShownText[])[]): string[][] =>
  pages.map((page) => page.map(({ text }) => text));

export const printed = async (
  statement: Statement,
  language: PrintedLanguage = 'fr',
): Promise<string[][]> => textsOf(readPdf(await renderStatementPdf(statement, { language })));

/** Returns the lines of each page of a statement with these movements. */
export const pagesOf = async (drafts: readonly MovementDraft[], language?: PrintedLanguage) =>
  printed(await sampleStatement({ movements: drafts, freeCommunications: [] }), language);

/** A transfer order with an empty communication, and these changes. */
export const movement = (changes: Partial<MovementDraft>): MovementDraft => ({
  ...day,
  amount: -10_000n,
  transactionCode: code(0, '01', '01'),
  communication: free(''),
  ...changes,
});

export const counterparty = { account: 'BE54000000000097', currency: 'EUR', name: 'Jan Peeters' };
