import type { MissingStatements } from '@adx/contract';
import { type StatementDraft, writeCoda } from '@adx/statements';
import { listMissingOf } from '../../src/continuity/missing-store.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import type { Uploads } from '../uploads/set-up-uploads.js';

/** Returns a statement with the balances of its day: each statement takes 10.00. */
export function draft(
  iban: string,
  day: number,
  changes: Partial<StatementDraft> = {},
): StatementDraft {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  return {
    header: { creationDate: date, bic: 'GKCCBEBB' },
    account: { structure: 2, number: iban, currency: 'EUR' },
    statementNumber: day + 100,
    oldBalance: { amount: 9_000_000n - 10_000n * BigInt(day), date },
    newBalance: { date },
    movements: [
      {
        ...{ amount: -10_000n, entryDate: date },
        transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
      },
    ],
    ...changes,
  };
}

/** A statement with the number and balances of one day and the date of another. */
export const datedAs = (iban: string, day: number, date: string) =>
  draft(iban, day, {
    ...{ header: { creationDate: date, bic: 'GKCCBEBB' }, newBalance: { date } },
    oldBalance: { amount: 9_000_000n - 10_000n * BigInt(day), date },
  });

export function followChains(work: Uploads) {
  async function list(customerId: string, now = work.now()): Promise<MissingStatements[]> {
    const paging = { limit: 50, offset: 0 };
    const page = await listMissingOf(work.knex, work.principal, { customerId }, paging, now);
    if (page.recordsFiltered !== page.records.length) throw new Error('There are further records.');
    return page.records;
  }

  /** Uploads statements and returns the findings. */
  async function bring(drafts: readonly StatementDraft[]) {
    const key = await work.upload('CODA', `${newObjectId()}.cod`, writeCoda(drafts));
    await work.readAll();
    const { findings = [] } =
      (await work.uploads()).find(({ object_key }) => object_key === key) ?? {};
    return findings;
  }

  return { list, bring };
}
