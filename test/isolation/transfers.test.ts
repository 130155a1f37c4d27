import { type OperationId, operations } from '@adx/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { transferCustomer } from '../../packages/server/src/customers/transfer-customer.js';
import { operatorScope } from '../../packages/server/src/identity/operator-scope.js';
import { createCustomerMandates } from '../../packages/server/src/mandates/customer-mandates.js';
import { transferredFields } from '../../packages/server/test/customers/transferred-fields.js';
import type { OperationCall } from '../support/call-operation.js';
import { newCustomer } from '../support/new-customer.js';
import { absentId } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { snapshot } from '../support/snapshot.js';
import { callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { type KnownCustomer, useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const filesOperations = (method: string) =>
  (Object.keys(operations) as OperationId[]).filter((operationId) => {
    const { client } = operations[operationId];
    return client.resource.endsWith('Files') && client.method === method;
  });
const fileLists = filesOperations('list');
const acknowledgements = filesOperations('acknowledge');
const everyFile = { body: { redownload: true, includePdf: true } };

const firms = useTwoFirms();
/** The customers before their transfer, and the ids that they have in the other firm. */
let left: readonly KnownCustomer[];
let newIds: string[];
/** The files that each viewer of the former firm had in its lists before the transfer. */
const filesBefore = new Map<string, unknown>();

beforeAll(async () => {
  left = [firms.own.assigned, firms.own.confidential];
  for (const { name, idToken } of firms.viewers) {
    for (const list of fileLists) {
      filesBefore.set(`${name} ${list}`, await callAs(firms, idToken, list, everyFile));
    }
  }
  newIds = [];
  for (const { id: customerId } of left) {
    const moved = await transferCustomer(
      firms.service.knex,
      operatorScope(),
      createCustomerMandates(),
      {
        ...{ customerId, toFirmId: firms.firmIds.other, agreedBy: 'Jan Peeters' },
      },
    );
    newIds.push(typeof moved === 'string' ? expect.fail(moved) : moved.transferredTo.id);
  }
});

async function expectAbsent(
  idToken: string,
  operationId: OperationId,
  calls: readonly OperationCall[],
  parameter: string,
) {
  for (const call of calls) {
    const absent = { ...call, path: { ...call.path, [parameter]: absentId() } };
    const answers = [call, absent].map((each) => callAs(firms, idToken, operationId, each));
    const [aimed, ofNothing] = await Promise.all(answers);
    expect([call, aimed]).toEqual([call, ofNothing]);
    expect([400, 404]).toContain(aimed?.status);
  }
}

/** The lists of files, and of what is missing between them, which the same users see (D-30). */
const visibleAsFiles: readonly OperationId[] = [...fileLists, 'listMissingStatements'];

describe('D-48 a customer that was transferred, for its former firm', () => {
  it.each(oneIn(3, viewerNames))('%s has the same files as before', async (viewer) => {
    const { idToken } = viewerOf(firms, viewer);
    for (const list of fileLists) {
      const after = await callAs(firms, idToken, list, everyFile);
      expect(after).toEqual(filesBefore.get(`${viewer} ${list}`));
    }
  });

  it('an administrator finds neither it nor its mandates, and cannot change it', async () => {
    const { idToken } = viewerOf(firms, 'an administrator');
    const before = await snapshot(firms.service);
    for (const { operationId, parameter, calls } of casesOf('customer')) {
      if (acknowledgements.includes(operationId)) continue;
      await expectAbsent(idToken, operationId, calls(firms.own.assigned), parameter);
    }
    for (const { operationId, calls } of casesOf('list')) {
      if (visibleAsFiles.includes(operationId)) continue;
      for (const call of left.flatMap(calls)) {
        const { status, body } = await callAs(firms, idToken, operationId, call);
        expect(status).toBe(200);
        const traces = left.flatMap(({ id, enterpriseNumber, mandates }) => [
          ...[id, enterpriseNumber],
          ...mandates.map((mandate) => mandate.id),
        ]);
        expect(traces.filter((trace) => body.includes(trace))).toEqual([]);
        expect(newIds.filter((id) => body.includes(id))).toEqual([]);
      }
    }
    expect(await snapshot(firms.service)).toEqual(before);
  });

  it.each(oneIn(3, viewerNames))(
    '%s acknowledges its files where the user saw them, and no others',
    async (viewer) => {
      const { idToken, visible } = viewerOf(firms, viewer);
      for (const customer of left) {
        const status = visible.includes(customer) ? 200 : 404;
        for (const operationId of acknowledgements) {
          const fileId = Reflect.get(customer.files, operations[operationId].client.resource);
          expect(await callAs(firms, idToken, operationId, { path: { fileId } })).toMatchObject({
            status,
          });
        }
      }
      for (const list of fileLists) {
        const { body } = await callAs(firms, idToken, list);
        expect(left.filter(({ id }) => body.includes(id))).toEqual([]);
      }
    },
  );

  it('cannot be registered again', async () => {
    const { idToken } = viewerOf(firms, 'an administrator');
    for (const { enterpriseNumber } of left) {
      const body = newCustomer({ enterpriseNumber });
      const answer = await callAs(firms, idToken, 'createCustomer', { body });
      expect(answer).toMatchObject({ status: 403 });
      expect(answer.body).toContain('belongsToAnotherTenant');
    }
  });
});

describe('D-48 a customer that was transferred, for its new firm', () => {
  it('has its accounts, providers and new mandates, but neither files nor fields that stay with the former firm', async () => {
    const as = firms.otherAdministrator;
    for (const [i, customer] of left.entries()) {
      const id = newIds[i] ?? '';
      const { body } = await callAs(firms, as, 'getCustomer', { path: { customerId: id } });
      const { files: _, mandates: __, ...before } = customer;
      expect(JSON.parse(body)).toEqual({
        ...transferredFields(before),
        ...{ id, isConfidential: customer === firms.own.confidential },
        ...{ createdOn: expect.any(String), updatedOn: expect.any(String) },
      });
      const found = await callAs(firms, as, 'searchMandates', { body: { customerId: id } });
      expect(JSON.parse(found.body).records).toMatchObject([
        { product: 'CODB', status: 'created', payrollProviderCode: 'sdworx', customerId: id },
        { product: 'CODA', status: 'created', iban: before.bankAccounts[0]?.iban, customerId: id },
      ]);
    }
    for (const list of fileLists) {
      const { body } = await callAs(firms, as, list, everyFile);
      const traces = [...newIds, ...left.flatMap(({ id, files }) => [id, ...Object.values(files)])];
      expect(traces.filter((trace) => body.includes(trace))).toEqual([]);
    }
  });

  it('the identifiers of the former firm do not exist', async () => {
    const before = await snapshot(firms.service);
    for (const { operationId, parameter, calls } of casesOf('customer')) {
      const attacks = calls(firms.own.assigned);
      await expectAbsent(firms.otherAdministrator, operationId, attacks, parameter);
    }
    for (const { operationId, resource } of casesOf('acknowledgement')) {
      const fileIds = left.map(({ files }) => files[resource]);
      const answer = await callAs(firms, firms.otherAdministrator, operationId, {
        body: { fileIds },
      });
      expect(JSON.parse(answer.body)).toEqual({ acknowledged: [], notFound: fileIds });
    }
    expect(await snapshot(firms.service)).toEqual(before);
  });
});
