import { ApiError, type CreateCustomerRequest, client, type ErrorBody } from './client.js';
import { errorOf, printResults } from './results.js';

const { ADX_URL, ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;
const customer: CreateCustomerRequest = JSON.parse(ADX_CUSTOMER ?? '');

async function failureOf(call: Promise<unknown>): Promise<{ status: number; body: ErrorBody }> {
  const error = await errorOf(call);
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, body: error.body as ErrorBody };
}

client.configure({ serverUrl: ADX_URL ?? '' });
client.auth.apiKey('apiKey', ADX_API_KEY ?? '');
const { idToken } = await client.getToken({
  body: { username: ADX_USERNAME ?? '', password: ADX_PASSWORD ?? '' },
});
client.auth.bearer(idToken);

const { name } = await client.createCustomer({ body: customer });
const again = await failureOf(client.createCustomer({ body: customer }));
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await failureOf(client.createCustomer({ body: misspelt }));
const groups = await client.listCodaFiles({ body: {} });

await printResults({
  created: name,
  again: [again.status, again.body.error],
  unknown: [unknown.status, unknown.body.error, unknown.body.fields],
  groups,
});
