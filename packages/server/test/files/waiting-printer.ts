import { writeCoda } from '@adx/statements';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { createLinkedCustomer } from '../mandates/linked-customer.js';
import { newIban } from '../support/belgian-iban.js';
import { codaFile } from '../uploads/sample-files.js';
import { type Uploads, withStore } from '../uploads/set-up-uploads.js';

/**
 * Creates a printer that stores a PDF only when the test calls the next function in `waiting`, and fails if the
 * test gives it an error.
 */
export function createWaitingPrinter(work: Uploads) {
  const waiting: ((failure?: Error) => void)[] = [];
  const slow = withStore(work, {
    async put(...parameters) {
      const failure = await new Promise<Error | undefined>((resolve) => waiting.push(resolve));
      if (failure !== undefined) throw failure;
      return work.storage.store.put(...parameters);
    },
  });
  return { printer: createFilePrinter({ ...slow, logger: createLogger('silent') }), waiting };
}

/** Lists statements of a customer of a firm that are not printed, and returns their ids in order. */
export async function listStatements(
  work: Uploads,
  count: number,
  firm = work.principal,
): Promise<string[]> {
  const iban = newIban();
  await work.setStatus(await createLinkedCustomer(work.knex, firm, { ibans: [iban] }), 'finished');
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await work.deliver(codaFile(...numbers.map((number) => ({ iban, number }))));
  return work.knex('files').where({ iban }).orderBy('id').pluck('id');
}

/** Replaces the object of a file by a statement of 2,500 movements, which is printed alone. */
export async function makeLarge({ knex, storage }: Uploads, id: string): Promise<void> {
  const { object_key: key } = await knex('files').where({ id }).first('object_key');
  const date = '2026-02-03';
  const statement = writeCoda([
    {
      header: { creationDate: date, bic: 'GKCCBEBB' },
      account: { structure: 2, number: newIban(), currency: 'EUR', holder: 'ACME NV' },
      statementNumber: 1,
      oldBalance: { amount: 0n, date },
      newBalance: { date },
      movements: Array.from({ length: 2_500 }, () => ({
        ...{ amount: 12_500n, valueDate: date, entryDate: date },
        transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
        communication: { kind: 'free', text: 'Invoice 2026/31' },
      })),
    },
  ]);
  await storage.store.put(storage.buckets.files, key, statement, 'text/plain');
}
