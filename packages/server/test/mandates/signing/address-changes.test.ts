import { expect, it } from 'vitest';
import { viewSignatureRequest } from '../../../src/mandates/signing/answer-signature-request.js';
import { setUpMandates } from '../set-up-mandates.js';

it.each([
  ['that the contact gets back', ['bo@bakkerij.example', 'an@bakkerij.example']],
  ['that changes only in upper and lower case', ['An@Bakkerij.example']],
])('D-36 an address %s gets no second mail, and its link works', async (_, addresses) => {
  const work = await setUpMandates();
  const { customerId, token } = await work.ask();
  const stateOf = async () => (await viewSignatureRequest(work.knex, token, work.clock))?.state;
  for (const address of addresses) {
    await work.moveContact(customerId, address);
    expect(await stateOf()).toBe(address.startsWith('bo') ? 'withdrawn' : 'pending');
  }
  await work.startWorkers();
  await work.runAll('request');
  expect(work.mailServer.delivered).toHaveLength(1);
  expect(await stateOf()).toBe('pending');
});

it('D-36 a mail to a changed address waits until the address has settled', async () => {
  const work = await setUpMandates();
  const customerId = await work.create();
  const before = Date.now();
  await work.moveContact(customerId, 'bo@bakkerij.example');
  const [first, second] = await work.queued('request');
  expect(first?.run_at.getTime()).toBeLessThanOrEqual(Date.now());
  expect(second?.run_at.getTime()).toBeGreaterThanOrEqual(before + 30_000);
});
