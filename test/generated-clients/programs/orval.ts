import { type CreateCustomerRequest, createCustomer, getToken, listCodaFiles } from './client.js';
import { CreateCustomerBody, CreateCustomerResponse, ListCodaFilesResponse } from './schemas.js';

const { ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;
const customer: CreateCustomerRequest = JSON.parse(ADX_CUSTOMER ?? '');
CreateCustomerBody.parse(customer);

function fail(response: unknown): never {
  throw new Error(JSON.stringify(response));
}

const headers = { 'x-api-key': ADX_API_KEY ?? '', authorization: '' };
const signedIn = await getToken(
  { username: ADX_USERNAME ?? '', password: ADX_PASSWORD ?? '' },
  { headers },
);
if (signedIn.status !== 200) fail(signedIn);
headers.authorization = `Bearer ${signedIn.data.idToken}`;

const created = await createCustomer(customer, { headers });
if (created.status !== 200) fail(created);
const again = await createCustomer(customer, { headers });
if (again.status !== 409) fail(again);
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await createCustomer(misspelt, { headers });
if (unknown.status !== 400) fail(unknown);
const listed = await listCodaFiles({}, { headers });
if (listed.status !== 200) fail(listed);
const groups = ListCodaFilesResponse.parse(listed.data);
const files = groups.flatMap(({ ibans }) => ibans.flatMap((iban) => iban.files));
const file = await fetch(files[0]?.urls.coda ?? '');

process.stdout.write(
  JSON.stringify({
    created: CreateCustomerResponse.parse(created.data).name,
    again: [again.status, again.data.error],
    unknown: [unknown.status, unknown.data.error, unknown.data.fields],
    downloaded: await file.text(),
  }),
);
