import { expect, test } from 'vitest';
import { rounds } from '../../../../../test/support/rounds.js';
import { releaseRequests } from '../../../src/mandates/signing/due-mails.js';
import { refusal, startMailServer } from '../../mail/mail-server.js';
import { seededRandom } from '../../support/seeded-random.js';
import { setUpMandates } from '../set-up-mandates.js';

const HOUR = 3_600_000;
const names = ['an', 'An', 'bo', 'Bo', 'cy', 'dre', 'eva', 'fie'];
const addresses = names.map((name) => `${name}@bakkerij.example`);
const mailBudgets = { customer: 2, firm: 100, address: 100 };

// Each sequence is a test, at whose end its database is given back.
const seeds = Array.from({ length: rounds({ short: 12, proof: 200 }) }, (_, index) => index + 1);

test.each(seeds)(
  'D-36 sequence %i: an address gets at most one mail, none once it is replaced, and the last address one',
  checkAddressSequence,
);

/**
 * Makes random changes of the address of a contact, and runs the jobs that send its request, also
 * those for earlier addresses, while the mail server fails now and then and the budget is small.
 * Checks that each address, in whatever case, gets at most one mail, none after it was replaced,
 * and the last address exactly one.
 */
async function checkAddressSequence(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const oneOf = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] ?? expect.fail();
  let isFailing = false;
  const server = await startMailServer({
    onRcptTo: (_address, _session, done) => done(isFailing ? refusal(451, 'Later') : null),
  });
  const work = await setUpMandates(server);
  const customerId = await work.create();
  const requestId = await work.requestOf(customerId);
  let address = 'an@bakkerij.example';
  const mailed = () => server.delivered.flatMap(({ envelopeTo }) => envelopeTo);

  const run = async (delivery: number) => {
    const before = mailed().length;
    const options = { delivery, mailBudgets, mailAttempts: 1_000 };
    await work.deliver(requestId, options).catch(() => expect(isFailing).toBe(true));
    for (const to of mailed().slice(before)) expect(to).toBe(address);
  };
  const steps = [
    async () => {
      const next = oneOf(addresses.filter((each) => each !== address));
      await work.moveContact(customerId, next);
      address = next;
    },
    () => run(1 + Math.floor(random() * 8)),
    async () => {
      const { delivery } = await work.knex('signature_requests').first('delivery');
      await run(delivery);
    },
    async () => {
      isFailing = random() < 0.3;
    },
    async () => {
      work.clock = new Date(work.clock.getTime() + 5 * HOUR);
      await releaseRequests(work.knex, mailBudgets, () => work.clock);
    },
  ];
  for (let step = 0; step < 30; step += 1) await oneOf(steps)();
  isFailing = false;
  work.clock = new Date(work.clock.getTime() + 25 * HOUR);
  await releaseRequests(work.knex, mailBudgets, () => work.clock);
  for (let delivery = 1; delivery <= 40; delivery += 1) await run(delivery);

  const lower = mailed().map((each) => each.toLowerCase());
  expect(lower).toEqual([...new Set(lower)]);
  expect(lower).toContain(address.toLowerCase());
  expect(await work.statuses(customerId)).toEqual(['waitingForSigner', 'waitingForSigner']);
  const { sent_to } = await work.knex('signature_requests').first();
  expect(sent_to.toLowerCase()).toBe(address.toLowerCase());
  expect(await work.knex('outgoing_mails').whereNotNull('waits_for')).toEqual([]);
}
