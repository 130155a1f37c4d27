import { setConfig } from './client/.kubb/fetch.js';
import {
  createCustomer,
  createCustomer200Schema,
  createCustomer400Schema,
  createCustomer409Schema,
  createCustomerMutationRequestSchema,
  getToken,
  getToken200Schema,
  listCodaFiles,
  listCodaFiles200Schema,
} from './client/index.js';

const { ADX_URL, ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;
const customer = createCustomerMutationRequestSchema.parse(JSON.parse(ADX_CUSTOMER ?? ''));

const baseURL = ADX_URL ?? '';
const headers = { 'x-api-key': ADX_API_KEY ?? '', 'content-type': 'application/json' };
setConfig({ baseURL, headers });
const signedIn = await getToken({ username: ADX_USERNAME ?? '', password: ADX_PASSWORD ?? '' });
const { idToken } = getToken200Schema.parse(signedIn.data);
setConfig({ baseURL, headers: { ...headers, authorization: `Bearer ${idToken}` } });

const created = await createCustomer(customer);
const again = await createCustomer(customer);
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await createCustomer(misspelt);
const refusal = createCustomer400Schema.parse(unknown.data);
const groups = listCodaFiles200Schema.parse((await listCodaFiles({})).data);
const files = groups.flatMap(({ ibans }) => ibans.flatMap((iban) => iban.files));
const file = await fetch(files[0]?.urls.coda ?? '');

process.stdout.write(
  JSON.stringify({
    created: createCustomer200Schema.parse(created.data).name,
    again: [again.status, createCustomer409Schema.parse(again.data).error],
    unknown: [unknown.status, refusal.error, refusal.fields],
    downloaded: await file.text(),
  }),
);
