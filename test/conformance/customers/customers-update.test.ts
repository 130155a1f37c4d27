import type { Customer, UpdateCustomerRequest } from '@adx/contract';
import { follow, type SpecSchema, spec } from '@adx/contract/spec';
import { beforeEach, expect, test } from 'vitest';
import { everyField } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { useSignedInService } from '../../support/use-service.js';

const signedIn = useSignedInService();
let customer: Customer;
beforeEach(async () => {
  const links = { bankAccounts: [{ iban: newIban() }], payrollProviders: [{ code: 'ucm' }] };
  customer = await signedIn.client.customers.create(everyField(links));
});

const update = (changes: UpdateCustomerRequest) =>
  signedIn.client.customers.update(customer.id, changes);
const get = () => signedIn.client.customers.get(customer.id);

/** Each field that partners write: its name, that of its part if it is an object, its schema. */
const written = Object.entries(propertiesOf('UpdateCustomerRequest')).flatMap(
  ([name, reference]): (readonly [name: string, part: string, schema: SpecSchema])[] => {
    const schema = follow(reference);
    const parts = Object.entries(schema.properties ?? { '': schema });
    return parts.map(([part, each]) => [name, part, follow(each)]);
  },
);

test.each(written)(
  '§4.7, D-14 update: %s %s is changed and found, and all other fields stay the same',
  async (name, part, schema) => {
    const value = otherValue(schema);
    const { updatedOn, ...updated } = await update(changeOf(name, part, value));
    expect({ ...updated, updatedOn: customer.updatedOn }).toEqual(withChange(name, part, value));
    expect(Date.parse(updatedOn)).toBeGreaterThan(Date.parse(customer.updatedOn));
    if (part !== '' || !(name in propertiesOf('SearchCustomersRequest'))) return;
    const { records } = await signedIn.client.customers.search({ [name]: value });
    expect(records).toEqual([await get()]);
  },
);

const changeOf = (name: string, part: string, value: unknown): UpdateCustomerRequest => ({
  [name]: part ? { [part]: value } : value,
});

/** Returns the customer as it was created, with another value of a field. */
function withChange(name: string, part: string, value: unknown): Customer {
  const change = part ? { ...Object(Reflect.get(customer, name)), [part]: value } : value;
  return { ...customer, [name]: change };
}

function propertiesOf(name: string): Readonly<Record<string, SpecSchema>> {
  return spec.components.schemas[name]?.properties ?? {};
}

/** Returns a value that differs from the example, and from that of `newCustomer`. */
function otherValue({ enum: values, format, examples }: SpecSchema): unknown {
  if (values !== undefined) return values.at(-1);
  return format === 'email' ? 'other@klant.example' : `${(examples as string[])[0]} 2`;
}

/** True if a customer may lack the field. */
function isOptional([name, part]: (typeof written)[number]): boolean {
  const customer = spec.components.schemas['Customer'] ?? {};
  const shown = part ? follow(propertiesOf('Customer')[name] ?? {}) : customer;
  return !(shown.required ?? []).includes(part || name);
}

test.each(written.filter(isOptional))(
  '§4.7, D-14 update: an empty text clears %s %s, which is then omitted',
  async (name, part) => {
    const { updatedOn } = await update(changeOf(name, part, ''));
    expect(updatedOn).not.toBe(customer.updatedOn);
    const cleared = { ...withChange(name, part, undefined), updatedOn };
    expect(await get()).toStrictEqual(JSON.parse(JSON.stringify(cleared)));
  },
);

test.each([
  ...written.filter((field) => !isOptional(field)).map(([name, part]) => [name, part, ''] as const),
  ['name', '', '  '] as const,
])('§2.1, D-14 update: %s %s cannot be emptied by %j', async (name, part, value) => {
  const path = part ? `${name}.${part}` : name;
  await expect(update(changeOf(name, part, value))).rejects.toMatchObject({
    status: 400,
    code: 'validationFailed',
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  });
  expect(await get()).toEqual(customer);
});

test.each([
  ['an empty body', {}],
  ['an empty address and contact', { address: {}, contact: {} }],
])('D-14 update: %s changes nothing, updatedOn included', async (_, changes) => {
  expect(await update(changes)).toEqual(customer);
  expect(await get()).toEqual(customer);
});

test('D-14 update: a body without a field to change only reads, which a key without customers:read may not', async () => {
  const { key } = await signedIn.service.issueApiKey(['customers:write']);
  const path = { customerId: customer.id };
  const send = (body: object) => signedIn.call('updateCustomer', { path, body, apiKey: key });
  for (const body of [{}, { address: {} }, { contact: {} }, { address: {}, contact: {} }]) {
    const refused = { status: 403, body: { error: 'insufficientScope' } };
    expect(await send(body)).toMatchObject(refused);
    expect(await send({ ...body, name: 'Gewijzigd' })).toMatchObject({ status: 200 });
  }
});

test('§4.4, §4.7 update: search finds the new name and not the old one', async () => {
  const { customers } = signedIn.client;
  const [before, after] = ['Oude Naam Tweehonderd', 'Nieuwe Naam Tweehonderd'];
  await update({ name: before });
  await update({ name: after, accountingRef: 'ZOEK-200' });
  expect((await customers.search({ search: before })).recordsFiltered).toBe(0);
  expect((await customers.search({ search: after })).recordsFiltered).toBe(1);
  expect((await customers.search({ search: 'zoek-200' })).recordsFiltered).toBe(1);
});
