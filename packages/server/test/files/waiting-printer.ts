import { newIban } from '../../../../test/support/numbers.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { createLinkedCustomer } from '../mandates/linked-customer.js';
import { codaFile } from '../uploads/sample-files.js';
import { type Uploads, withStore } from '../uploads/set-up-uploads.js';

/**
 * Creates a printer that stores a PDF only when the test calls the next function in `waiting`, and
 * fails if the test gives it an error.
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

/**
 * Lists statements of a customer of a firm that are not printed, and returns their ids in order.
 */
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
