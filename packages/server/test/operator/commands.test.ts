import { beforeAll, describe, expect, test } from 'vitest';
import { verifyPassword } from '../../src/identity/passwords.js';
import { createUserStore } from '../../src/identity/users.js';
import { createReferenceStore } from '../../src/reference/reference-store.js';
import { insertCustomer } from '../support/rows.js';
import { runAdxServer, useCommands } from './adx-server.js';

const commands = useCommands();
const { run, json } = commands;

describe('adx-server firm', () => {
  test('operator: firm create, set and list', async () => {
    const created = await json(['firm', 'create', '--name', '  Kantoor Maes ', '--codb-upload']);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Kantoor Maes',
      tenant: expect.stringMatching(/^kantoor-maes-[0-9a-f]{6}$/),
      codbUpload: true,
    });
    const changed = await json([
      'firm',
      'set',
      created.id,
      '--name',
      'Maes & Co',
      '--codb-upload',
      'off',
    ]);
    expect(changed).toEqual({ ...created, name: 'Maes & Co', codbUpload: false });
    expect(await json(['firm', 'list'])).toContainEqual(changed);
    const { stdout } = await run(['firm', 'list']);
    expect(stdout).toMatch(/^ID +NAME +TENANT +CODB UPLOAD +E-MAIL +PHONE\n/);
    expect(stdout).toContain(`${created.id}  Maes & Co`);
  });

  test('D-36 operator: firm create, set and list with an e-mail address and a phone number', async () => {
    const reach = ['--email', 'info@maes.example', '--phone', '+32 9 123 45 67'];
    const created = await json(['firm', 'create', '--name', 'Maes', ...reach]);
    expect(created).toMatchObject({ email: 'info@maes.example', phone: '+32 9 123 45 67' });
    const { email: _, ...silent } = created;
    expect(await json(['firm', 'set', created.id, '--email', 'none'])).toEqual(silent);
    const { stdout } = await run(['firm', 'list']);
    expect(stdout).toMatch(new RegExp(`^${created.id} .* off +\\+32 9 123 45 67$`, 'm'));
    const changed = await json(['firm', 'set', created.id, '--email', 'an@maes.example']);
    expect(changed).toEqual({ ...silent, email: 'an@maes.example' });
    const { phone: __, ...cleared } = changed;
    expect(await json(['firm', 'set', created.id, '--phone', 'none'])).toEqual(cleared);
    expect(await json(['firm', 'list'])).toContainEqual(cleared);
    const shown = await run(['firm', 'set', created.id, '--name', 'Maes']);
    expect(shown.stdout).toMatch(/^e-mail +an@maes\.example$/m);
    expect(shown.stdout).not.toMatch(/^phone/m);
  });

  test('D-36 operator: firm refuses an invalid e-mail address or phone number', async () => {
    const create = ['firm', 'create', '--name', 'Ongeldig'];
    for (const wrong of [
      ['--email', 'nergens'],
      ['--phone', 'later'],
      ['--email', 'none'],
      ['--phone', 'none'],
    ]) {
      expect(await run([...create, ...wrong])).toMatchObject({ exitCode: 2, stdout: '' });
    }
    const names = (await json(['firm', 'list'])).map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Ongeldig');
    const { id } = await json(['firm', 'create', '--name', 'Geldig']);
    expect(await run(['firm', 'set', id, '--phone', ''])).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });

  test('operator: a name that was stored with control characters is shown escaped, also in JSON', async () => {
    const { id } = await json(['firm', 'create', '--name', 'Kantoor']);
    const name = 'seaM \u202eroot\u001b[2J\u0085';
    await commands.knex('firms').where({ id }).update({ name });
    expect(await json(['firm', 'list'])).toContainEqual(expect.objectContaining({ id, name }));
    for (const options of [[], ['--json']]) {
      const { stdout } = await run(['firm', 'list', ...options]);
      expect(stdout).toMatch(/^[\n -~]+$/);
      expect(stdout).toContain('seaM \\u202eroot\\u001b[2J\\u0085');
    }
  });
});

describe('adx-server user', () => {
  let firmId: string;
  beforeAll(async () => {
    firmId = (await json(['firm', 'create', '--name', 'Kantoor Peeters'])).id;
  });

  const create = (...options: string[]) => ['user', 'create', '--firm', firmId, ...options];
  const passwordOf = async (username: string) =>
    (await createUserStore(commands.knex).findCredentials(username))?.passwordHash;

  test('operator: user create generates a password and shows it once', async () => {
    const created = await json(create('--username', 'an@peeters.example', '--access', 'user'));
    expect(created).toMatchObject({
      firmId,
      username: 'an@peeters.example',
      accessLevel: 'user',
      customers: 'all',
      password: expect.stringMatching(/^(\w{5}-){3}\w{5}$/),
    });
    expect(await verifyPassword(await passwordOf('an@peeters.example'), created.password)).toBe(
      true,
    );
    const listed = await json(['user', 'list']);
    const { password: _, ...user } = created;
    expect(listed).toContainEqual(user);
  });

  test('operator: user create without --json also shows the password in Base64, for POST /token', async () => {
    const options = ['--username', 'bo@peeters.example', '--access', 'user'];
    const { stdout } = await run(create(...options));
    const password = /^password +(\S+)/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(Buffer.from(password).toString('base64'));
    expect(await verifyPassword(await passwordOf('bo@peeters.example'), password)).toBe(true);
  });

  test('operator: user create takes a password from standard input, and does not show it', async () => {
    const options = ['--username', 'cas@peeters.example', '--access', 'user', '--password-stdin'];
    const settings = { DATABASE_URL: commands.url };
    const process = await runAdxServer(
      [...create(...options), '--json'],
      settings,
      ' paard-batterij\n',
    );
    expect(process).toMatchObject({ exitCode: 0, stderr: '' });
    const created = JSON.parse(process.stdout);
    expect(created).not.toHaveProperty('password');
    expect(await verifyPassword(await passwordOf('cas@peeters.example'), ' paard-batterij')).toBe(
      true,
    );
  });

  test('operator: user set changes access, customers and password', async () => {
    const own = await insertCustomer(commands.knex, firmId);
    const options = ['--username', 'dre@peeters.example', '--access', 'administrator'];
    const { id } = await json(create(...options, '--customers', own));
    const set = ['--access', 'user', '--customers', 'all', '--password-stdin'];
    const changed = await json(['user', 'set', id.toUpperCase(), ...set], 'nieuw-paard-batterij');
    expect(changed).toMatchObject({ id, accessLevel: 'user', customers: 'all' });
    const hash = await passwordOf('dre@peeters.example');
    expect(await verifyPassword(hash, 'nieuw-paard-batterij')).toBe(true);
  });

  test('operator: user disable', async () => {
    const options = ['--username', 'eva@peeters.example', '--access', 'user'];
    const { id } = await json(create(...options));
    expect(await json(['user', 'disable', id])).toMatchObject({ disabledOn: expect.any(String) });
    const { stdout } = await run(['user', 'list']);
    expect(stdout).toMatch(/eva@peeters.example .* 20\d\d-\d\d-\d\dT/);
  });

  test('D-18 a customer of another firm cannot be assigned', async () => {
    const other = await json(['firm', 'create', '--name', 'Ander kantoor']);
    const foreign = await insertCustomer(commands.knex, other.id);
    const options = ['--username', 'fie@peeters.example', '--access', 'user', '--customers'];
    expect(await run(create(...options, foreign))).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: The firm has no customer with the id ${foreign}.\n`,
    });
    const second = await insertCustomer(commands.knex, other.id);
    expect(await run(create(...options, `${foreign},${second}`))).toMatchObject({
      exitCode: 1,
      stderr: `error: The firm has no customers with the ids ${foreign}, ${second}.\n`,
    });
    expect(await passwordOf('fie@peeters.example')).toBeUndefined();
  });

  test('operator: a taken username, a weak and an empty password are refused', async () => {
    const taken = ['--username', 'gust@peeters.example', '--access', 'user'];
    await json(create(...taken));
    const again = await run(create('--username', 'Gust@Peeters.example', '--access', 'user'));
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: 'error: There is already a user Gust@Peeters.example.\n',
    });
    const weak = create(
      '--username',
      'hans@peeters.example',
      '--access',
      'user',
      '--password-stdin',
    );
    expect(await run(weak, 'kort\n')).toMatchObject({
      exitCode: 1,
      stderr: 'error: The password is shorter than 12 characters.\n',
    });
    expect(await run(weak, '')).toMatchObject({
      exitCode: 1,
      stderr: 'error: The password is empty.\n',
    });
    expect(await passwordOf('hans@peeters.example')).toBeUndefined();
  });
});

describe('adx-server customer', () => {
  test('§5 rule 5: customer confidential on and off; updatedOn changes only with the customer', async () => {
    const firm = await json(['firm', 'create', '--name', 'Kantoor Claes']);
    const id = await insertCustomer(commands.knex, firm.id);
    const stored = () =>
      commands.knex('customers').where({ id }).first('is_confidential', 'updated_on');
    const before = await stored();
    const on = await json(['customer', 'confidential', id, 'on']);
    expect(on).toEqual({ id, isConfidential: true });
    const after = await stored();
    expect(after.is_confidential).toBe(true);
    expect(after.updated_on.getTime()).toBeGreaterThan(before.updated_on.getTime());
    await json(['customer', 'confidential', id, 'on']);
    expect(await stored()).toEqual(after);
    await run(['customer', 'confidential', id, 'off']);
    expect((await stored()).is_confidential).toBe(false);
  });

  test('§4.8 customer confidential: an archived customer is not found', async () => {
    const firm = await json(['firm', 'create', '--name', 'Kantoor Claes']);
    const id = await insertCustomer(commands.knex, firm.id, { archived_on: new Date() });
    expect(await run(['customer', 'confidential', id, 'on'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: There is no customer with the id ${id}.\n`,
    });
    expect(await commands.knex('customers').where({ id })).toMatchObject([
      { is_confidential: false },
    ]);
  });
});

describe('adx-server bank', () => {
  test('D-33 operator: bank set gives a bank a light connector, and removes it', async () => {
    const connectorOf = async (bic: string) => {
      const banks: { bic: string; connectorId?: number }[] = await json(['bank', 'list']);
      return banks.find((bank) => bank.bic === bic)?.connectorId;
    };
    expect(await connectorOf('TRIO BE BB')).toBeUndefined();
    expect(await json(['bank', 'set', 'trio be bb xxx', '--connector', '3'])).toEqual({
      ...{ bic: 'TRIO BE BB', connectorId: 3 },
    });
    expect(await connectorOf('TRIO BE BB')).toBe(3);
    const { stdout } = await run(['bank', 'set', 'TRIOBEBB', '--connector', 'none']);
    expect(stdout).toBe('TRIO BE BB has no light connector.\n');
    expect(await connectorOf('TRIO BE BB')).toBeUndefined();
    for (const unknown of [
      ['set', 'ABCDBE00', '--connector', '1'],
      ['show', 'ABCDBE00'],
    ]) {
      expect(await run(['bank', ...unknown])).toEqual({
        ...{ exitCode: 1, stdout: '' },
        stderr: 'error: There is no bank with the BIC ABCD BE 00.\n',
      });
    }
  });

  test('D-33 operator: bank show has the names, bank codes and connector of a BIC, as list banks has it', async () => {
    const listed = async () => {
      const { records } = await createReferenceStore(commands.knex).banks({
        limit: 200,
        offset: 0,
      });
      return records.filter(({ bic }) => bic === 'DEGR BE BB');
    };
    const bank = {
      bic: 'DEGR BE BB',
      names: ['Bank Degroof Petercam', 'Banque Degroof Petercam Luxembourg'],
      bankCodes: ['583', '676', '845', '941'],
      codaSupported: true,
    };
    expect(await json(['bank', 'show', 'DEGRBEBB'])).toEqual(bank);
    await json(['bank', 'set', 'DEGRBEBB', '--connector', '9']);
    expect(await json(['bank', 'show', 'degr be bb'])).toEqual({ ...bank, connectorId: 9 });
    expect(await listed()).toMatchObject([{ connectorId: 9 }, { connectorId: 9 }]);
    expect((await run(['bank', 'show', 'DEGRBEBB'])).stdout).toBe(
      [
        'BIC         DEGR BE BB',
        'name        Bank Degroof Petercam, Banque Degroof Petercam Luxembourg',
        'bank codes  583, 676, 845, 941',
        'CODA        yes',
        'connector   9\n',
      ].join('\n'),
    );
    await json(['bank', 'set', 'DEGRBEBB', '--connector', 'none']);
    expect(await json(['bank', 'show', 'DEGRBEBB'])).toEqual(bank);
    expect((await listed()).filter((each) => 'connectorId' in each)).toEqual([]);
  });
});

describe('adx-server signing-key', () => {
  test('operator: signing-key rotate adds a key', async () => {
    const { kid } = await json(['signing-key', 'rotate']);
    expect(await commands.knex('signing_keys').pluck('kid')).toContain(kid);
  });

  test('D-20 signing-key rotate --now leaves only the new key', async () => {
    await json(['signing-key', 'rotate']);
    const { kid } = await json(['signing-key', 'rotate', '--now']);
    expect(await commands.knex('signing_keys').pluck('kid')).toEqual([kid]);
  });
});

describe('adx-server: unknown ids', () => {
  const nothing = '0'.repeat(24);
  test.each([
    [['firm', 'set', nothing, '--name', 'x'], `There is no firm with the id ${nothing}.`],
    [['user', 'set', nothing, '--access', 'user'], `There is no user with the id ${nothing}.`],
    [['user', 'disable', nothing], `There is no user with the id ${nothing}.`],
    [['api-key', 'revoke', nothing], `There is no API key with the id ${nothing}.`],
    [['api-key', 'rotate', nothing], `There is no API key with the id ${nothing}.`],
    [['customer', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['mandate', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['upload', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['customer', 'confidential', nothing, 'on'], `There is no customer with the id ${nothing}.`],
    [
      ['user', 'create', '--firm', nothing, '--username', 'x@y.example', '--access', 'user'],
      `There is no firm with the id ${nothing}.`,
    ],
  ])('operator: %j fails with one sentence', async (parameters, sentence) => {
    expect(await run(parameters)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${sentence}\n`,
    });
  });
});

test('operator: a login refused by the database is not reported as an unreachable database', async () => {
  const missing = new URL(commands.url);
  missing.pathname = '/nowhere';
  expect(await runAdxServer(['firm', 'list'], { DATABASE_URL: missing.href })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: The database refused the connection: database "nowhere" does not exist.\n',
  });
});
