import { isErrorFromAlias } from '@zodios/core';
import { createApiClient } from './client.js';
import { errorOf, printResults } from './results.js';

const { ADX_URL, ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;

/**
 * Returns a client that sends these headers, and checks bodies and responses with the generated Zod
 * schemas.
 */
function clientWith(headers: Readonly<Record<string, string>>) {
  // Otherwise an unknown field is removed from the body before it is sent.
  const transform = false;
  return createApiClient(ADX_URL ?? '', { transform, axiosConfig: { headers } });
}

/** Returns the status and the body of a create that fails as the spec says. */
async function failureOf(call: Promise<unknown>) {
  const error = await errorOf(call);
  if (!isErrorFromAlias(api.api, 'createCustomer', error)) throw error;
  return error.response;
}

const apiKey = { 'x-api-key': ADX_API_KEY ?? '' };
const { idToken } = await clientWith(apiKey).getToken({
  username: ADX_USERNAME ?? '',
  password: ADX_PASSWORD ?? '',
});
const api = clientWith({ ...apiKey, authorization: `Bearer ${idToken}` });
const customer: Parameters<typeof api.createCustomer>[0] = JSON.parse(ADX_CUSTOMER ?? '');

const { name } = await api.createCustomer(customer);
const again = await failureOf(api.createCustomer(customer));
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await failureOf(api.createCustomer(misspelt));
const groups = await api.listCodaFiles({});

await printResults({
  created: name,
  again: [again.status, again.data.error],
  unknown: [unknown.status, unknown.data.error, unknown.data.fields],
  groups,
});
