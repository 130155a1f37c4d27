import { describe, expect, it } from 'vitest';
import { insertCodaFile, insertCodbFile } from '../../packages/server/test/support/files.js';
import type { OperationCall } from '../support/call-operation.js';
import { everyField } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { oneIn, rounds } from '../support/rounds.js';
import { attempt, createWorld } from './attempts.js';
import { callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms();

const everyViewer = casesOf('list').flatMap((each) =>
  viewerNames.map((viewer) => ({ ...each, viewer })),
);

/** False for fields of a search that change only the order, or what a record shows. */
const isFilter = (name: string) => !/^(sort|includePdf$|includeFinished$|redownload$)/.test(name);

function distinct(calls: readonly OperationCall[]): OperationCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}

describe('§5 rule 3: lists of customers, files and mandates', () => {
  it.each(oneIn(5, everyViewer))(
    '$operationId does not show a hidden customer to $viewer',
    async (each) => {
      const { operationId, calls, viewer } = each;
      const { idToken, hidden } = viewerOf(firms, viewer);
      for (const call of distinct(Object.values(hidden).flatMap(calls))) {
        const { status, body } = await callAs(firms, idToken, operationId, call);
        expect(status).toBe(200);
        for (const [
          name,
          { id, enterpriseNumber, bankAccounts, mandates, files },
        ] of Object.entries(hidden)) {
          const traces = [
            ...[id, enterpriseNumber],
            ...bankAccounts.map(({ iban }) => iban),
            ...mandates.map((mandate) => mandate.id),
            ...Object.values(files),
          ];
          const found = traces.filter((trace) => body.includes(trace));
          expect(found, `${name} in ${JSON.stringify(call)}`).toEqual([]);
        }
      }
    },
  );

  it.each(oneIn(5, everyViewer))(
    '$operationId shows all visible customers to $viewer and no others',
    async (each) => {
      const { idToken, visible } = viewerOf(firms, each.viewer);
      const { body } = await callAs(firms, idToken, each.operationId);
      const parsed = JSON.parse(body);
      const records: { id: string; customerId?: string }[] = Array.isArray(parsed)
        ? parsed
        : parsed.records;
      // A record of missing statements has no id of its own.
      const shown = records.map(({ id, customerId }) => id ?? customerId);
      const expected = each.of === 'customers' ? visible : visible.flatMap((one) => one.mandates);
      expect(shown.sort()).toEqual(expected.map(({ id }) => id).sort());
      if (Array.isArray(parsed)) return;
      const { length } = expected;
      expect(parsed).toMatchObject({ recordsTotal: length, recordsFiltered: length });
    },
  );

  it.each(casesOf('list'))(
    '$operationId: each filter finds some of what is visible, and not all',
    async ({ operationId, calls }) => {
      // Otherwise the cases could pass because a filter finds nothing, or everything.
      const { idToken, visible } = viewerOf(firms, 'an administrator');
      const count = async (sent: unknown): Promise<number[]> => {
        const { status, body } = await callAs(firms, idToken, operationId, { body: sent });
        if (status !== 200) return [];
        const answer = JSON.parse(body);
        return [(answer.records ?? answer).length];
      };
      const [all] = await count(undefined);
      const counts = new Map<string, number[]>();
      for (const { body } of distinct(visible.flatMap(calls))) {
        for (const [name, value] of Object.entries(body ?? {})) {
          // A value that nobody has, unless the spec refuses it.
          const other = typeof value === 'number' ? value + 1 : `${value}x`;
          const found = [...(await count(body)), ...(await count({ [name]: other }))];
          counts.set(name, [...(counts.get(name) ?? []), ...found]);
        }
      }
      for (const [name, found] of counts) {
        expect(Math.max(...found), `${name} finds something`).toBeGreaterThan(0);
        if (isFilter(name))
          expect(Math.min(...found), `${name} finds not all`).toBeLessThan(all ?? 0);
      }
    },
  );

  const unchanged = [
    ...oneIn(3, casesOf('list')),
    ...casesOf('same').map((each) => ({ ...each, calls: () => each.calls })),
  ];

  it.each(unchanged)(
    'changes in the other firm do not change what $operationId returns to anyone',
    async ({ operationId, calls }) => {
      const ask = async () => {
        const answers = [];
        for (const { idToken, visible } of firms.viewers) {
          for (const call of distinct(visible.flatMap(calls)))
            answers.push(await callAs(firms, idToken, operationId, call));
        }
        return answers;
      };
      const before = await ask();
      await actElsewhere();
      expect(await ask()).toEqual(before);
    },
  );

  /** Changes customers of the other firm, which resemble those of the first. */
  async function actElsewhere(): Promise<void> {
    const as = firms.otherAdministrator;
    const { name } = firms.own.assigned;
    const body = everyField({
      name,
      accountingRef: 'assigned',
      bankAccounts: [{ iban: newIban() }],
    });
    const created = await callAs(firms, as, 'createCustomer', { body });
    const customerId: string = JSON.parse(created.body).id;
    const fileId = await insertCodaFile(firms.service.knex, customerId);
    await insertCodbFile(firms.service.knex, customerId);
    const path = { customerId, fileId, iban: newIban(), code: 'liantis' };
    for (const operationId of [
      'addBankAccount',
      'addPayrollProvider',
      'disableBankAccount',
      'acknowledgeCodaFile',
    ] as const) {
      expect((await callAs(firms, as, operationId, { path })).status).toBe(200);
    }
    await callAs(firms, as, 'updateCustomer', { path, body: { accountingRef: 'unassigned' } });
  }
});

// The last one, because it transfers a customer.
const attempts = rounds({ short: 30, proof: 100 });
it(`D-57 nothing crosses in ${attempts} attempts of all roles on all operations`, async () => {
  const { leaks, changed, shown } = await attempt(await createWorld(firms), attempts, 57);
  expect({ leaks, changed }).toEqual({ leaks: [], changed: [] });
  // Otherwise the search for values would prove nothing.
  expect(shown).toBeGreaterThan(attempts / 10);
});
