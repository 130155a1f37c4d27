import { expect, test } from 'vitest';
import {
  createSigningUrls,
  type RequestMail,
} from '../../packages/server/src/mandates/signing/signing-urls.js';
import {
  declined,
  hiddenFields,
} from '../../packages/server/test/mandates/signing/page/signing-service.js';
import { citusUrl } from '../../packages/server/test/support/citus-databases.js';
import { recordCalls, statementsOfSeveralNodes } from '../operations/support/explained-calls.js';
import { printResult } from '../proofs/print-result.js';
import type { FuzzTarget } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { useFuzzTarget } from '../support/use-service.js';
import { bodySchema, wellFormedBody } from '../support/well-formed.js';
import { isChange, operationsInOrder } from '../support/working-calls.js';

const target = useFuzzTarget({ settings: { LOG_LEVEL: 'error' } });

/** Returns bodies of an operation: none, the shortest, that with all fields, and of filters. */
function bodiesOf(operationId: (typeof operationsInOrder)[number]): (string | null)[] {
  if (bodySchema(operationId) === undefined) return [null];
  const { customerId = '', iban = '', fileId = '' } = target.parameters;
  const known = { customerId, iban, fileIds: [fileId] };
  const bodies: object[] = [
    {},
    wellFormedBody(operationId, 'required'),
    { ...wellFormedBody(operationId, 'every'), ...known },
    ...['search', 'enterpriseNumber', 'status', 'updatedSince'].map((name) => ({
      [name]: Reflect.get(wellFormedBody(operationId, 'every'), name),
    })),
    { iban },
    { customerId },
    { redownload: true },
  ];
  return bodies.map((body) => JSON.stringify(body));
}

/** Opens the signing page of the newest customer of the firm, declines, and opens it again. */
async function decline({ service, firmId }: FuzzTarget): Promise<void> {
  const { knex, baseUrl } = service;
  const { origin } = new URL(baseUrl);
  const mail = await knex('signature_requests')
    .where({ firm_id: firmId })
    .orderBy('id', 'desc')
    .first<RequestMail>({ requestId: 'id', firmId: 'firm_id', delivery: 'delivery' });
  const url = await createSigningUrls(origin, 'a secret of this test').create(knex, mail);
  const opened = await fetch(url);
  const body = new URLSearchParams({ ...hiddenFields(await opened.text()), ...declined });
  expect(await fetch(url, { method: 'POST', body })).toMatchObject({ status: 200 });
  expect((await knex('signature_requests').where({ id: mail.requestId }).first()).answer).toBe(
    'declined',
  );
}

test.skipIf(citusUrl === undefined)(
  'D-72 each statement of a call needs one node, besides the coordinator',
  async () => {
    const { service, firmId, customerId } = target;
    const user = await service.createUser({ firmId, access: 'user', customers: [customerId] });
    const asUser = { authorization: `Bearer ${await service.idToken(user)}` };
    const recording = recordCalls();
    try {
      const body = JSON.stringify(newCustomer({ bankAccounts: [{ iban: newIban() }] }));
      expect(await target.send('createCustomer', { body })).toMatchObject({ status: 200 });
      await decline(target);
      for (const operationId of operationsInOrder) {
        for (const body of bodiesOf(operationId)) {
          if (!isChange(operationId)) await target.send(operationId, { body, headers: asUser });
          await target.send(operationId, { body });
        }
      }
    } finally {
      recording.stop();
    }
    const { statements } = recording;
    expect(statements.length).toBeGreaterThan(500);
    expect(await statementsOfSeveralNodes(service.knex, statements)).toEqual([]);
    printResult({ statements: new Set(statements.map(({ text }) => text)).size });
  },
);
