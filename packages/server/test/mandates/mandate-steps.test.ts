import { beforeAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import type { Principal } from '../../src/identity/principal.js';
import {
  isConsent,
  isRenewalStatus,
  type LifecycleStatus,
  type MandateKind,
  shownStatus,
  type Trigger,
} from '../../src/mandates/lifecycle.js';
import { applyStep, IllegalStep } from '../../src/mandates/mandate-steps.js';
import { lockOpenMandates } from '../../src/mandates/open-mandates.js';
import { reportStep } from '../../src/mandates/report-step.js';
import { requestAgain } from '../../src/mandates/signing/signature-requests.js';
import { knexForFile } from '../support/knex-for-file.js';
import { arrows, everyTrigger, kinds, lifecycleStatuses } from './lifecycle-table.js';
import {
  connectorId,
  createLinkedCustomer,
  type Links,
  mandatesOf,
  newConnectedIban,
  newPrincipal,
  serveByConnector,
} from './linked-customer.js';
import { setUpMandates } from './set-up-mandates.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

const knex = await knexForFile({ poolSize: 4 });

const now = new Date('2026-03-10T10:00:00.000Z');
const error = { code: 'deliveryFailed', message: 'It came back.' } as const;
const actor = { kind: 'operator' } as const;

let principal: Principal;
beforeAll(async () => {
  await serveByConnector(knex);
  principal = await newPrincipal(knex);
});

/** Creates an open mandate of a kind. */
async function newMandate(kind: MandateKind): Promise<string> {
  const links: Record<string, () => Links> = {
    coda: () => ({ ibans: [newIban()] }),
    lightConnector: () => ({ ibans: [newConnectedIban()] }),
    codb: () => ({ providers: ['sdworx'] }),
  };
  const [mandate] = await mandatesOf(
    knex,
    await createLinkedCustomer(knex, principal, links[kind.replace('contested ', '')]?.() ?? {}),
  );
  if (mandate === undefined) throw new Error('There is no mandate');
  await knex('mandates')
    .where({ id: mandate.id })
    .update({ is_contested: kind.startsWith('contested') });
  return mandate.id;
}

/** Sets the status of a mandate without a step. */
async function putInto(id: string, kind: MandateKind, status: LifecycleStatus): Promise<void> {
  const hasEnd =
    status === 'renewalRequired' || (isConsent(kind) && shownStatus(status) === 'finished');
  await knex('mandates')
    .where({ id })
    .update({
      status: shownStatus(status),
      renewal_status: isRenewalStatus(status) ? status : null,
      valid_until: hasEnd ? '2026-03-09' : null,
      error_code: status === 'error' ? 'deliveryFailed' : null,
      error_message: status === 'error' ? 'It came back.' : null,
    });
}

const step = (id: string, trigger: Trigger) =>
  knex.transaction(async (trx) => {
    const mandates = await lockOpenMandates(trx, { id });
    await applyStep(trx, mandates, {
      ...{ trigger, actor, now, ...(trigger === 'deliveryFailed' && { error }) },
    });
  });

const read = (id: string) => knex('mandates').where({ id }).first();
const historyOf = (id: string) => knex('mandate_history').where({ mandate_id: id }).orderBy('id');

test.each(kinds)('D-24 a %s mandate: each step is taken once with its entry', async (kind) => {
  const id = await newMandate(kind);
  for (const [arrow, to] of Object.entries(arrows[kind])) {
    const [from, trigger] = arrow.split(' ') as [LifecycleStatus, Trigger];
    await putInto(id, kind, from);
    const before = await read(id);
    const entries = (await historyOf(id)).length;

    await step(id, trigger);

    const after = await read(id);
    const validUntil = {
      finished: '2026-09-06',
      renewalRequired: '2026-03-09',
      ...{ renewalOffered: '2026-03-09', renewalDeclined: '2026-03-09' },
      renewalUndeliverable: '2026-03-09',
    }[isConsent(kind) ? (to as string) : 'none'];
    expect(after, arrow).toEqual({
      ...before,
      status: shownStatus(to),
      renewal_status: isRenewalStatus(to) ? to : null,
      updated_on: after.updated_on,
      valid_until: validUntil ?? null,
      error_code: to === 'error' ? error.code : null,
      error_message: to === 'error' ? error.message : null,
    });
    expect(after.updated_on.getTime()).toBeGreaterThan(before.updated_on.getTime());
    const added = (await historyOf(id)).slice(entries);
    expect(added, arrow).toEqual([
      {
        id: expect.any(Number),
        ...{ firm_id: before.firm_id, mandate_id: id },
        ...{ from_status: from, to_status: to, trigger },
        ...{ actor: 'operator', actor_id: null, happened_on: after.updated_on },
      },
    ]);
  }
});

test.each(kinds)(
  'D-24 a %s mandate: any other step is refused and changes nothing',
  async (kind) => {
    const id = await newMandate(kind);
    for (const from of lifecycleStatuses(kind)) {
      await putInto(id, kind, from);
      const before = [await read(id), await historyOf(id), await knex('mandate_clocks')];
      for (const trigger of everyTrigger) {
        if (arrows[kind][`${from} ${trigger}`] !== undefined) continue;
        const failure = await step(id, trigger).catch((refusal) => refusal);
        expect(failure, `${from} ${trigger}`).toBeInstanceOf(IllegalStep);
        expect(failure.message).toBe(
          `Mandate ${id} is ${from}: the lifecycle does not allow the step ${trigger}.`,
        );
      }
      expect([await read(id), await historyOf(id), await knex('mandate_clocks')]).toEqual(before);
    }
  },
);

test('D-24 several mandates take a step together, or none does', async () => {
  const customerId = await createLinkedCustomer(knex, principal, {
    ibans: [newIban(), newIban()],
    providers: ['sdworx'],
  });
  const [first] = await mandatesOf(knex, customerId);
  await putInto(first?.id ?? '', 'coda', 'finished');
  const before = await mandatesOf(knex, customerId);
  const all = (trigger: Trigger) =>
    knex.transaction(async (trx) => {
      const mandates = await lockOpenMandates(trx, { customer_id: customerId });
      await applyStep(trx, mandates, { trigger, actor, now });
    });
  await expect(all('requestSent')).rejects.toThrow(IllegalStep);
  expect(await mandatesOf(knex, customerId)).toEqual(before);

  await putInto(first?.id ?? '', 'coda', 'created');
  await all('requestSent');
  const after = await mandatesOf(knex, customerId);
  expect(after.map(({ status }) => status)).toEqual(Array(3).fill('waitingForSigner'));
  const times = after.map(({ updated_on }) => updated_on.getTime());
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test('D-24 the step deliveryFailed has a reason, and no other step has one', async () => {
  const id = await newMandate('coda');
  const failing = knex.transaction(async (trx) => {
    const mandates = await lockOpenMandates(trx, { id });
    await applyStep(trx, mandates, { trigger: 'deliveryFailed', actor, now });
  });
  await expect(failing).rejects.toThrow('if, and only if, a request could not be delivered');
  const telling = knex.transaction(async (trx) => {
    const mandates = await lockOpenMandates(trx, { id });
    await applyStep(trx, mandates, { trigger: 'requestSent', actor, now, error });
  });
  await expect(telling).rejects.toThrow('if, and only if, a request could not be delivered');
  expect(await read(id)).toMatchObject({ status: 'created', error_code: null });
});

test.each([
  ['a supported bank', { ibans: ['BE71096123456769'] }, 'created', null],
  ['a foreign IBAN', { ibans: ['NL91ABNA0417164300'] }, 'unsupportedBank', null],
  ['an unassigned bank code', { ibans: [newIban('112')] }, 'unsupportedBank', null],
  ['a bank without CODA', { ibans: [newIban('128')] }, 'unsupportedBank', null],
  ['an institution without a BIC', { ibans: [newIban('102')] }, 'unsupportedBank', null],
  ['a bank with a light connector', { ibans: [newConnectedIban()] }, 'created', connectorId],
  ['a supported provider', { providers: ['liantis'] }, 'created', null],
  ['another provider', { providers: ['***other***'] }, 'unsupportedPayrollProvider', null],
])('D-17, D-24 a mandate begins: %s', async (_, links, status, connector) => {
  const customerId = await createLinkedCustomer(knex, principal, links);
  const mandates = await mandatesOf(knex, customerId);
  expect(mandates).toMatchObject([{ status, connector_id: connector, valid_until: null }]);
  expect(mandates[0]?.created_on).toEqual(mandates[0]?.updated_on);
  expect(await historyOf(mandates[0]?.id ?? '')).toMatchObject([
    {
      ...{ from_status: null, to_status: status, trigger: 'linked' },
      ...{ actor: 'user', actor_id: principal.userId },
    },
  ]);
  const requests = await knex('signature_requests').where({ customer_id: customerId });
  expect(requests).toHaveLength(status === 'created' ? 1 : 0);
});

test('D-24 a bank without CODA that has a light connector is supported', async () => {
  await knex('banks').where({ bic: 'MPSNBE92' }).update({ connector_id: 9 });
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [newIban('128')] });
  expect(await mandatesOf(knex, customerId)).toMatchObject([
    { status: 'created', connector_id: 9 },
  ]);
});

test('D-24 mandates of an earlier message do not fail with one that was requested again', async () => {
  const work = await setUpMandates();
  const { knex, principal, clock: now } = work;
  const { customerId } = await work.ask({ ibans: [newIban(), newIban()] });
  const [{ id: mandateId = '' } = {}] = await work.mandates(customerId);
  await knex('mandates').where({ id: mandateId }).update({ status: 'expired' });
  const trx = await knex.transaction();
  expect(await requestAgain(trx, principal, mandateId, now)).toBe('requested');
  const actor = { kind: 'operator' } as const;
  const reporting = reportStep(knex, { mandateId, trigger: 'deliveryFailed', actor, now });
  await waitUntilBlocked(knex);
  await trx.commit();
  await reporting;
  expect(await work.statuses(customerId)).toEqual(['error', 'waitingForSigner']);
});
