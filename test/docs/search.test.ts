import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCatalogue, operations } from '@adx/contract';
import { codaFindings } from '@adx/statements';
import { expect, test } from 'vitest';
import { searchEntries } from '../../docs/search/entries.js';
import { searchIn } from '../../docs/search/find.js';
import { assemble } from '../../docs/site/assemble.js';
import { repository } from '../support/run-command.js';

const decisions = await readdir(join(repository, 'docs/decisions'));
const entries = searchEntries(await assemble(repository, ['1.0.0'], decisions));
const find = searchIn(entries);
const firstOf = (typed: string) => find(typed)[0]?.path ?? 'nothing';

/** Queries of developers of partners, and the pages of which one must come first. */
const queries: Readonly<Record<string, RegExp>> = {
  '403': /^errors\/(invalidApiKey|insufficientScope|belongsToAnotherTenant|portalOnly)\.html$/,
  '404': /^errors\/notFound\.html$/,
  'wrong api key': /^errors\/invalidApiKey\.html$/,
  'expired api key': /^errors\/invalidApiKey\.html$/,
  '409': /^errors\/\w+\.html$/,
  '429': /^errors\/tooManyRequests\.html$/,
  'too many requests': /^errors\/tooManyRequests\.html$/,
  'iban in use': /^errors\/ibanInUse\.html$/,
  'token expired': /^errors\/tokenExpired\.html$/,
  createCustomer: /#operation\/createCustomer$/,
  'create customer': /#operation\/createCustomer$/,
  'archive customer': /#operation\/archiveCustomer$/,
  'POST /customers/create': /#operation\/createCustomer$/,
  acknowledge: /^guide\/files\.html|#operation\/acknowledge/,
  idempotency: /^guide\/repeating\.html/,
  'Retry-After': /^guide\/(repeating|limits)\.html/,
  'sign in': /^guide\/signing-in\.html/,
  login: /^guide\/signing-in\.html|^tools\/command-line\.html#sign-in$/,
  'refresh token': /^guide\/signing-in\.html|^help\/glossary\.html|#operation\/getToken$/,
  'rate limit': /^guide\/limits\.html/,
  pagination: /^guide\/limits\.html#paging$|^help\/questions\.html#how-do-i-read/,
  webhook: /^help\/questions\.html#are-there-webhooks/,
  postman: /^help\/questions\.html#can-i-use-postman|^tools\/languages\.html/,
  timezone: /^help\/questions\.html#which-time-zone/,
  coda: /^tools\/coda\.html/,
  camt: /^tools\/statements\.html|^help\/(glossary|questions)\.html/,
  upload: /^guide\/uploads\.html/,
  s3: /^guide\/uploads\.html|^help\/glossary\.html/,
  sigv4: /^guide\/uploads\.html|^help\/glossary\.html/,
  sandbox: /^tools\/sandbox\.html$/,
  php: /^guide\/quick-start\.html$/,
  python: /^guide\/quick-start\.html$/,
  java: /^guide\/quick-start\.html$/,
  'c#': /^guide\/quick-start\.html$/,
  dotnet: /^guide\/quick-start\.html$/,
  curl: /^guide\/quick-start\.html$/,
  nuget: /^help\/questions\.html#is-there-a-client-for/,
  composer: /^help\/questions\.html#is-there-a-client-for/,
  powershell: /^guide\/quick-start\.html$|^tools\/sandbox\.html#on-windows$/,
  'environment variables': /^guide\/quick-start\.html$/,
  rekeninguittreksel: /^help\/glossary\.html#statement$/,
  'extrait de compte': /^help\/glossary\.html#statement$/,
  'mandate rejected': /^guide\/mandates\.html/,
  'missing statement': /^guide\/missing-statements\.html$/,
  pdf: /^guide\/files\.html|^help\/questions\.html#how-do-i-get-a-statement-as-pdf/,
  payroll: /PayrollProvider|^guide\/(mandates|customers)\.html|^help\/glossary\.html/,
  'social secretariat': /^help\/glossary\.html/,
  'openapi.yaml': /^help\/questions\.html#can-i-use-postman|^tools\/languages\.html/,
  types: /^tools\/(client|languages)\.html/,
  deprecation: /^guide\/versions\.html/,
  BIC: /^help\/glossary\.html|#operation\/listBanks$/,
  'request id': /^help\/support\.html/,
  support: /^help\/support\.html$/,
  'delete a customer':
    /^help\/questions\.html#can-a-customer-be-deleted|#operation\/archiveCustomer$/,
  'error codes': /^errors\/index\.html$/,
  'how do I get an API key': /^guide\/going-live\.html$/,
  'duplicate customer': /^errors\/customerExists\.html$/,
  install: /^guide\/quick-start\.html|^tools\//,
  'Idempotency-Key': /^guide\/repeating\.html$/,
  requestMandate: /#operation\/requestMandate$/,
  'mail folder': /^tools\/sandbox\.html$/,
  'e-mail': /^tools\/sandbox\.html$|^guide\/(mandates|customers)\.html/,
  'react native': /^tools\/client\.html/,
  proxy: /^tools\/client\.html#proxies$/,
  docker: /^tools\/sandbox\.html/,
  'load test': /^tools\/sandbox\.html|^guide\/limits\.html/,
};

test.each(Object.entries(queries))(
  'D-52 the search for "%s" finds first what it is about',
  (typed, place) => {
    expect(firstOf(typed)).toMatch(place);
  },
);

test('D-52 the search finds each error by its code, each operation by its name and path, and each finding by its code', () => {
  for (const [code, { message }] of Object.entries(errorCatalogue)) {
    expect(firstOf(code)).toBe(`errors/${code}.html`);
    expect(firstOf(message)).toBe(`errors/${code}.html`);
  }
  for (const { operationId, client } of Object.values(operations)) {
    expect(firstOf(operationId)).toBe(`reference/index.html#operation/${operationId}`);
    expect(firstOf(`${client.resource}.${client.method}`)).toBe(firstOf(operationId));
  }
  // Codes such as `balance` are also ordinary words.
  for (const code of Object.keys(codaFindings).filter((each) => /[A-Z]/.test(each))) {
    expect(firstOf(code)).toMatch(new RegExp(`^findings/\\w+\\.html#${code}$`));
  }
});

test('D-52 the search is exact for numbers, and finds words with a mistake', () => {
  const found = find('403').slice(0, 3);
  expect(found.map(({ names }) => names.includes('403'))).toEqual([true, true, true]);
  expect(firstOf('acknowlege')).toMatch(/^guide\/files\.html|#operation\/acknowledge/);
});

test("D-52 the search shows partners' pages before those of operators, and decisions and proofs last, except by number", () => {
  const groups = find('mandate').map(({ path }) =>
    /^(decisions|operators\/proofs)/.test(path) ? 2 : path.startsWith('operators/') ? 1 : 0,
  );
  expect(new Set(groups).size).toBe(3);
  expect(groups).toEqual(groups.toSorted());
  expect(firstOf('D-27')).toMatch(/^decisions\/D-27-/);
});

test.each(['constructor', '"', '<img src=x onerror=alert(1)>', 'שלום', '?', '$&'])(
  'D-52 the search takes %s like any other text',
  (typed) => {
    expect(() => find(typed)).not.toThrow();
  },
);

test('D-52 what a result shows is text of its page, without marks of lists, and its place is not its title again', () => {
  const operation = find('acknowledgeCodaFiles')[0];
  expect(operation?.text).not.toMatch(/codaFiles\.|tooManyRequests/);
  expect(entries.filter(({ title, place }) => title === place)).toEqual([]);
  const list = entries.find(({ path }) => path === 'tools/command-line.html#pull');
  expect(list?.text).toMatch(/^A file is acknowledged .+\. \w/);
  expect(list?.text).not.toMatch(/\. - /);
});
