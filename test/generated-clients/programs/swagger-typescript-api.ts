import { Api, type CreateCustomerRequest, type ErrorBody, type HttpResponse } from './client.js';

const { ADX_URL, ADX_API_KEY, ADX_USERNAME, ADX_PASSWORD, ADX_CUSTOMER } = process.env;
const customer: CreateCustomerRequest = JSON.parse(ADX_CUSTOMER ?? '');

/** Returns the response of a call that fails: the client throws it. */
async function failureOf(call: Promise<unknown>): Promise<HttpResponse<unknown, ErrorBody>> {
  const response = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(response instanceof Response)) throw response;
  return response as HttpResponse<unknown, ErrorBody>;
}

const api = new Api<string>({
  baseUrl: ADX_URL ?? '',
  securityWorker: (idToken) => ({
    headers: {
      'x-api-key': ADX_API_KEY ?? '',
      ...(idToken !== null && { authorization: `Bearer ${idToken}` }),
    },
  }),
});
const { data: tokens } = await api.token.getToken({
  username: ADX_USERNAME ?? '',
  password: ADX_PASSWORD ?? '',
});
api.setSecurityData(tokens.idToken);

const { data: created } = await api.customers.createCustomer(customer);
const again = await failureOf(api.customers.createCustomer(customer));
const misspelt = { ...customer, nickname: 'Dupont' };
const unknown = await failureOf(api.customers.createCustomer(misspelt));
const { data: groups } = await api.codaFiles.listCodaFiles({});
const files = groups.flatMap(({ ibans }) => ibans.flatMap((iban) => iban.files));
const file = await fetch(files[0]?.urls.coda ?? '');

process.stdout.write(
  JSON.stringify({
    created: created.name,
    again: [again.status, again.error.error],
    unknown: [unknown.status, unknown.error.error, unknown.error.fields],
    downloaded: await file.text(),
  }),
);
