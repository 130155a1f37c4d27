import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigningUrls } from '../../../packages/server/src/mandates/signing/signing-urls.js';
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
async function createLink(accounts = 1) {
  const firmId = await service.createFirm();
  const client = await service.client(await service.createUser({ firmId }));
  const customer = await client.customers.create(
    newCustomer({ bankAccounts: Array.from({ length: accounts }, () => ({ iban: newIban() })) }),
  );
  const { id: requestId } = await service
    .knex('signature_requests')
    .where({ customer_id: customer.id })
    .first('id');
  const signingUrls = createSigningUrls(new URL(service.baseUrl).origin, 'secret');
  const link = await signingUrls.create(service.knex, { requestId, firmId, delivery: 1 });
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

/** Returns a form as its browser sends it, if nothing is filled in or ticked. */
function untouchedForms(page: string): string[] {
  const { document } = parseHTML(page);
  return [...document.querySelectorAll('form')].flatMap((form) => {
    const fields = [
      ...form.querySelectorAll('input'),
      ...(form.id ? document.querySelectorAll(`input[form=${form.id}]`) : []),
    ].filter((field) => field.getAttribute('type') !== 'checkbox' || field.hasAttribute('checked'));
    return [undefined, ...form.querySelectorAll('button')].map((button) => {
      const sent = [...fields, ...(button ? [button] : [])].map((each) => [
        each.getAttribute('name') ?? '',
        each.getAttribute('value') ?? '',
      ]);
      return new URLSearchParams(sent).toString();
    });
  });
}

/**
 * Follows all links and sends all forms of a page, as some programs that scan mail do, three times
 * over.
 */
async function scan(link: string): Promise<number[]> {
  const statuses: number[] = [];
  const known = new Set<string>();
  async function visit(url: string, body: string | undefined, depth: number): Promise<void> {
    if (depth > 3 || known.has(`${url} ${body}`)) return;
    known.add(`${url} ${body}`);
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(url, {
      method,
      body: body === undefined ? null : new URLSearchParams(body),
      headers: { purpose: 'prefetch' },
    });
    statuses.push(response.status);
    const page = await response.text();
    const { document } = parseHTML(page);
    for (const each of document.querySelectorAll('a')) {
      const target = new URL(each.getAttribute('href') ?? '', url);
      if (target.origin === new URL(link).origin) await visit(target.href, undefined, depth + 1);
    }
    for (const form of untouchedForms(page)) await visit(url, form, depth + 1);
  }
  await fetch(link, { method: 'HEAD' });
  await visit(link, undefined, 0);
  return statuses;
}

test.each([1, 3])(
  'D-25 a scanner that follows every link and presses every button neither answers for %i mandates nor counts as the signer',
  async (accounts) => {
    const { client, customer, requestId, link } = await createLink(accounts);
    const state = () =>
      Promise.all([
        client.mandates.search({ customerId: customer.id }),
        service.knex('signature_requests').where({ id: requestId }),
        service.knex('mandate_history').orderBy('id'),
      ]);
    const before = await state();
    const statuses = await scan(link);
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
    expect(statuses.length).toBeGreaterThan(15);
    expect(await state()).toEqual(before);
    const fetched = await eventually(
      () => service.knex('audit_entries').where({ object_id: requestId }),
      (found) => found.length === statuses.filter((status) => status === 200).length,
    );
    for (const entry of fetched) {
      expect(entry).toMatchObject({ actor: 'visitor', action: 'signature request page fetched' });
    }
    // A person ticks the box and presses the button.
    const page = await (await fetch(link)).text();
    const form = untouchedForms(page).find((each) => each.includes('declined'));
    const box = parseHTML(page).document.querySelector('#refuse');
    const ticked = `${box?.getAttribute('name')}=${box?.getAttribute('value')}`;
    const body = new URLSearchParams(`${form}&${ticked}`);
    const answer = await fetch(link, { method: 'POST', redirect: 'manual', body });
    expect(answer.status).toBe(303);
    const { records } = await client.mandates.search({ customerId: customer.id });
    expect(records.map(({ status }) => status)).toEqual(Array(accounts).fill('rejectedBySigner'));
  },
);

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
  const common = { customer_id: customer.id, address: null, operator: null, outcome: 'done' };
  expect(entries).toMatchObject([
    { ...common, actor: 'signer', action: 'signature request declined' },
    {
      ...{ ...common, actor: 'visitor', action: 'signature request page fetched' },
      request_id: expect.any(String),
    },
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
