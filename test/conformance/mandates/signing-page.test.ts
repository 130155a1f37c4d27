import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigningLinks } from '../../../packages/server/src/mandates/signing/signing-links.js';
import { eventually } from '../../support/eventually.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { startTestService, type TestService } from '../../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    settings: { TRUST_PROXY: '1', PUBLIC_URL: 'https://adx.example.org' },
  });
});
afterAll(() => service?.close());

/** Returns the link to the signing page for a new customer, whose message has not been sent yet. */
async function createLink() {
  const firmId = await service.createFirm();
  const client = await service.client(await service.createUser({ firmId }));
  const customer = await client.customers.create(
    newCustomer({ bankAccounts: [{ iban: newIban() }] }),
  );
  const { id: requestId } = await service
    .knex('signature_requests')
    .where({ customer_id: customer.id })
    .first('id');
  const links = createSigningLinks(new URL(service.baseUrl).origin, 'secret');
  const link = await links.create(service.knex, { requestId, delivery: 1 });
  return { client, customer, requestId, link };
}

test('signing page: the service records the signer’s address behind the proxy of the settings', async () => {
  const { client, customer, requestId, link } = await createLink();
  const [, shown = ''] = /name="shown" value="(\w+)"/.exec(await (await fetch(link)).text()) ?? [];
  const answer = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': '198.51.100.9, 192.0.2.1', origin: 'https://adx.example.org' },
    body: new URLSearchParams({ answer: 'signed', name: 'An Peeters', consent: 'yes', shown }),
  });
  expect(answer.status).toBe(303);
  const { records } = await client.mandates.search({ customerId: customer.id });
  expect(records.map(({ status }) => status)).toEqual(['waitingForBank']);
  const recorded = service.knex('signature_requests').where({ id: requestId });
  expect(await recorded.first('signer_address as address')).toEqual({ address: '192.0.2.1' });
});

test('D-58 the audit trail has each step of the signer, without name and address', async () => {
  const { customer, requestId, link } = await createLink();
  const [, shown = ''] = /name="shown" value="(\w+)"/.exec(await (await fetch(link)).text()) ?? [];
  const send = (form: Record<string, string>) =>
    fetch(link, {
      ...{ method: 'POST', redirect: 'manual', headers: { origin: 'https://adx.example.org' } },
      body: new URLSearchParams({ ...form, shown }),
    });
  expect((await send({ answer: 'signed' })).status).toBe(422);
  // A second answer changes nothing.
  for (const answer of ['declined', 'signed']) {
    expect((await send({ answer, name: 'An Peeters', consent: 'yes' })).status).toBe(303);
  }
  const entries = await eventually(
    () => service.knex('audit_entries').where({ object_id: requestId }).orderBy('action'),
    (found) => found.length > 1,
  );
  const common = { actor: 'signer', customer_id: customer.id, address: null, operator: null };
  expect(entries).toMatchObject([
    { ...common, action: 'signature request declined', outcome: 'done' },
    { ...common, action: 'signature request opened', request_id: expect.any(String) },
  ]);
});

test('cors: pages of other origins cannot read the signing page', async () => {
  const { link } = await createLink();
  for (const url of [link, link.slice(0, -1)]) {
    const { headers } = await fetch(url, { headers: { origin: 'https://partner.example' } });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});
