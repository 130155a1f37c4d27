import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { DAY } from '../../../src/dates/brussels-day.js';
import type { ShownDelivery } from '../../../src/uploads/deliveries/listed-deliveries.js';
import { createLinkedCustomer, mandatesOf, newPrincipal } from '../../mandates/linked-customer.js';
import { completeRows } from '../../support/rows.js';
import { codaFile, codbFile, enterpriseNumber } from '../../uploads/sample-files.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const { knex, newFolder, run, json } = await operatorForFile();
const from = ['--from', 'GKCCBEBB'];

const listHeld = (firmId: string): Promise<ShownDelivery[]> =>
  json('delivery', 'list', '--firm', firmId);

test('D-28 operator: held deliveries are listed, shown, and released only to a signed mandate', async () => {
  const folder = newFolder();
  const principal = await newPrincipal(knex);
  const iban = newIban();
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [iban] });
  writeFileSync(join(folder, 'feb.cod'), codaFile({ iban }));
  expect((await run('ingest', folder, ...from)).stdout).toBe('1/1  feb.cod: 0 listed, 1 held\n');

  const printed = await listHeld(principal.firmId);
  expect(printed).toMatchObject([{ iban, statementNumber: 14, fileName: 'feb.cod' }]);
  const [{ id, mandates, uploadId } = expect.fail()] = printed;
  const ofUpload = (upload: string) => json('delivery', 'list', '--upload', upload);
  expect(await ofUpload(uploadId)).toEqual(printed);
  expect(await ofUpload('7'.repeat(24))).toEqual([]);
  const table = await run('delivery', 'list');
  expect(table.stdout).toMatch(/^ID +HELD +EXPIRES +PRODUCT +FROM +FOR +NUMBER +DATE +MANDATE\n/);
  expect(table.stdout).toMatch(
    new RegExp(`^${id} .* GKCCBEBB +${iban} +14 +2026-02-03 +created$`, 'm'),
  );
  const shown = await run('delivery', 'show', id);
  expect(shown.stdout).toMatch(/^MANDATE +STATUS +PROVIDER +CUSTOMER +FIRM$/m);

  const [mandate = expect.fail()] = mandates;
  expect(await run('delivery', 'release', id)).toEqual(
    failure(
      `Delivery ${id} is still held: mandate ${mandate.id} is created. A mandate covers it that is signed, confirmed if \`mandate show\` says that it is contested, and of a firm that is not disabled.`,
    ),
  );
  expect(await knex('files').where({ customer_id: customerId })).toEqual([]);
  const other = '7'.repeat(24);
  expect((await run('delivery', 'release', id, '--mandate', other)).stderr).toBe(
    `error: Mandate ${other} is not an open mandate for the account or enterprise of delivery ${id}.\n`,
  );
  await knex('mandates').where({ id: mandate.id }).update({ status: 'confirmedByBank' });
  expect(await json('delivery', 'release', id, '--mandate', mandate.id)).toEqual({
    ...{ id, mandateId: mandate.id, outcome: 'listed' },
  });
  expect(await knex('files').where({ customer_id: customerId })).toHaveLength(1);
  expect(await listHeld(principal.firmId)).toEqual([]);
  for (const command of ['show', 'release']) {
    expect(await run('delivery', command, id)).toEqual(
      failure(`No delivery with the id ${id} is held.`),
    );
  }
});

test('D-28 operator: a delivery is released to the mandate of its link, or to the one named by --mandate', async () => {
  const folder = newFolder();
  const [iban, number] = [newIban(), enterpriseNumber()];
  const [first, second] = [await newPrincipal(knex), await newPrincipal(knex)];
  const former = await createLinkedCustomer(knex, first, { ibans: [iban] });
  const providers = ['sdworx', 'securex'];
  const employer = await createLinkedCustomer(knex, second, { providers });
  await knex('customers').where({ id: employer }).update({ enterprise_number: number });
  await completeRows(knex);
  await knex('mandates').where({ customer_id: employer }).update({ enterprise_number: number });
  writeFileSync(join(folder, '1.cod'), codaFile({ iban }));
  const payroll = newFolder();
  writeFileSync(join(payroll, '2.xml'), codbFile({ enterpriseNumber: number, source: 'Janssens' }));
  await run('ingest', payroll, '--from', 'securex');
  await run('ingest', folder, ...from);

  // The account now belongs to another firm.
  const at = { closed_on: new Date() };
  await knex('mandates').where({ customer_id: former }).update(at);
  await knex('bank_accounts').where({ customer_id: former }).update({ disabled_on: new Date() });
  await completeRows(knex);
  const taker = await createLinkedCustomer(knex, second, { ibans: [iban] });
  await knex('mandates').where({ customer_id: taker }).update({ status: 'finished' });
  const held = await listHeld(second.firmId);
  const statement = held.find(({ product }) => product === 'CODA') ?? expect.fail();
  const booking = held.find(({ product }) => product === 'CODB') ?? expect.fail();
  const [mandate = expect.fail()] = statement.mandates;
  expect(await run('delivery', 'release', statement.id)).toEqual(
    failure(
      `Delivery ${statement.id} did not arrive for any of the open mandates. Choose one with --mandate: ${mandate.id}.`,
    ),
  );
  const shown = (await run('delivery', 'show', statement.id)).stdout;
  expect(shown).toMatch(/^arrived for +an account or provider that was removed$/m);
  const deletedOn = new Date(Date.parse(String(statement.heldOn)) + 90 * DAY).toISOString();
  expect(shown).toMatch(new RegExp(`^expires +${deletedOn}$`, 'm'));
  const named = await run('delivery', 'release', statement.id, '--mandate', mandate.id);
  expect(named.exitCode).toBe(0);

  // With two providers, the delivery is for its sender.
  const [, securex] = await mandatesOf(knex, employer);
  await knex('mandates').where({ customer_id: employer }).update({ status: 'finished' });
  expect(await json('delivery', 'release', booking.id)).toMatchObject({
    mandateId: securex?.id,
  });
});

test('D-28 operator: delivery list --expiring-in shows those that are deleted soon, by HELD_DELIVERY_DAYS', async () => {
  const folder = newFolder();
  const principal = await newPrincipal(knex);
  const iban = newIban();
  await createLinkedCustomer(knex, principal, { ibans: [iban] });
  writeFileSync(join(folder, '1.cod'), codaFile({ iban }));
  await run('ingest', folder, ...from);
  const [{ id } = expect.fail()] = await listHeld(principal.firmId);
  const list = ['delivery', 'list', '--firm', principal.firmId, '--expiring-in', '7'];
  const listed = async (days: number) => {
    const heldOn = new Date(Date.now() - days * DAY);
    await knex('held_deliveries').where({ id }).update({ held_on: heldOn });
    const printed = await json(...list);
    return printed.map(
      ({ deletedOn }: { deletedOn: string }) => (Date.parse(deletedOn) - heldOn.getTime()) / DAY,
    );
  };
  expect(await listed(82.9)).toEqual([]);
  expect(await listed(83.1)).toEqual([90]);
});
