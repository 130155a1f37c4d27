import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import type { ShownRequest } from '../../../../src/mandates/signing/shown-request.js';
import { textsIn } from '../../../../src/mandates/signing/texts/all-texts.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import {
  declined,
  hiddenFields,
  type SentRequest,
  signed,
  signingServiceForFile,
} from './signing-service.js';
import { renameCustomer, renameFirm, storedEvidence } from './stored-evidence.js';

const knex = await knexForFile();
const changed = textsIn.en.problems.pageChanged;

const service = await signingServiceForFile(knex);

async function shownOf(sent: SentRequest): Promise<ShownRequest> {
  const stored = await storedEvidence(knex, sent);
  return JSON.parse(stored?.content ?? expect.fail('there is no evidence')).shown;
}

async function expectNoAnswer(sent: SentRequest) {
  const { answer } = await knex('signature_requests').where({ id: sent.requestId }).first();
  expect(answer).toBeNull();
  expect(await storedEvidence(knex, sent)).toBeUndefined();
  const statuses = await knex('mandates')
    .where({ signature_request_id: sent.requestId })
    .pluck('status');
  expect(new Set(statuses)).toEqual(new Set(['waitingForSigner']));
}

describe('D-37 a page that has changed since it was opened', () => {
  const changes: [string, (sent: SentRequest) => Promise<unknown>][] = [
    ['the customer has another name', (sent) => renameCustomer(knex, sent, 'Slagerij Het Mes')],
    ['the firm has another name', (sent) => renameFirm(knex, sent, 'Kantoor Maes')],
    [
      'an account was removed',
      ({ requestId }) =>
        knex('mandates')
          .where({ id: knex('mandates').where({ signature_request_id: requestId }).min('id') })
          .update({ closed_on: new Date() }),
    ],
    [
      'the bank has another name',
      async () => knex('banks').update({ name: knex.raw("name || ' NV'") }),
    ],
  ];

  test.each(changes)('D-37 nothing is recorded if %s', async (_, change) => {
    const sent = await service.send({ ibans: [newIban(), newIban()] });
    const opened = hiddenFields((await service.ask(sent.path)).body);
    await change(sent);
    for (const fields of [signed, declined, { answer: 'signed' }]) {
      const { status, body } = await service.postTo(sent.path, { ...opened, ...fields });
      expect(status).toBe(422);
      expect(body).toContain(changed);
      expect(body).toContain('<title>Error: ');
    }
    await expectNoAnswer(sent);
  });

  test('D-37 the page shows the new name, keeps the entered one, and asks for consent again', async () => {
    const sent = await service.send({ customerName: 'Bakkerij De Gouden Korst' });
    const opened = hiddenFields((await service.ask(sent.path)).body);
    await renameCustomer(knex, sent, 'Slagerij Het Mes');
    const { body } = await service.postTo(sent.path, { ...opened, ...signed });
    expect(body).toContain('Slagerij Het Mes');
    expect(body).not.toContain('Gouden Korst');
    expect(body).toContain('value="An Peeters"');
    expect(/<input id="consent"[^>]*>/.exec(body)?.[0]).not.toContain('checked');
    expect(body.match(/role="alert"/g)).toHaveLength(1);
    expect(body.indexOf('role="alert"')).toBeLessThan(body.indexOf('Slagerij Het Mes</dd>'));
    const again = await service.postTo(sent.path, { ...hiddenFields(body), ...signed });
    expect(again.status).toBe(303);
    expect((await shownOf(sent)).customer.name).toBe('Slagerij Het Mes');
  });

  test('D-37 a mistake in the form does not hide the change', async () => {
    const sent = await service.send();
    const opened = hiddenFields((await service.ask(sent.path)).body);
    await renameCustomer(knex, sent, 'Slagerij Het Mes');
    const { body } = await service.postTo(sent.path, { ...opened, ...signed, name: '' });
    expect(body).toContain(changed);
    expect(/<input id="consent"[^>]*>/.exec(body)?.[0]).not.toContain('checked');
  });

  test.each([{}, { shown: '' }, { shown: 'x' }, { shown: '0'.repeat(64) }])(
    'D-37 an answer to an unknown page (%j) is not recorded',
    async (fields) => {
      const sent = await service.send();
      const { status, body } = await service.postTo(sent.path, { ...signed, ...fields });
      expect(status).toBe(422);
      expect(body).toContain(changed);
      await expectNoAnswer(sent);
    },
  );

  test('D-37 the page in another language is another page', async () => {
    const sent = await service.send({ language: 'en' });
    const opened = hiddenFields((await service.ask(`${sent.path}?lang=fr`)).body);
    expect((await service.postTo(sent.path, { ...opened, ...signed })).body).toContain(changed);
    await expectNoAnswer(sent);
    const { status } = await service.postTo(`${sent.path}?lang=fr`, { ...opened, ...signed });
    expect(status).toBe(303);
    expect((await shownOf(sent)).language).toBe('fr');
  });

  test('D-37 that the message is recorded as sent, which adds the last day, is no change', async () => {
    const sent = await service.send();
    const row = () => knex('signature_requests').where({ id: sent.requestId });
    const { sent_on, expires_on } = await row().first();
    await row().update({ sent_on: null, sent_to: null, expires_on: null });
    const { body } = await service.ask(sent.path);
    expect(body).not.toContain('Answer before');
    await row().update({ sent_on, expires_on });
    expect((await service.ask(sent.path)).body).toContain('Answer before');
    const { status } = await service.postTo(sent.path, { ...hiddenFields(body), ...signed });
    expect(status).toBe(303);
  });
});
