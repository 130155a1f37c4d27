import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { readPdf } from '../../../../../statements/test/pdf/read-pdf.js';
import { operatorScope } from '../../../../src/identity/operator-scope.js';
import { showMandate } from '../../../../src/mandates/listed-mandates.js';
import { readEvidence } from '../../../../src/mandates/signing/evidence.js';
import { evidenceFiles } from '../../../../src/mandates/signing/evidence-files.js';
import { textsIn } from '../../../../src/mandates/signing/texts/all-texts.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { hiddenFields, signed, signingServiceForFile } from './signing-service.js';
import { storedEvidence } from './stored-evidence.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

const statuses = (customerId: string) =>
  knex('mandates').where({ customer_id: customerId }).orderBy('id').pluck('status');

/** A request for two accounts and a payroll provider. */
const send = (language: 'fr' | 'nl' | 'de' | 'en' = 'en') =>
  service.send({ language, ibans: [newIban(), newIban()], payrollProviders: ['sdworx'] });

describe('D-37 signing some of several mandates', () => {
  test.each(['fr', 'nl', 'de', 'en'] as const)(
    'the others are declined, and evidence, page and PDF say which: %s',
    async (language) => {
      const sent = await send(language);
      const { body: page } = await service.ask(sent.path);
      expect(page.match(/name="excluded"/g)).toHaveLength(3);
      expect((await service.post(sent.path, { ...signed, excluded: '2' })).status).toBe(303);
      expect(await statuses(sent.customerId)).toEqual([
        ...['waitingForBank', 'rejectedBySigner', 'waitingForPayrollProvider'],
      ]);
      const asked = await knex('asked_mandates')
        .where({ request_id: sent.requestId })
        .orderBy('mandate_id');
      expect(asked.map(({ is_answered, is_declined }) => [is_answered, is_declined])).toEqual([
        ...[
          [true, false],
          [true, true],
          [true, false],
        ],
      ]);
      const mandates = asked.map(({ mandate_id }) =>
        showMandate(knex, operatorScope(), mandate_id),
      );
      const requests = (await Promise.all(mandates)).flatMap((each) => each?.signatureRequests);
      expect(requests.map((request) => request?.answer)).toEqual([
        ...['signed', 'declined', 'signed'],
      ]);
      const evidence = readEvidence((await storedEvidence(knex, sent)) ?? expect.fail());
      const [, second] = evidence.shown.mandates;
      expect(evidence).toMatchObject({ format: 1, answer: 'signed', excluded: [second?.id] });
      expect(second?.id).toBe(asked[1].mandate_id);
      const { exclude } = textsIn[language].answer;
      const marks = ['☐', '☑', '☐'].map((mark) => `${mark} ${exclude}`);
      const { body } = await service.ask(sent.path);
      expect(body).toContain(`<h1>${textsIn[language].outcomes.partlySigned('').title}</h1>`);
      expect(body.match(new RegExp(`[☐☑] ${exclude}`, 'g'))).toEqual(marks);
      const [pdf] = await evidenceFiles(evidence);
      const printed = readPdf(pdf?.content ?? Buffer.alloc(0)).flat();
      expect(printed.filter(({ text }) => text.endsWith(exclude)).length).toBe(3);
    },
  );

  test('a single mandate has no checkbox, and a request to exclude it is refused', async () => {
    const sent = await service.send();
    expect((await service.ask(sent.path)).body).not.toContain('name="excluded"');
    const { status } = await service.post(sent.path, { ...signed, excluded: '1' });
    expect(status).toBe(422);
    expect(await statuses(sent.customerId)).toEqual(['waitingForSigner']);
  });

  test('excluding all is no answer: the page keeps the ticks and points to declining', async () => {
    const sent = await send();
    const all = new URLSearchParams({
      ...signed,
      ...hiddenFields((await service.ask(sent.path)).body),
    });
    for (const place of ['1', '2', '3']) all.append('excluded', place);
    const { status, body } = await service.ask(sent.path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: all.toString(),
    });
    expect(status).toBe(422);
    expect(body).toContain(textsIn.en.problems.allExcluded);
    expect(body).toContain('href="#mandates"');
    expect(body).toContain('id="mandates"');
    expect(body.match(/value="\d" checked/g)).toHaveLength(3);
    expect(await statuses(sent.customerId)).toEqual(Array(3).fill('waitingForSigner'));
  });

  test('a place that is sent more than once is excluded once', async () => {
    const sent = await send();
    const repeated = new URLSearchParams({
      ...signed,
      ...hiddenFields((await service.ask(sent.path)).body),
    });
    for (const place of ['2', '2', '2']) repeated.append('excluded', place);
    const { status } = await service.ask(sent.path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: repeated.toString(),
    });
    expect(status).toBe(303);
  });

  test.each(['0', '4', '-1', '1.5', 'x', ''])('the place %o is refused', async (excluded) => {
    const sent = await send();
    expect((await service.post(sent.path, { ...signed, excluded })).status).toBe(422);
    expect(await statuses(sent.customerId)).toEqual(Array(3).fill('waitingForSigner'));
  });

  test('ticks are dropped with the page if one of the mandates was closed since', async () => {
    const sent = await send();
    const fields = hiddenFields((await service.ask(sent.path)).body);
    const [first] = await knex('mandates')
      .where({ customer_id: sent.customerId })
      .orderBy('id')
      .pluck('id');
    await knex('mandates').where({ id: first }).update({ closed_on: new Date() });
    // The second place is now that of another mandate.
    const answer = await service.postTo(sent.path, { ...fields, ...signed, excluded: '2' });
    expect(answer.status).toBe(422);
    expect(answer.body).not.toMatch(/ checked/);
    expect(await statuses(sent.customerId)).toEqual(Array(3).fill('waitingForSigner'));
  });

  test('two tabs with different choices: the first counts for all mandates', async () => {
    const sent = await send();
    const answers = await Promise.all(
      ['1', '2', '3'].map((excluded) => service.post(sent.path, { ...signed, excluded })),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const reached = await statuses(sent.customerId);
    expect(reached.filter((status) => status === 'rejectedBySigner')).toHaveLength(1);
    expect(reached).not.toContain('waitingForSigner');
    const evidence = readEvidence((await storedEvidence(knex, sent)) ?? expect.fail());
    const place = reached.indexOf('rejectedBySigner');
    expect(evidence.excluded).toEqual([evidence.shown.mandates[place]?.id]);
  });
});
