import type { Language } from '@adx/contract';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { rounds } from '../../../../../test/support/rounds.js';
import { readPdf } from '../../../../statements/test/pdf/read-pdf.js';
import {
  answeredText,
  exclusionsOf,
  readEvidence,
} from '../../../src/mandates/signing/evidence.js';
import { evidenceFiles } from '../../../src/mandates/signing/evidence-files.js';
import type { ShownText } from '../../../src/mandates/signing/shown-request.js';
import { textsIn } from '../../../src/mandates/signing/texts/all-texts.js';
import { knexForFile } from '../../support/knex-for-file.js';
import { seededRandom } from '../../support/seeded-random.js';
import { hiddenFields, type SentRequest, signingServiceForFile } from './page/signing-service.js';
import { renameCustomer, renameFirm, storedEvidence } from './page/stored-evidence.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

const languages: readonly Language[] = ['fr', 'nl', 'de', 'en'];
const letters = [
  ...['Bakkerij ', 'Ünïçødé', 'Ελένη ', 'Анна ', 'ő', 'ﬁ', 'ß', '日本', '🥐', 'e\u0301', 'عربي'],
  ...['\u00a0', '\u200b', '  ', ...'<b> &amp; " \' \\ \\u0041 } { % $& 0'.split(' ')],
];

test('D-37 the evidence of random requests is what their page showed, and its hash fits nothing else', async () => {
  const sequences = rounds({ short: 6, proof: 500 });
  for (let seed = 1; seed <= sequences; seed += 1) await checkEvidence(seed);
});

/**
 * Signs or declines a random request, whose names change now and then before or while it is
 * answered. Checks that the stored evidence is what the page showed that was answered, that the
 * page and the PDF show it later, and that the hash notices each changed character.
 */
async function checkEvidence(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Value>(values: readonly Value[]): Value =>
    values[below(values.length)] ?? expect.fail();
  const newName = () => `A${Array.from({ length: 1 + below(12) }, () => oneOf(letters)).join('')}z`;
  const providers = await knex('payroll_providers').where({ supported: true }).pluck('code');
  const sent = await service.send({
    ...{ firmName: newName(), customerName: newName(), language: oneOf(languages) },
    ibans: Array.from({ length: 1 + below(4) }, () => newIban()),
    payrollProviders: providers.slice(0, below(3)),
  });
  const path = random() < 0.5 ? sent.path : `${sent.path}?lang=${oneOf(languages)}`;

  let page = (await service.ask(path)).body;
  const answer = random() < 0.8 ? 'signed' : 'declined';
  const name = newName();
  const [, only] = /name="excluded" type="checkbox" value="(\d+)"/.exec(page) ?? [];
  const excluding = only !== undefined && random() < 0.5 ? { excluded: only } : {};
  for (;;) {
    const renamed = oneOf(['never', 'never', 'before', 'during']);
    if (renamed === 'before') await rename(sent, newName());
    const renaming = renamed === 'during' ? rename(sent, newName()) : undefined;
    const fields = { ...hiddenFields(page), answer, name, consent: 'yes', ...excluding };
    const [{ status, body }] = await Promise.all([service.postTo(path, fields), renaming]);
    if (renamed === 'never') expect(status).toBe(303);
    if (renamed === 'before') expect(status).toBe(422);
    expect((await storedEvidence(knex, sent)) === undefined).toBe(status === 422);
    if (status === 303) break;
    // The page that came back during a change may be out of date already.
    page = renamed === 'during' ? (await service.ask(path)).body : body;
  }
  const stored = (await storedEvidence(knex, sent)) ?? expect.fail('there is no evidence');
  const evidence = readEvidence(stored);
  const { language, text, mandates } = evidence.shown;
  const shown = textsOfShown(text);
  expect(shown).toEqual(textsOfRequest(page, textsIn[language].facts.answerBefore));
  const [refusal = ''] = /<label for="refuse">.*<button class="decline"/.exec(page) ?? [];
  expect(textsOf(refusal)).toEqual([text.decline, text.refusal]);
  expect(evidence.answer).toBe(answer);
  expect(evidence.signer.name).toBe(answer === 'signed' ? name.trim() : null);
  const answered = knex('asked_mandates').where({ request_id: sent.requestId, is_answered: true });
  expect(mandates.map(({ id }) => id).sort()).toEqual(
    await answered.orderBy('mandate_id').pluck('mandate_id'),
  );

  const marked = textsOfShown(text, exclusionsOf(evidence));
  expect(evidence.excluded).toEqual(
    answer === 'signed' && 'excluded' in excluding ? [mandates[Number(only) - 1]?.id] : [],
  );
  await rename(sent, newName());
  const outcome = (await service.ask(path)).body;
  expect(textsOf(outcome.slice(outcome.indexOf('class="shown"')))).toEqual([
    ...[...marked.slice(1, -1), ...answeredText(evidence)],
  ]);
  expect(outcome).toContain(stored.sha256);
  const [pdf] = await evidenceFiles(evidence);
  const printed = readPdf(pdf?.content ?? Buffer.alloc(0))
    .flatMap((sheet) => sheet.slice(0, -1))
    .map((each) => each.text);
  const answeredShown = [...marked.slice(0, -1), ...answeredText(evidence)];
  expect(printable(printed.join(''))).toContain(printable(answeredShown.join('')));

  const { content } = stored;
  for (let at = 0; at < content.length; at += 1) {
    const changed =
      content.slice(0, at) + (content[at] === 'x' ? 'y' : 'x') + content.slice(at + 1);
    expect(() => readEvidence({ ...stored, content: changed }), `at ${at}`).toThrow(
      'does not fit the hash',
    );
  }
}

/** Returns the texts of evidence in the order of the page. */
function textsOfShown(
  { title, lead, facts, sections, exclude, meaning, consent }: ShownText,
  exclusions?: readonly string[],
): string[] {
  const marks = exclusions?.values();
  const mark = () => (exclude === undefined ? [] : [marks?.next().value ?? exclude]);
  return [
    ...[title, lead, ...facts.flatMap(({ label, value }) => [label, value])],
    ...sections.flatMap(({ heading, entries, purpose }) => [
      ...[heading, ...entries.flatMap(({ name, notes }) => [name, ...notes, ...mark()]), purpose],
    ]),
    ...[meaning.title, ...meaning.paragraphs, consent],
  ];
}

/** Renames the customer and the firm. */
async function rename(sent: SentRequest, name: string) {
  await renameCustomer(knex, sent, name);
  await renameFirm(knex, sent, `${name} 2`);
}

/** Returns the texts of the page that asks for a signature, without the last day and the form. */
function textsOfRequest(page: string, deadline: string): string[] {
  const main = page.slice(page.indexOf('<main>'), page.indexOf('</main>'));
  const asked = main
    .slice(0, main.indexOf('<section'))
    .replace(/<div class="alert".*?<\/div>/s, '');
  const texts = textsOf(asked);
  const at = texts.indexOf(deadline);
  expect(at).toBeGreaterThan(0);
  const [consent = ''] = /<label for="consent">[^<]*</.exec(main) ?? [];
  return [...texts.slice(0, at), ...texts.slice(at + 2), ...textsOf(consent)];
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&quot;': '"', '&amp;': '&' };

/** Returns the texts between the tags, up to the end of the card. */
function textsOf(html: string): string[] {
  const end = html.indexOf('</main>');
  return [...html.slice(0, end === -1 ? undefined : end).matchAll(/>([^<]+)</g)].map(
    ([, text = '']) =>
      text.replaceAll(/&(?:lt|quot|amp);/g, (entity) => entities[entity] ?? entity),
  );
}

/** Returns the characters that the font of the PDF has, without spaces and punctuation. */
function printable(text: string): string {
  return text.replaceAll(/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]/gu, '');
}
