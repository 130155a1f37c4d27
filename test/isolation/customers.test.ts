import { describe, expect, it } from 'vitest';
import type { OperationCall } from '../support/call-operation.js';
import { absentId } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { snapshot } from '../support/snapshot.js';
import { type ComparableAnswer, callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms();

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
