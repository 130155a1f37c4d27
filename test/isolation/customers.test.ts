import type { CreateCustomerRequest, Customer } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import type { OperationCall } from '../support/call-operation.js';
import { newCustomer } from '../support/new-customer.js';
import { absentId, newIban } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { snapshot } from '../support/snapshot.js';
import { type ComparableAnswer, callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms();

const create = (
  viewer: string,
  changes: Partial<CreateCustomerRequest>,
): Promise<ComparableAnswer> =>
  callAs(firms, viewerOf(firms, viewer).idToken, 'createCustomer', { body: newCustomer(changes) });

/** Returns the errors of attempts, and asserts that they stored nothing. */
async function createRefused(viewer: string, attempts: readonly Partial<CreateCustomerRequest>[]) {
  const before = await snapshot(firms.service);
  const answers: ComparableAnswer[] = [];
  for (const attempt of attempts) answers.push(await create(viewer, attempt));
  expect(await snapshot(firms.service)).toEqual(before);
  return answers;
}

const errorOf = ({ body }: ComparableAnswer): string => JSON.parse(body).error;
const ibansOf = ({ bankAccounts }: Customer) => bankAccounts.map(({ iban }) => ({ iban }));

describe.each(oneIn(3, viewerNames))('D-16 create customer by %s', (viewer) => {
  it('covers the operations that register customers', () => {
    expect(casesOf('create').map(({ operationId }) => operationId)).toEqual(['createCustomer']);
  });

  it('an enterprise number of another firm is refused without any information about that firm', async () => {
    const { assigned, unassigned, confidential } = firms.other;
    const answers = await createRefused(viewer, [
      ...[assigned, unassigned, confidential].map(({ enterpriseNumber }) => ({ enterpriseNumber })),
      { enterpriseNumber: assigned.enterpriseNumber, bankAccounts: ibansOf(assigned) },
      { enterpriseNumber: assigned.enterpriseNumber, bankAccounts: ibansOf(firms.own.unassigned) },
      { enterpriseNumber: assigned.enterpriseNumber, bankAccounts: [{ iban: newIban() }] },
    ]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(403);
    expect(answers.map(errorOf)).toEqual(answers.map(() => 'belongsToAnotherTenant'));
  });

  it('every customer of the own firm is refused with the same customerExists', async () => {
    const { assigned, unassigned, confidential } = firms.own;
    const answers = await createRefused(
      viewer,
      [assigned, unassigned, confidential].map(({ enterpriseNumber }) => ({ enterpriseNumber })),
    );
    expect(answers.map(errorOf)).toEqual(answers.map(() => 'customerExists'));
    // The answers differ only in the identifiers of customers that the user sees.
    const shown = answers.flatMap(({ body }) => JSON.parse(body).customerId ?? []);
    expect(shown).toEqual(viewerOf(firms, viewer).visible.map(({ id }) => id));
    const anonymous = answers.map(({ body, ...answer }) => {
      const { 'content-length': _, ...headers } = answer.headers;
      return { ...answer, headers, body: body.replace(/,"customerId":"\w+"/, '') };
    });
    for (const answer of anonymous) expect(answer).toEqual(anonymous[0]);
  });

  it('an IBAN in use is refused without information about its owner', async () => {
    const customers = [
      firms.own.assigned,
      firms.own.confidential,
      ...Object.values(firms.other).slice(0, 3),
    ];
    const answers = await createRefused(
      viewer,
      customers.map((customer) => ({ bankAccounts: [{ iban: newIban() }, ...ibansOf(customer)] })),
    );
    // The answers differ only in the IBAN that was sent.
    const anonymous = answers.map((answer) => ({
      ...answer,
      body: answer.body.replace(/BE\d{14}/g, 'BE'),
    }));
    for (const answer of anonymous)
      expect({ ...answer, headers: {} }).toEqual({ ...anonymous[0], headers: {} });
    expect(answers.map(errorOf)).toEqual(answers.map(() => 'ibanInUse'));
  });

  it('an enterprise number and an IBAN that another firm has archived are free', async () => {
    const client = await firms.service.client(
      await firms.service.createUser({ firmId: firms.firmIds.other }),
    );
    const gone = await client.customers.create(
      newCustomer({ bankAccounts: [{ iban: newIban() }] }),
    );
    await client.customers.archive(gone.id);
    const { enterpriseNumber } = gone;
    const answer = await create(viewer, { enterpriseNumber, bankAccounts: ibansOf(gone) });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain(gone.id);
  });

  it('a new customer is assigned to its creator who sees only assigned customers, and to no other user', async () => {
    const { id } = JSON.parse((await create(viewer, {})).body);
    for (const name of viewerNames) {
      const sees = name === viewer || !name.endsWith('assigned customers');
      const { idToken } = viewerOf(firms, name);
      const answer = await callAs(firms, idToken, 'getCustomer', { path: { customerId: id } });
      expect([name, answer.status]).toEqual([name, sees ? 200 : 404]);
    }
    const path = { customerId: id };
    const elsewhere = await callAs(firms, firms.otherAdministrator, 'getCustomer', { path });
    expect(elsewhere.status).toBe(404);
  });
});

describe('D-16 add bank account', () => {
  it('an IBAN in use is refused without information about its owner', async () => {
    const before = await snapshot(firms.service);
    const { idToken } = viewerOf(firms, 'a user of assigned customers');
    const customers = [
      firms.own.unassigned,
      firms.own.confidential,
      firms.other.assigned,
      firms.other.confidential,
    ];
    const answers = [];
    for (const iban of customers.flatMap(ibansOf).map((account) => account.iban)) {
      const path = { customerId: firms.own.assigned.id, iban };
      const { status, body } = await callAs(firms, idToken, 'addBankAccount', { path });
      answers.push({ status, body: body.replace(/BE\d{14}/g, 'BE') });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 409 });
    expect(await snapshot(firms.service)).toEqual(before);
  });
});

const nothing = absentId();

const everyViewer = casesOf('customer').flatMap((each) =>
  viewerNames.map((viewer) => ({ ...each, viewer })),
);

describe('§5 rule 3: a customer that is not visible, its mandates and its files', () => {
  it.each(oneIn(5, everyViewer))(
    '$operationId for $viewer answers as if it did not exist',
    async (each) => {
      const { operationId, parameter, calls, viewer } = each;
      const { idToken, hidden } = viewerOf(firms, viewer);
      const before = await snapshot(firms.service);
      // Calls that differ only in the identifier have the same expected answer.
      const expected = new Map<string, Promise<ComparableAnswer>>();
      const answerOfNothing = (call: OperationCall) => {
        const absent = { ...call, path: { ...call.path, [parameter]: nothing } };
        const key = JSON.stringify(absent);
        const answer = expected.get(key) ?? callAs(firms, idToken, operationId, absent);
        expected.set(key, answer);
        return answer;
      };
      for (const [name, customer] of Object.entries(hidden)) {
        for (const call of calls(customer)) {
          const aimed = await callAs(firms, idToken, operationId, call);
          expect([name, call, aimed]).toEqual([name, call, await answerOfNothing(call)]);
          expect([400, 404]).toContain(aimed.status);
        }
      }
      expect(await snapshot(firms.service)).toEqual(before);
    },
  );

  it.each(oneIn(4, casesOf('customer')))(
    '$operationId: some calls succeed for a visible customer',
    async (each) => {
      // Otherwise the cases above could pass for the wrong reason.
      const { operationId, parameter, calls } = each;
      const { idToken, visible } = viewerOf(firms, 'an administrator');
      // The calls for the first customer remove the account and provider of its mandates.
      const customer = visible[parameter === 'customerId' ? 0 : 1];
      if (customer === undefined) throw new Error('The administrator sees no customer');
      if (operationId === 'archiveCustomer') return;
      const statuses = await Promise.all(
        calls(customer).map(
          async (call) => (await callAs(firms, idToken, operationId, call)).status,
        ),
      );
      expect(statuses).toContain(200);
    },
  );
});
