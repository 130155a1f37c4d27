import { expect, test } from 'vitest';
import { languages, textsIn } from '../../../../src/mandates/signing/texts/all-texts.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, signingServiceForFile } from './signing-service.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

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
