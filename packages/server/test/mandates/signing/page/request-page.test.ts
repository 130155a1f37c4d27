import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { setFirmDisabled } from '../../../../src/identity/disable-firm.js';
import { deliveriesOfFirm } from '../../../../src/mandates/disabled-firms.js';
import { languages, textsIn } from '../../../../src/mandates/signing/texts/all-texts.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, hiddenFields, signed, signingServiceForFile } from './signing-service.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

describe('signing page: the request', () => {
  test('D-13 D-17 it shows the firm, the customer, all accounts and providers, and the last day', async () => {
    await knex('banks').where({ bic: 'BBRUBEBB' }).update({ connector_id: 7 });
    const belfius = newIban();
    const ing = newIban('363');
    const [provider] = await knex('payroll_providers').where({ supported: true }).orderBy('code');
    const { path } = await service.send({
      firmName: 'Kantoor Janssens',
      customerName: 'Bakkerij De Gouden Korst',
      ibans: [belfius, ing],
      payrollProviders: [provider.code],
    });
    const { status, body } = await service.ask(path);
    expect(status).toBe(200);
    for (const shown of [
      'Kantoor Janssens',
      'Bakkerij De Gouden Korst',
      belfius.replaceAll(/.{4}(?=.)/g, '$& '),
      'BELFIUS',
      ing.replaceAll(/.{4}(?=.)/g, '$& '),
      'Consent, to be renewed every 180 days',
      provider.name_nl,
      '2 December 2026',
      'these 3 mandates',
    ]) {
      expect(body).toContain(shown);
    }
    expect(body.match(/180 days/g)).toHaveLength(1);
    expect(body).toMatch(/\d{4}\.\d{3}\.\d{3}/);
  });

  test('D-36 it says how to reach the firm, before and after the answer', async () => {
    const { path, customerId } = await service.send();
    expect((await service.ask(path)).body).not.toContain('Questions?');
    const { firm_id: id } = await knex('customers').where({ id: customerId }).first('firm_id');
    await knex('firms')
      .where({ id })
      .update({ email: 'info@janssens.example', phone: '09/000.00.01' });
    const reach = [
      'Questions? Ask Kantoor Janssens:',
      '<a href="mailto:info@janssens.example">info@janssens.example</a>',
      '<a href="tel:090000001">09/000.00.01</a>',
    ].join('');
    expect((await service.ask(path)).body).toContain(reach);
    await service.post(path, declined);
    expect((await service.ask(path)).body).toContain(reach);
  });

  test('signing page: names are escaped', async () => {
    const name = `<script>alert("1")</script> & 'Zonen'`;
    const { path } = await service.send({ firmName: name, customerName: name });
    const pending = await service.ask(path);
    const wrong = await service.post(path, {
      ...signed,
      name: `"><script>2</script>`,
      consent: '',
    });
    await service.post(path, { ...signed, name: '<script>x</script>' });
    const outcome = await service.ask(path);
    for (const { body } of [pending, wrong, outcome]) {
      expect(body).not.toMatch(/<script/i);
      expect(body).toContain('&lt;script>');
    }
  });
});

test.each(languages)(
  'D-13 the page is in the language of the contact by default: %s',
  async (language) => {
    const { path } = await service.send({ language });
    const { headers, body } = await service.ask(path, { headers: { 'accept-language': 'pl' } });
    expect(headers['content-language']).toBe(language);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${textsIn[language].mail.sign}</h1>`);
  },
);

test.each(languages)('D-13 ?lang=%s overrides the language of the contact', async (lang) => {
  const { path, token } = await service.send({ language: lang === 'fr' ? 'nl' : 'fr' });
  const { body } = await service.ask(`${path}?lang=${lang}`);
  expect(body).toContain(`<html lang="${lang}">`);
  expect(body).toMatch(new RegExp(`<a href="\\?lang=${lang}"[^>]* aria-current="true"`));
  const wrong = await service.post(`${path}?lang=${lang}`, { answer: 'signed' });
  expect(wrong.body).toContain(textsIn[lang].problems.nameMissing);
  const answer = await service.post(`${path}?lang=${lang}`, declined);
  expect(answer.headers.location).toBe(`${token}?lang=${lang}`);
  const outcome = await service.ask(`${path}?lang=${lang}`);
  expect(outcome.body).toContain(`<h1>${textsIn[lang].outcomes.declined('').title}</h1>`);
});

test.each(['pl', '', 'toString', '<script>', 'fr&lang=nl'])(
  'D-13 with the unknown ?lang=%s the page is in the language of the contact',
  async (lang) => {
    const { path, token } = await service.send({ language: 'de' });
    expect((await service.ask(`${path}?lang=${lang}`)).body).toContain('<html lang="de">');
    const answer = await service.post(`${path}?lang=${lang}`, {
      answer: 'declined',
      consent: 'yes',
    });
    expect(answer.headers.location).toBe(token);
  },
);

test.each([
  ['nl-BE,nl;q=0.9,en;q=0.5', 'nl'],
  ['pl, fr-BE;q=0.4, de;q=0.3', 'fr'],
  ['de', 'de'],
  ['pl', 'en'],
  ['*', 'en'],
])(
  'D-13 the page of an unknown link is in a language of the browser: %s',
  async (accepted, language) => {
    const headers = { 'accept-language': accepted };
    const { status, body } = await service.ask('/sign/x', { headers });
    expect(status).toBe(404);
    expect(body).toContain(`<html lang="${language}">`);
    expect((await service.ask('/sign/x?lang=fr', { headers })).body).toContain('<html lang="fr">');
  },
);

test('D-13 without a language of the browser the page of an unknown link is in English', async () => {
  expect((await service.ask('/sign/x')).body).toContain('<html lang="en">');
});

test.each(languages)(
  'signing page: %s has one heading, landmarks and labelled fields',
  async (lang) => {
    const { path } = await service.send({ language: lang });
    for (const { body } of [
      await service.ask(path),
      await service.post(path, { answer: 'signed' }),
    ]) {
      expect(body.match(/<h1/g)).toHaveLength(1);
      expect(body.match(/<(main|header|nav|footer)[ >]/g)).toHaveLength(4);
      expect(body).toContain(`<nav aria-label="${textsIn[lang].languages}">`);
      for (const id of ['name', 'consent']) {
        expect(body).toMatch(new RegExp(`<label for="${id}">`));
        expect(body).toMatch(new RegExp(`<input id="${id}"`));
      }
      expect(body).not.toMatch(/undefined|\[object|null/);
    }
  },
);

const titles = {
  en: 'You cannot sign at the moment',
  nl: 'U kunt op dit moment niet ondertekenen',
  fr: 'Vous ne pouvez pas signer pour le moment',
  de: 'Sie können zurzeit nicht unterzeichnen',
};

test('D-60 contacts of a disabled firm can neither sign nor decline, which the page says in their language', async () => {
  const { path, requestId } = await service.send();
  const { firm_id } = await knex('signature_requests').where({ id: requestId }).first('firm_id');
  const form = hiddenFields((await service.ask(path)).body);
  await setFirmDisabled(knex, deliveriesOfFirm, firm_id, true);
  for (const [language, title] of Object.entries(titles)) {
    const { status, body } = await service.ask(`${path}?lang=${language}`);
    expect(status).toBe(200);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).not.toContain('<form');
  }
  for (const answer of [signed, declined]) {
    expect((await service.postTo(path, { ...form, ...answer })).status).toBe(303);
  }
  const request = knex('signature_requests').where({ id: requestId });
  expect(await request.clone().first('answer')).toEqual({ answer: null });

  await setFirmDisabled(knex, deliveriesOfFirm, firm_id, false);
  expect((await service.post(path, signed)).status).toBe(303);
  expect(await request.clone().first('answer')).toEqual({ answer: 'signed' });
});
