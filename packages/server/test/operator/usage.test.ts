import { describe, expect, test } from 'vitest';
import { captureProgram } from '../../src/operator/program.js';
import { processSettings } from '../support/process-settings.js';
import { runAdxServer } from './adx-server.js';

/** A database that does not exist: wrong input must be refused before it is needed. */
const settings = { DATABASE_URL: 'postgresql://adx:geheim@127.0.0.1:1/adx' };
const unreachable = {
  exitCode: 1,
  stdout: '',
  stderr: 'error: The database cannot be reached (ECONNREFUSED).\n',
};
const firm = '6'.repeat(24);
const user = ['user', 'create', '--firm', firm, '--username', 'an@peeters.example'];
const create = ['firm', 'create', '--name', 'Maes'];
const issue = ['api-key', 'issue', '--partner', 'Pakket', '--scopes'];

describe('adx-server: a wrong command line has exit code 2 and one sentence', () => {
  test.each<[string[], RegExp]>([
    [['frim'], /unknown command 'frim'/],
    [['bank', 'set', 'TRIO', '--connector', 'none'], /This is not a BIC/],
    [['bank', 'show'], /missing required argument 'bic'/],
    [['bank', 'set', 'TRIOBEBB'], /required option '--connector <id>'/],
    [['bank', 'set', 'TRIOBEBB', '--connector', '0'], /Expected a positive whole number or 'none'/],
    [['mandate', 'step', `${firm},x`, 'bankConfirmed'], /An id has 24 hexadecimal characters/],
    [
      ['mandate', 'step', firm, 'signed'],
      /Allowed choices are bankConfirmed, bankRefused, providerRefused, fileReceived,/,
    ],
    [['mandate', 'step', firm, 'requestSent'], /deliveryFailed/],
    [['mandate', 'step', firm, 'bankConfrmed'], /deliveryFailed/],
    [['--demo'], /unknown option '--demo'/],
    [['serve', '--port', '80'], /unknown option '--port'/],
    [['migrate', 'now'], /too many arguments for 'migrate'/],
    [['firm', 'create'], /required option '--name <name>' not specified/],
    [[...create, '--email', 'nergens'], /Expected an e-mail address/],
    [[...create, '--email', 'none'], /Expected an e-mail address/],
    [[...create, '--phone', 'later'], /Expected a phone number/],
    [[...create, '--phone', 'none'], /Expected a phone number/],
    [['firm', 'set', firm, '--phone', ''], /Expected a phone number/],
    [['firm', 'list', 'all'], /too many arguments/],
    [['firm', 'set', firm], /nothing to change: give --name, --email, --phone or --codb-upload/],
    [[...user, '--access', 'admin'], /Allowed choices are administrator, user, portalOnly/],
    [['user', 'list', '--firm', firm], /unknown option '--firm'/],
    [['user', 'set', firm], /nothing to change: give --access, --customers or --password-stdin/],
    [['user', 'disable'], /missing required argument 'id'/],
    [
      [...issue, 'customers:read,customers:all'],
      /no scope 'customers:all'\. The scopes are customers:read,/,
    ],
    [['api-key', 'list', '--csv'], /unknown option '--csv'/],
    [['api-key', 'revoke', firm.slice(1)], /An id has 24 hexadecimal characters/],
    [['api-key', 'rotate', firm, '--overlap', '1'], /such as 30m, 12h or 7d, at most 90d/],
    [['api-key', 'rotate', firm, '--end', 'both'], /Allowed choices are old, new/],
    [['customer', 'confidential', firm, 'true'], /Expected 'on' or 'off'/],
    [['customer', 'list', '--number', '0403.019.262'], /It is not a valid enterprise number/],
    [['customer', 'list', '--archived', '--transferred'], /'--transferred' cannot be used with/],
    [['mandate', 'list', '--iban', 'BE00 0680 0001 0434'], /It is not a valid IBAN\./],
    [
      ['mandate', 'list', '--status', 'created,active'],
      /no status 'active'\. The statuses are created, (?!.*none)/,
    ],
    [['mandate', 'list', '--unsigned-for', '14d'], /a whole number of days from 1 to 3650/],
    [['mandate', 'list', '--unsigned-for', '-1'], /a whole number of days from 1 to 3650/],
    [['delivery', 'list', '--expiring-in', '0'], /a whole number of days from 1 to 3650/],
    [['upload', 'list', '--code', 'toString'], /There is no finding with the code 'toString'/],
    [['upload', 'list', '--since', '2026-02-30'], /Expected a day such as '2026-11-30'/],
    [['upload', 'list', '--since', 'today'], /Expected a day such as '2026-11-30'/],
    [['customer', 'transfer', firm, '--to', firm], /required option '--agreed-by <name>'/],
    [['customer', 'transfer', firm, '--agreed-by', 'Jan'], /required option '--to <firm>'/],
    [['customer', 'transfer', firm, '--to', 'x', '--agreed-by', 'J'], /An id has 24 hexadecimal/],
    [['customer', 'transfer', firm, '--to', firm, '--agreed-by', ' '], /It is empty/],
    [['upload', 'list', '--status', 'lost'], /choices are received, failed, processed, rejected/],
    [['upload', 'show', 'a.cod'], /An id has 24 hexadecimal characters/],
    [['ingest', '--from', 'sdworx'], /missing required argument 'folder'/],
    [['ingest', '.'], /required option '--from <sender>' not specified/],
    [['signing-key', 'rotate', '--force'], /unknown option '--force'/],
    [['usage', '--operation', 'getCustomers'], /choices are getToken, helloWorld, listCustomers, /],
    [['usage', '--operation', 'toString'], /choices are getToken, helloWorld, listCustomers, /],
    [['usage', '--days', '0'], /Expected a whole number of days from 1 to 400/],
    [['usage', '--days', '401'], /Expected a whole number of days from 1 to 400/],
    [['usage', '--days', '7d'], /Expected a whole number of days from 1 to 400/],
    [['usage', 'getCustomer'], /too many arguments for 'usage'/],
  ])('operator: %j', async (parameters, sentence) => {
    const { exitCode, stdout, stderr } = await captureProgram(parameters, settings);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: .+\n(\(Did you mean .+\)\n)?$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('operator: a command without its subcommand shows the subcommands', async () => {
    const { exitCode, stderr } = await captureProgram(['firm'], settings);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('register a firm');
  });

  test('operator: --help is not an error', async () => {
    const { exitCode, stdout } = await captureProgram(['user', 'create', '--help'], settings);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('--password-stdin');
  });

  test('D-35 operator: --help names the default overlap as a duration', async () => {
    const { stdout } = await captureProgram(['api-key', 'rotate', '--help'], settings);
    expect(stdout).toContain('(default: 7d)');
  });
});

describe('adx-server: a failed command has exit code 1 and one sentence', () => {
  test.each<[string[]]>([[['firm', 'list']], [['migrate']], [['user', 'disable', firm]]])(
    'operator: %j without a database names no secret and no stack',
    async (parameters) => {
      expect(await captureProgram(parameters, settings)).toEqual(unreachable);
    },
  );

  test('operator: a malformed setting is named', async () => {
    const { exitCode, stderr } = await captureProgram(['firm', 'list'], {
      ...settings,
      PORT: 'tachtig',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('PORT');
    expect(stderr).not.toContain('    at ');
  });
});

describe.concurrent('adx-server: as a process', () => {
  test.each([
    [['frim'], 2],
    [['user', 'create', '--help'], 0],
    [['firm', 'list'], 1],
  ])(
    'operator: %j prints the same, to the same streams, and ends with %i',
    { tags: 'long' },
    async (parameters, exitCode) => {
      const process = await runAdxServer(parameters, settings);
      expect(process.exitCode).toBe(exitCode);
      expect(process).toEqual(await captureProgram(parameters, settings));
    },
  );

  test('operator: ["serve"] without a database names no secret and no stack', async () => {
    const all = { ...(await processSettings('')), ...settings };
    expect(await runAdxServer(['serve'], all)).toEqual(unreachable);
  });
});
