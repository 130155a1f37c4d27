import { insertCodaFile, listedFiles } from '../../packages/server/test/support/files.js';
import { newCustomer } from '../support/new-customer.js';
import type { TestService } from '../support/test-service.js';

const content = Buffer.from('0000002032672505        00123456  Één afschrift\r\n');

/**
 * The JSON that a program with a generated client prints, with the results of its calls in their
 * order.
 */
export interface ProgramOutput {
  /** The name of the customer that it created. */
  readonly created: string;
  /** The status and the error code of the same call again. */
  readonly again: readonly [number, string];
  /** The status, the error code and the fields of the same call with an unknown field. */
  readonly unknown: readonly [number, string, readonly string[]];
  /** The text of the only CODA file that it lists, downloaded. */
  readonly downloaded: string;
}

/** A partner with one CODA file to download, and what a program must print for it. */
export interface Partner {
  /** Environment variables of the program. */
  readonly settings: Readonly<Record<string, string>>;
  readonly expected: ProgramOutput;
}

/**
 * Creates a partner of a service, whose new customer has letters that a careless pattern refuses.
 */
export async function newPartner(service: TestService): Promise<Partner> {
  const user = await service.createUser({ firmId: await service.createFirm() });
  const client = await service.client(user);
  const { id: customerId } = await client.customers.create(newCustomer());
  const fileId = await insertCodaFile(service.knex, customerId, { fileName: 'march.cod' });
  const { buckets, store } = service.storage;
  const { object_key: key } = await listedFiles(service.knex)
    .where({ id: fileId })
    .first('object_key');
  await store.put(buckets.files, key, content, 'text/plain');
  const { key: apiKey } = await service.issueApiKey();
  const customer = newCustomer({ name: 'Carrosserie Dupont 🚗' });
  return {
    settings: {
      ADX_URL: service.baseUrl,
      ADX_API_KEY: apiKey,
      ADX_USERNAME: user.username,
      ADX_PASSWORD: Buffer.from(user.password).toString('base64'),
      ADX_CUSTOMER: JSON.stringify(customer),
    },
    expected: {
      created: customer.name,
      again: [409, 'customerExists'],
      unknown: [400, 'unknownField', ['nickname']],
      downloaded: content.toString(),
    },
  };
}
