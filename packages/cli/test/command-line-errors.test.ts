import { expect, test } from 'vitest';
import { runAdx } from './support/run-adx.js';

/** The command lines that are refused before any call, and what is said. */
const refused: readonly (readonly [line: string, said: string])[] = [
  ['custmers list', 'There is no command custmers. Did you mean customers? Add --help for help.'],
  ['help custmers', 'There is no command custmers. Did you mean customers? Add --help for help.'],
  ['customers help shw', 'There is no command shw. Did you mean show? Add --help for help.'],
  [
    'list',
    'There is no command list. Did you mean customers list, files list, mandates list or uploads list? Add --help for help.',
  ],
  ['sync', 'There is no command sync. Did you mean pull? Add --help for help.'],
  ['customers get', 'There is no command get. Add --help for help.'],
  ['configure', 'There is no command configure. Did you mean login? Add --help for help.'],
  [
    'completion tcsh',
    'There is no script for tcsh. Give one of bash, zsh, fish, powershell. Add --help for help.',
  ],
  [
    'uploads list --status procesed',
    '--status cannot be "procesed". Give one of received, processed, rejected, failed. Did you mean processed?',
  ],
  ['pull _', '<folder> cannot be " ". It is empty.'],
  ['pull x --lay', 'There is no option --lay. Did you mean --layout? Add --help for help.'],
  ['pull', 'The argument <folder> is missing. Add --help for help.'],
  ['hello again', 'There are too many arguments for hello: 1 instead of 0. Add --help for help.'],
  ['missing --iban', 'The option --iban needs a value.'],
  [
    'push a.cod --product CODB',
    '--product cannot be "CODB". Give one of coda, codb. Did you mean codb?',
  ],
  [
    'customers create --contact-language it',
    '--contact-language cannot be "it". Give one of fr, nl, de, en.',
  ],
  ['push a.cod --product camt', '--product cannot be "camt". Give one of coda, codb.'],
  ['pull x --every 5', '--every cannot be "5". Give a time such as 30s, 15m or 1h, at most 24h.'],
  [
    'missing --iban BE71_0961_2345_6768',
    '--iban cannot be "BE71 0961 2345 6768". BE71 0961 2345 6768 is not an IBAN: its check digits are wrong.',
  ],
  [
    'customers list --iban be7109612345676',
    '--iban cannot be "be7109612345676". be7109612345676 is not an IBAN: one of BE has 16 characters, and not 15.',
  ],
  [
    'mandates list --iban NL91ABNA041716430X',
    '--iban cannot be "NL91ABNA041716430X". NL91ABNA041716430X is not an IBAN: it has a letter or a sign in the place of a digit.',
  ],
  [
    'mandates list --iban 0961-2345',
    '--iban cannot be "0961-2345". 0961-2345 is not an IBAN: it does not begin with a country that has IBANs, such as BE.',
  ],
  [
    'files list --number 0765.432.147',
    '--number cannot be "0765.432.147". 0765.432.147 is not an enterprise number: its check digits are wrong.',
  ],
  [
    'files list --number 0765.432.14',
    '--number cannot be "0765.432.14". 0765.432.14 is not an enterprise number: that has ten digits, of which the first is 0 or 1.',
  ],
  [
    'mandates watch --customer nope',
    '--customer cannot be "nope". nope is not an id such as 673f0c2a9b1d4e8f7a6c5b4d.',
  ],
  [
    'uploads show nope',
    '<upload> cannot be "nope". nope is not an id such as 673f0c2a9b1d4e8f7a6c5b4d.',
  ],
  [
    'customers show 97',
    '<customer> cannot be "97". 97 is not an enterprise number: that has ten digits, of which the first is 0 or 1.',
  ],
  [
    'mandates watch --since 2026-02-30T08:00:00Z',
    '--since cannot be "2026-02-30T08:00:00Z". 2026-02-30T08:00:00Z is not an instant: there is no day 2026-02-30.',
  ],
  [
    'mandates watch --since 2026-03-02',
    '--since cannot be "2026-03-02". 2026-03-02 is not an instant such as 2026-03-02T08:00:00+01:00, with Z or an offset.',
  ],
  [
    'uploads --since 2026-03-02T24:00:00Z',
    '--since cannot be "2026-03-02T24:00:00Z". 2026-03-02T24:00:00Z is not an instant such as 2026-03-02T08:00:00+01:00, with Z or an offset.',
  ],
  ['missing --iban _', '--iban cannot be " ". It is empty.'],
  ['uploads lst', 'There is no command lst. Did you mean list? Add --help for help.'],
  ['help uploads shw', 'There is no command shw. Did you mean show? Add --help for help.'],
  ['uploads list x', 'There are too many arguments for list: 1 instead of 0. Add --help for help.'],
  ['customers update 0765.432.146 --name _', '--name cannot be " ". It is empty.'],
  ['call getMandate --mandate-id _', '--mandate-id cannot be " ". It is empty.'],
  [
    'customers create --enterprise-number 0765.432.147 --name x --country BE --street y',
    '--zip-code, --municipality, --contact-name, --contact-function, --contact-email, --contact-language are missing. 0765.432.147 is not an enterprise number: its check digits are wrong.',
  ],
  [
    'customers show bakkerij',
    '<customer> cannot be "bakkerij". bakkerij is neither an id nor an enterprise number.',
  ],
];

test.each(refused)('D-51 adx %s is refused before any call, in a sentence', async (line, said) => {
  const words = line.split(' ').map((word) => word.replaceAll('_', ' '));
  // Nothing says where the service is.
  expect(await runAdx(words)).toEqual({ exitCode: 2, stdout: '', stderr: `error: ${said}\n` });
  const { exitCode, stdout, stderr } = await runAdx([...words, '--json']);
  // An option without its value takes the next word for it.
  if (line.endsWith('--iban')) return;
  expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
    2,
    '',
    { message: said, code: 'wrongUse' },
  ]);
});

test('D-51 a command that is not complete shows its help, with --json an error', async () => {
  const { exitCode, stdout, stderr } = await runAdx(['customers']);
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringContaining('create customers from a CSV file'),
  ]);
  const json = await runAdx(['customers', '--json']);
  const message = 'The command is not complete. Add --help for help.';
  expect([json.exitCode, JSON.parse(json.stderr)]).toEqual([2, { message, code: 'wrongUse' }]);
  expect((await runAdx(['customers', '--help'])).exitCode).toBe(0);
});

test('D-51 settings that are missing are one JSON object with --json', async () => {
  const { exitCode, stdout, stderr } = await runAdx(['customers', 'list', '--json']);
  expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
    2,
    '',
    { code: 'wrongUse', message: expect.stringContaining('ADX_URL') },
  ]);
});
