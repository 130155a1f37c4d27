import { createHash } from 'node:crypto';
import { newCustomer } from '../../../../test/support/new-customer.js';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestUser,
} from '../../../../test/support/test-service.js';
import { insertCodaFile, insertCodbFile, listedFiles } from '../../../server/test/support/files.js';

export interface ListedFile {
  readonly id: string;
  readonly fileName: string;
  readonly content: string;
}

/** A firm with a user, an API key and a customer. */
export interface Firm {
  readonly service: TestService;
  readonly firmId: string;
  readonly user: TestUser;
  readonly apiKey: string;
  readonly customerId: string;
  /** The variables by which `adx` finds the service. */
  readonly env: Readonly<Record<string, string>>;
  createCustomer(accountingRef?: string): Promise<string>;
  addCoda(file?: AddedFile): Promise<ListedFile>;
  addCodb(file?: AddedFile): Promise<ListedFile>;
  /** Returns the number of files that the user has not acknowledged. */
  countPending(): Promise<number>;
}

interface AddedFile {
  readonly customerId?: string;
  readonly fileName?: string;
  readonly content?: string;
}

let numbers = 0;

export async function startFirm(options: TestServiceOptions = {}): Promise<Firm> {
  return createFirm(await startTestService(options));
}

export async function createFirm(service: TestService): Promise<Firm> {
  const firmId = await service.createFirm(undefined, { codbUpload: true });
  const user = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const client = await service.client(user, apiKey);
  const createCustomer = async (accountingRef = 'K-0042') =>
    (await client.customers.create(newCustomer({ accountingRef }))).id;
  const customerId = await createCustomer();

  const add =
    (insert: typeof insertCodaFile, extension: string) =>
    async (file: AddedFile = {}): Promise<ListedFile> => {
      numbers += 1;
      const { fileName = `statement-${numbers}.${extension}`, content = `content ${numbers}\n` } =
        file;
      const of = file.customerId ?? customerId;
      const statementNumber = numbers;
      const { store, buckets } = service.storage;
      // An agent may look at any moment: it finds the file when its objects are stored.
      const id = await service.knex.transaction(async (trx) => {
        const added = await insert(trx, of, { fileName, content, statementNumber });
        const { object_key, pdf_key } = await listedFiles(trx).where({ id: added }).first();
        await store.put(buckets.files, object_key, Buffer.from(content), 'text/plain');
        await store.put(buckets.files, pdf_key, Buffer.from(`%PDF of ${content}`), 'text/plain');
        return added;
      });
      return { id, fileName, content };
    };

  return {
    service,
    firmId,
    user,
    apiKey,
    customerId,
    env: {
      ADX_URL: service.baseUrl,
      ADX_API_KEY: apiKey,
      ADX_USERNAME: user.username,
      ADX_PASSWORD: user.password,
    },
    createCustomer,
    addCoda: add(insertCodaFile, 'cod'),
    addCodb: add(insertCodbFile as typeof insertCodaFile, 'xml'),
    async countPending() {
      const coda = await client.codaFiles.list();
      const codb = await client.codbFiles.list();
      return (
        coda.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files)).length +
        codb.flatMap(({ payrollProviders }) => payrollProviders.flatMap(({ files }) => files))
          .length
      );
    },
  };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
