import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { createCustomerMandates } from '../../../../src/mandates/customer-mandates.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, deliver, signed, signingServiceForFile } from './signing-service.js';
import { storedEvidence } from './stored-evidence.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

/** Returns the recorded answer and the statuses of its mandates. */
async function recorded(requestId: string) {
  const row = await knex('signature_requests').where({ id: requestId }).first();
  const mandates = await knex('mandates')
    .where({ signature_request_id: requestId })
    .orderBy('id')
    .pluck('status');
  return {
    answer: row.answer,
    on: row.answered_on,
    name: row.signer_name,
    address: row.signer_address,
    userAgent: row.signer_user_agent,
    mandates,
  };
}

const nothing = { answer: null, on: null, name: null, address: null, userAgent: null };

describe('signing page: signing', () => {
  test('D-25 GET and HEAD change nothing, and HEAD answers like GET without a body', async () => {
    const { path, requestId } = await service.send();
    const before = await knex('mandate_history').count().first();
    const get = await service.ask(path);
    const head = await service.ask(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(await recorded(requestId)).toEqual({ ...nothing, mandates: ['waitingForSigner'] });
    expect(await knex('mandate_history').count().first()).toEqual(before);
  });

  test('§3 it records name, time, IP address and browser, and redirects to the page', async () => {
    const { path, token, requestId } = await service.send({ ibans: [newIban(), newIban()] });
    const userAgent = `Browser/${'9'.repeat(600)}`;
    const answer = await service.post(
      path,
      { ...signed, name: '  An Peeters ' },
      { 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.1' },
    );
    expect([answer.status, answer.headers.location, answer.body]).toEqual([303, token, '']);
    const { firm_id: firmId } = await knex('signature_requests').where({ id: requestId }).first();
    const steps = service
      .log()
      .split('\n')
      .filter((line) => line.includes(requestId));
    expect(steps.map((line) => JSON.parse(line))).toMatchObject([
      {
        signatureRequest: requestId,
        firmId,
        state: 'pending',
        msg: 'the page of a signature request was fetched',
      },
      {
        signatureRequest: requestId,
        firmId,
        state: 'signed',
        msg: 'a signature request was answered',
      },
    ]);
    expect(await recorded(requestId)).toEqual({
      answer: 'signed',
      on: service.now,
      name: 'An Peeters',
      // No proxy is trusted.
      address: '127.0.0.1',
      userAgent: userAgent.slice(0, 500),
      mandates: ['waitingForBank', 'waitingForBank'],
    });
  });

  test('signing page: the user agent is recorded without control characters', async () => {
    const { path, requestId } = await service.send();
    await service.post(path, signed, { 'user-agent': 'A\u009b2J browser\u0085' });
    const { userAgent } = await recorded(requestId);
    expect(userAgent).toContain('2J browser');
    expect(userAgent).not.toMatch(/\p{Cc}/u);
  });

  test.each([signed, declined])(
    'signing page: after $answer a second answer changes nothing and redirects to the first',
    async (answer) => {
      const { path, requestId } = await service.send();
      await service.post(path, answer);
      const first = await recorded(requestId);
      service.now = new Date(service.now.getTime() + 1000);
      for (const again of [{ ...signed, name: 'Els Maes' }, declined, {}]) {
        expect((await service.post(path, again)).status).toBe(303);
      }
      expect(await recorded(requestId)).toEqual(first);
    },
  );

  test('D-37 one of several concurrent answers is recorded with its evidence, and shown to all', async () => {
    const sent = await service.send({ ibans: [newIban(), newIban()] });
    const { path, requestId } = sent;
    // During this test, overwriting an answer is an error.
    await knex.raw(`
      create function refuse_second() returns trigger language plpgsql as $$
      begin raise 'answered twice'; end $$;
      create trigger refuse_second before update on signature_requests for each row
        when (old.answer is not null) execute function refuse_second()`);
    const names = ['An Peeters', 'Els Maes', 'Jan Maes', 'Piet Maes'];
    const answers = await Promise.all([
      ...names.map((name) => service.post(path, { ...signed, name })),
      service.post(path, declined),
    ]);
    await knex.raw('drop function refuse_second cascade');
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303));
    const { answer, name, mandates } = await recorded(requestId);
    const status = answer === 'signed' ? 'waitingForBank' : 'rejectedBySigner';
    expect(mandates).toEqual([status, status]);
    const { content = '{}' } = (await storedEvidence(knex, sent)) ?? {};
    expect(JSON.parse(content)).toMatchObject({ answer, signer: { name } });
    const steps = await knex('mandate_history')
      .where({ actor: 'signer', actor_id: requestId })
      .count()
      .first();
    expect(steps).toEqual({ count: 2 });
    const { body } = await service.ask(path);
    expect(body).toContain(answer === 'signed' ? name : 'Declined on');
  });

  test.each([
    ['no name', { ...signed, name: '' }, ['Enter your first and last name.'], 'name'],
    ['a name of spaces', { ...signed, name: ' \u00a0 ' }, ['Enter your first'], 'name'],
    ['a name without a letter', { ...signed, name: '\u200b 12' }, ['Enter your first'], 'name'],
    ['a name of invisible letters', { ...signed, name: '\u3164' }, ['Enter your first'], 'name'],
    ['a name too long', { ...signed, name: 'é'.repeat(201) }, ['at most 200'], 'name'],
    ['a line end', { ...signed, name: 'An\nPeeters' }, ['cannot be recorded'], 'name'],
    ['a NUL', { ...signed, name: 'An\u0000Peeters' }, ['cannot be recorded'], 'name'],
    ['a reversed name', { ...signed, name: 'An \u202esreteeP' }, ['cannot be recorded'], 'name'],
    ['no consent', { answer: 'signed', name: 'An Peeters' }, ['Tick the box'], 'consent'],
    ['nothing', { answer: 'signed' }, ['Enter your first', 'Tick the box'], 'name'],
  ])('signing page: %s is reported at its field, and nothing is recorded', async (...given) => {
    const [, fields, messages, field] = given;
    const { path, requestId } = await service.send();
    const { status, body } = await service.post(path, fields);
    expect(status).toBe(422);
    expect(body).toContain('<title>Error: ');
    const alert = /<div class="alert" role="alert">.*?<\/div>/.exec(body)?.[0];
    for (const message of messages) expect(alert).toContain(message);
    expect(alert).toContain(`href="#${field}"`);
    const beside = new RegExp(`<span id="${field}-problem".*?</span>`).exec(body)?.[0];
    expect(beside).toContain(messages[0]);
    const input = new RegExp(`<input id="${field}"[^>]*>`).exec(body)?.[0];
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain(`aria-describedby="${field}-problem"`);
    expect(input).toContain('autofocus');
    expect(await recorded(requestId)).toEqual({ ...nothing, mandates: ['waitingForSigner'] });
  });

  test('signing page: the entered values are kept if one is wrong', async () => {
    const { path } = await service.send();
    const withoutConsent = await service.post(path, { answer: 'signed', name: 'Zoë "Z" Peeters' });
    expect(withoutConsent.body).toContain('value="Zoë &quot;Z&quot; Peeters"');
    const withoutName = await service.post(path, { answer: 'signed', name: '', consent: 'yes' });
    expect(/<input id="consent"[^>]*>/.exec(withoutName.body)?.[0]).toContain('checked');
  });

  test('signing page: names of 200 characters are accepted, even outside the BMP', async () => {
    const { path, requestId } = await service.send();
    const name = '𝒜'.repeat(200);
    expect((await service.post(path, { ...signed, name })).status).toBe(303);
    expect((await recorded(requestId)).name).toBe(name);
  });

  test('signing page: an unknown answer is refused', async () => {
    const { path, requestId } = await service.send();
    for (const fields of [{}, { name: 'An Peeters', consent: 'yes' }, { ...signed, answer: 'x' }]) {
      const { status, body } = await service.post(path, fields);
      expect(status).toBe(422);
      expect(body).toContain('Choose whether you sign or decline.');
    }
    expect((await recorded(requestId)).answer).toBeNull();
  });
});

describe('signing page: other states', () => {
  test('§3 declining requires a tick and nothing else, and is shown afterwards', async () => {
    const { path, token, requestId } = await service.send();
    const pressed = await service.post(path, { answer: 'declined', name: 'An Peeters' });
    expect(pressed.status).toBe(422);
    expect(pressed.body).toContain('<title>Error: ');
    const problem = 'Tick the box to confirm that you do not want to sign.';
    expect(pressed.body).toContain(`<li><a href="#refuse">${problem}</a></li>`);
    expect(pressed.body).toContain(`<span id="refuse-problem" class="problem">${problem}</span>`);
    const box = /<input id="refuse"[^>]*>/.exec(pressed.body)?.[0];
    expect(box).toMatch(/aria-invalid="true" aria-describedby="refuse-problem" autofocus/);
    expect(box).not.toContain('checked');
    expect(await recorded(requestId)).toEqual({ ...nothing, mandates: ['waitingForSigner'] });
    const answer = await service.post(`${path}?lang=en`, declined);
    expect([answer.status, answer.headers.location]).toEqual([303, `${token}?lang=en`]);
    expect(await recorded(requestId)).toMatchObject({
      answer: 'declined',
      name: null,
      address: '127.0.0.1',
      mandates: ['rejectedBySigner'],
    });
    const { status, body } = await service.ask(path);
    expect(status).toBe(200);
    expect(body).toContain('Declined on');
    expect(body).toContain('Ask Kantoor Janssens to send you a new request.');
  });

  test('§3 after 30 days it names the firm to ask, and accepts no answer', async () => {
    const sent = service.now;
    const { path, requestId } = await service.send();
    service.now = new Date(sent.getTime() + 30 * 86_400_000);
    const { status, body } = await service.ask(path);
    expect(status).toBe(200);
    expect(body).toContain('The time to sign has passed');
    expect(body).toContain('Ask Kantoor Janssens');
    expect((await service.post(path, signed)).status).toBe(303);
    expect(await recorded(requestId)).toEqual({ ...nothing, mandates: ['waitingForSigner'] });
    service.now = new Date(service.now.getTime() - 1);
    expect((await service.ask(path)).body).toContain('value="signed"');
    service.now = sent;
  });

  test('D-14 a link sent to an earlier address reveals nothing about the customer', async () => {
    const iban = newIban();
    const { path, requestId, firmId, customerId } = await service.send({ ibans: [iban] });
    await knex.transaction(async (trx) => {
      await trx('customers')
        .where({ id: customerId })
        .update({ contact_email: 'bo@elders.example' });
      await createCustomerMandates().contactEmailChanged(trx, { firmId, customerId });
    });
    await deliver(knex, { requestId, firmId, delivery: 2 }, service.now);
    const { status, body } = await service.ask(path);
    expect(status).toBe(200);
    expect(body).toContain('There is nothing left to sign here');
    expect(body).toContain('contact Kantoor Janssens');
    expect(body).not.toContain('Gouden Korst');
    expect(body).not.toContain(iban.slice(0, 4));
    await service.post(path, signed);
    expect(await recorded(requestId)).toEqual({ ...nothing, mandates: ['waitingForSigner'] });
  });

  test('§4.10 removed accounts are not shown, until there is nothing left to sign', async () => {
    const [kept, removed] = [newIban(), newIban()];
    const { path, requestId } = await service.send({ ibans: [kept, removed] });
    const close = (iban: string) =>
      knex('mandates').where({ iban }).update({ closed_on: service.now });
    await close(removed);
    const { body } = await service.ask(path);
    expect(body).toContain('this mandate');
    expect(body).toContain(kept.slice(0, 4));
    expect(body).not.toContain(removed.replaceAll(/.{4}(?=.)/g, '$& '));
    await close(kept);
    expect((await service.ask(path)).body).toContain('There is nothing left to sign here');
    await service.post(path, signed);
    expect((await recorded(requestId)).answer).toBeNull();
  });
});
