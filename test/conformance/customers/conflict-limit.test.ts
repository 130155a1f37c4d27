import { expect, test } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

// On a busy machine, a burst takes longer than a call waits for its turn (D-39).
const signedIn = useSignedInService({ turnWaitMs: 120_000 });

/** Makes a call without the client, which would validate 300 responses. Returns its error. */
async function post(path: string, body?: object): Promise<unknown> {
  const { apiKey, idToken, service } = signedIn;
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()).error;
}

test('D-23 after 300 conflicts in an hour the changes of a firm that may conflict are refused', {
  tags: 'long',
}, async () => {
  const { client, firmId, service } = signedIn;
  const other = await signedIn.anotherFirm();
  const iban = newIban();
  const { enterpriseNumber } = await other.customers.create(
    newCustomer({ bankAccounts: [{ iban }] }),
  );
  const own = await client.customers.create(newCustomer());
  // A conflict with a customer that the user sees tells nothing, and does not count.
  const known = newIban();
  await client.customers.create(newCustomer({ bankAccounts: [{ iban: known }] }));
  const repeated = Array.from({ length: 301 }, () =>
    post(`/customers/${own.id}/bank-accounts/${known}`),
  );
  expect(new Set(await Promise.all(repeated))).toEqual(new Set(['ibanInUse']));
  const burst = Array.from({ length: 160 }, () => [
    post(`/customers/${own.id}/bank-accounts/${iban}`),
    post('/customers/create', newCustomer({ enterpriseNumber })),
  ]);
  const codes = await Promise.all(burst.flat());
  expect(new Set(codes)).toEqual(
    new Set(['ibanInUse', 'belongsToAnotherTenant', 'tooManyRequests']),
  );
  const conflicts = codes.filter((code) => code !== 'tooManyRequests');
  // Four calls run at once, so three may be running when another reaches the limit.
  expect([300, 301, 302, 303]).toContain(conflicts.length);

  const refusal = { status: 429, code: 'tooManyRequests', retryAfter: expect.any(Number) };
  // It holds for another user of the firm, with another API key, too.
  const colleague = await service.client(await service.createUser({ firmId }));
  for (const { customers } of [client, colleague]) {
    await expect(customers.create(newCustomer())).rejects.toMatchObject(refusal);
    await expect(customers.addBankAccount(own.id, newIban())).rejects.toMatchObject(refusal);
  }
  expect((await client.customers.get(own.id)).bankAccounts).toEqual([]);
  await client.customers.addPayrollProvider(own.id, 'ucm');
  await other.customers.create(newCustomer());
});
