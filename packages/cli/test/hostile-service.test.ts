import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.js';
import { rounds } from '../../../test/support/rounds.js';
import { TestService } from '../../client/test/support/test-service.js';
import { TestStorage } from '../../client/test/support/test-storage.js';
import { layouts, safeName } from '../src/folder/layout.js';
import { runAdx } from './support/run-adx.js';

const service = new TestService();
const storage = new TestStorage();
let base: string;
beforeAll(async () => {
  await Promise.all([service.start(), storage.start()]);
  storage.answering = (response) => response.writeHead(200, { 'content-length': 4 }).end('evil');
  base = await realpath(await mkdtemp(join(tmpdir(), 'adx-hostile-')));
});
afterAll(async () => {
  await Promise.all([service.stop(), storage.stop()]);
  await rm(base, { recursive: true });
});

/** Texts that lead out of a folder, or that an operating system reads in its own way. */
const nasty = fc.oneof(
  fc.constantFrom(
    ...['..', '.', '', '/', '../../evil', '..\\..\\evil', '.adx', '.adx/ledger.jsonl', 'C:\\evil'],
    ...[
      'CON',
      'NUL.txt',
      'nul .cod',
      '-rf',
      'COM1',
      'lpt²',
      'name. .',
      ' . ',
      'a:stream',
      '\0',
      'a\0b',
    ],
    ...['\u202egpj.exe', '~', '$HOME', '%2e%2e%2f', 'é'.repeat(400), '\ud800', '／..／', 'ﬁ'],
  ),
  fc.constant('/evil').map((name) => `${base}${name}`),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc
    .array(fc.constantFrom('..', '/', '\\', 'evil', 'CON', '.', ' ', ':'))
    .map((all) => all.join('')),
);
const value = fc.oneof({ weight: 9, arbitrary: nasty }, { weight: 1, arbitrary: fc.jsonValue() });
const fileName = fc.oneof(
  { weight: 30, arbitrary: fc.stringMatching(/^[A-Za-z0-9_]{5,9}[.]cod$/) },
  value,
);
const file = fc.record({
  ...{ id: value, fileName, statementDate: nasty, statementNumber: fc.nat(9), processedOn: nasty },
});
const customer = fc.record(
  {
    accountingRef: value,
    enterpriseNumber: value,
    year: value,
    group: value,
    files: fc.array(file, { maxLength: 3 }),
  },
  { requiredKeys: ['files', 'enterpriseNumber'] },
);

/** Matches parts that a system forbids, hides or changes, or a program takes for an option. */
const forbidden =
  /[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]|^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]) *(\.|$)|^\.(?!adx$)|^-|[. ]$/iu;

test.each<[unknown]>([[undefined], [null], [true], [[]], [{}], [{ toString: 1 }]])(
  'D-51 %j, in place of a name, gives the name that is used otherwise',
  (answer) => expect(safeName(answer, 'file')).toBe('file'),
);

test('D-51 whatever a service answers, pull writes nothing outside its folder', async () => {
  const folder = join(base, 'home/statements');
  await fc.assert(
    fc.asyncProperty(
      fc.array(customer, { maxLength: 3 }),
      fc.constantFrom(...layouts),
      async (customers, layout) => {
        await rm(base, { recursive: true, force: true });
        await mkdir(folder, { recursive: true });
        await writeFile(join(base, 'home/.profile'), 'mine');
        for (const [list, groups, kind] of [
          ['coda-files', 'ibans', 'coda'],
          ['codb-files', 'payrollProviders', 'codb'],
        ] as const) {
          const json = customers.map(({ files, group, year, ...each }) => ({
            ...each,
            [groups]: [
              {
                ...{ iban: group, payrollProvider: group, year },
                files: files.map((it) => ({ ...it, urls: { [kind]: `${storage.url}/a` } })),
              },
            ],
          }));
          service.on(`POST /${list}`, () => ({ json }));
          service.on(`POST /${list}/acknowledgements`, () => ({ json: {} }));
        }
        const env = {
          ADX_URL: service.baseUrl,
          ADX_API_KEY: 'adx_test_key',
          ADX_USERNAME: 'els',
          ADX_PASSWORD: 'password',
        };
        await runAdx(['pull', folder, '--layout', layout], { env });
        expect(await readdir(base)).toEqual(['home']);
        expect((await readdir(join(base, 'home'))).sort()).toEqual(['.profile', 'statements']);
        const entries = await readdir(folder, { recursive: true, withFileTypes: true });
        for (const { name } of entries) {
          expect(name).not.toMatch(forbidden);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        }
        const ledger = entries.filter(({ parentPath }) => parentPath === join(folder, '.adx'));
        expect(
          ledger
            .map(({ name }) => name)
            .filter((name) => !/^(incoming|ledger\.jsonl|lock)$/.test(name)),
        ).toEqual([]);
      },
    ),
    { numRuns: rounds({ short: 20, all: 60 }) },
  );
});
