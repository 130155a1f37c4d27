import { client } from './client/client.gen.js';
import {
  type CreateCustomerRequest,
  createCustomer,
  getToken,
  listCodaFiles,
} from './client/index.js';

const { ADX_URL, ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;
const customer: CreateCustomerRequest = JSON.parse(ADX_CUSTOMER ?? '');

let idToken = '';
client.setConfig({
  baseUrl: ADX_URL ?? '',
  auth: ({ scheme }) => (scheme === 'bearer' ? idToken : ADX_API_KEY),
});
const { data: tokens } = await getToken({
  body: { username: ADX_USERNAME ?? '', password: ADX_PASSWORD ?? '' },
  throwOnError: true,
});
idToken = tokens.idToken;

// These calls check the body and the response with the generated Zod schemas.
const { data: created } = await createCustomer({ body: customer, throwOnError: true });
const again = await createCustomer({ body: customer });
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await createCustomer({ body: misspelt });
const { data: groups } = await listCodaFiles({ body: {}, throwOnError: true });
const files = groups.flatMap(({ ibans }) => ibans.flatMap((iban) => iban.files));
const file = await fetch(files[0]?.urls.coda ?? '');

process.stdout.write(
  JSON.stringify({
    created: created.name,
    again: [again.response?.status, again.error?.error],
    unknown: [unknown.response?.status, unknown.error?.error, unknown.error?.fields],
    downloaded: await file.text(),
  }),
);
