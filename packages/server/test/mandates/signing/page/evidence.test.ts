import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import type { Evidence } from '../../../../src/mandates/signing/evidence.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { changeEvidence } from '../../change-evidence.js';
import { type SentRequest, signed, signingServiceForFile } from './signing-service.js';
import { renameCustomer, renameFirm, storedEvidence } from './stored-evidence.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

async function evidenceOf(sent: SentRequest): Promise<Evidence> {
  const stored = await storedEvidence(knex, sent);
  return JSON.parse(stored?.content ?? expect.fail('there is no evidence'));
}

describe('D-37 the stored evidence', () => {
  test('D-37 has the text, language, mandates, signer, time, address and browser, with its hash', async () => {
    const ibans = [newIban(), newIban()];
    const sent = await service.send({ ibans, payrollProviders: ['sdworx'], language: 'nl' });
    service.now = new Date('2026-11-02T09:00:00.987Z');
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await service.post(sent.path, signed, { 'user-agent': userAgent });
    const evidence = await evidenceOf(sent);
    const mandates = await knex('asked_mandates')
      .where({ request_id: sent.requestId, is_answered: true })
      .orderBy('mandate_id')
      .pluck('mandate_id');
    expect(evidence).toMatchObject({
      format: 1,
      excluded: [],
      requestId: sent.requestId,
      answer: 'signed',
      answeredOn: '2026-11-02T09:00:00Z',
      answeredOnInBelgium: '2026-11-02T10:00:00+01:00',
      signer: {
        name: 'An Peeters',
        email: 'an@bakkerij.example',
        ipAddress: '127.0.0.1',
        userAgent,
      },
      shown: {
        language: 'nl',
        firm: { name: 'Kantoor Janssens', email: null, phone: null },
        customer: { id: sent.customerId, name: 'Bakkerij De Gouden Korst' },
      },
    });
    expect(evidence.shown.mandates.map(({ id }) => id)).toEqual(mandates);
    expect(evidence.shown.mandates).toMatchObject([
      { product: 'CODA', iban: ibans[0], isLightConnector: false },
      { product: 'CODA', iban: ibans[1] },
      { product: 'CODB', payrollProviderName: expect.stringMatching(/./) },
    ]);
    const { content, sha256 } = (await storedEvidence(knex, sent)) ?? expect.fail();
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    // PostgreSQL computes the same hash from the stored text.
    const { rows } = await knex.raw(
      `select encode(sha256(convert_to(content, 'UTF8')), 'hex') as hash
         from signature_evidence where request_id = ?`,
      [sent.requestId],
    );
    expect(rows).toEqual([{ hash: sha256 }]);
  });

  test.each([
    ['content', 'content || chr(32)'],
    ['sha256', 'sha256(sha256)'],
    ['request_id', 'request_id'],
  ])(
    'D-37 the database refuses an update of %s, and a deletion or truncation',
    async (column, value) => {
      const sent = await service.send();
      await service.post(sent.path, signed);
      const before = await storedEvidence(knex, sent);
      const update = knex('signature_evidence').update({ [column]: knex.raw(value) });
      await expect(update).rejects.toThrow('evidence never changes');
      await expect(knex('signature_evidence').delete()).rejects.toThrow('evidence never changes');
      const truncation = knex.raw('truncate signature_evidence cascade');
      await expect(truncation).rejects.toThrow('evidence never changes');
      expect(await storedEvidence(knex, sent)).toEqual(before);
    },
  );

  test('D-37 the database refuses an answer without evidence', async () => {
    const sent = await service.send();
    const request = () => knex('signature_requests').where({ id: sent.requestId });
    const answer = { answer: 'signed', answered_on: service.now, signer_name: 'An' };
    await expect(request().update(answer)).rejects.toThrow('an answer needs evidence');
    await request().update({ expires_on: service.now });
    expect(await request().first()).toMatchObject({ answer: null, signer_name: null });
  });

  test('D-37 it is deleted with its request', async () => {
    const sent = await service.send();
    await service.post(sent.path, signed);
    const { requestId: request_id } = sent;
    await knex('mandates').where({ signature_request_id: request_id }).update({
      signature_request_id: null,
    });
    for (const table of ['asked_mandates', 'signing_urls', 'outgoing_mails']) {
      await knex(table).where({ request_id }).delete();
    }
    await knex('signature_requests').where({ id: request_id }).delete();
    expect(await storedEvidence(knex, sent)).toBeUndefined();
  });
});

describe('D-37 the page after the answer', () => {
  test.each(['signed', 'declined'])(
    'D-37 it shows what was %s, whatever was renamed since',
    async (answer) => {
      const sent = await service.send({ customerName: 'Bakkerij De Gouden Korst' });
      const before = (await service.ask(sent.path)).body;
      service.now = new Date('2026-07-02T09:08:07.654Z');
      await service.post(sent.path, { ...signed, answer }, { 'user-agent': 'Firefox <140>' });
      await renameCustomer(knex, sent, 'Slagerij Het Mes');
      await renameFirm(knex, sent, 'Kantoor Maes');
      await knex('customers')
        .where({ id: sent.customerId })
        .update({ contact_email: 'bo@x.example' });
      await knex('banks').update({ name: knex.raw("name || ' NV'") });
      const { body } = await service.ask(sent.path);
      const { sha256 } = (await storedEvidence(knex, sent)) ?? expect.fail();
      for (const shown of [
        ...(answer === 'signed' ? ['>An Peeters<', '>Signed on<'] : ['>Declined on<']),
        '2 July 2026, 11:08:07 (UTC+2)',
        'an@bakkerij.example',
        '127.0.0.1',
        'Firefox &lt;140>',
        sha256,
        'Bakkerij De Gouden Korst',
        `${answer === 'signed' ? '☑' : '☐'} I am authorised to sign for Bakkerij De Gouden Korst`,
      ]) {
        expect(body).toContain(shown);
      }
      for (const refusal of ['☑ I do not want to sign', 'If you decline, no files are sent'])
        expect(body.includes(refusal)).toBe(answer === 'declined');
      expect(body).not.toContain('Slagerij');
      // Each paragraph of the page that was opened, in the same order.
      const textOf = (page: string) => page.match(/<(?:p|h2|li|dd|dt)>[^<]+/g) ?? [];
      const main = /<main>(.*?)<section/s.exec(before)?.[1] ?? '';
      const shown = textOf(main).filter((text) => !/Answer before|\d{4}$/.test(text));
      expect(shown.length).toBeGreaterThan(9);
      expect(textOf(body).filter((text) => shown.includes(text))).toEqual(shown);
    },
  );

  test('D-37 in another language, the signed text stays in its own', async () => {
    const sent = await service.send({ language: 'nl' });
    await service.post(sent.path, signed);
    const { body } = await service.ask(`${sent.path}?lang=de`);
    expect(body).toContain('Unterzeichnet von');
    expect(body).toContain('<div class="shown" lang="nl">');
    expect(body).toContain('Ik mag ondertekenen voor');
  });

  test('D-37 without its evidence, an answer is shown without its signer', async () => {
    const sent = await service.send();
    await service.post(sent.path, signed);
    await changeEvidence(knex, (evidence) =>
      evidence.where({ request_id: sent.requestId }).delete(),
    );
    await renameCustomer(knex, sent, 'Slagerij Het Mes');
    const { status, body } = await service.ask(sent.path);
    expect(status).toBe(200);
    expect(body).toContain('Slagerij Het Mes');
    for (const proof of ['An Peeters', 'Signed on', 'SHA-256']) expect(body).not.toContain(proof);
  });

  test.each([
    ['whose text was changed', 'the text does not fit the hash'],
    ['of another request', 'the text is not the evidence of this signature request'],
  ])('D-37 evidence %s is not shown', async (what, fault) => {
    const sent = await service.send();
    await service.post(sent.path, signed);
    const other = await service.send({ customerName: 'Slagerij Het Mes' });
    await service.post(other.path, signed);
    const { content, sha256 } = await knex('signature_evidence')
      .where({ request_id: other.requestId })
      .first();
    const change =
      what === 'of another request'
        ? { content, sha256 }
        : { content: knex.raw("replace(content, 'An Peeters', 'Bo Maes')") };
    await changeEvidence(knex, (evidence) =>
      evidence.where({ request_id: sent.requestId }).update(change),
    );
    const { status, body } = await service.ask(sent.path);
    expect(status).toBe(500);
    expect(body).not.toMatch(/Maes|Slagerij/);
    expect(service.log()).toContain(
      `The evidence of signature request ${sent.requestId} was changed: ${fault}`,
    );
  });

  test('D-37 a browser that sends an empty name is not shown', async () => {
    const sent = await service.send();
    await service.post(sent.path, signed, { 'user-agent': '' });
    expect((await evidenceOf(sent)).signer.userAgent).toBeNull();
    expect((await service.ask(sent.path)).body).not.toContain('<dt>Browser</dt>');
  });
});
