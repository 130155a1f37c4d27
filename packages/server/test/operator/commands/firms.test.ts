import { expect, test } from 'vitest';
import { createUserStore } from '../../../src/identity/users.js';
import { insertUser } from '../../support/rows.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const { knex, run, json } = await operatorForFile();

test('operator: firm create, set and list', async () => {
  const created = await json('firm', 'create', '--name', '  Kantoor Maes ', '--codb-upload');
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Kantoor Maes',
    tenant: expect.stringMatching(/^kantoor-maes-[0-9a-f]{6}$/),
    codbUpload: true,
  });
  const changes = ['--name', 'Maes & Co', '--codb-upload', 'off'];
  const changed = await json('firm', 'set', created.id, ...changes);
  expect(changed).toEqual({ ...created, name: 'Maes & Co', codbUpload: false });
  expect(await json('firm', 'list')).toContainEqual(changed);
  const { stdout } = await run('firm', 'list');
  expect(stdout).toMatch(/^ID +NAME +TENANT +CODB UPLOAD +E-MAIL +PHONE +DISABLED\n/);
  expect(stdout).toContain(`${created.id}  Maes & Co`);
});

test('D-36 operator: firm create, set and list with an e-mail address and a phone number', async () => {
  const reach = ['--email', 'info@maes.example', '--phone', '+32 9 123 45 67'];
  const created = await json('firm', 'create', '--name', 'Maes', ...reach);
  expect(created).toMatchObject({ email: 'info@maes.example', phone: '+32 9 123 45 67' });
  const { email: _, ...silent } = created;
  expect(await json('firm', 'set', created.id, '--email', 'none')).toEqual(silent);
  const { stdout } = await run('firm', 'list');
  expect(stdout).toMatch(new RegExp(`^${created.id} .* off +\\+32 9 123 45 67$`, 'm'));
  const changed = await json('firm', 'set', created.id, '--email', 'an@maes.example');
  expect(changed).toEqual({ ...silent, email: 'an@maes.example' });
  const { phone: __, ...cleared } = changed;
  expect(await json('firm', 'set', created.id, '--phone', 'none')).toEqual(cleared);
  expect(await json('firm', 'list')).toContainEqual(cleared);
  const shown = await run('firm', 'set', created.id, '--name', 'Maes');
  expect(shown.stdout).toMatch(/^e-mail +an@maes\.example$/m);
  expect(shown.stdout).not.toMatch(/^phone/m);
});

test('D-60 operator: firm disable and enable', async () => {
  const firm = await json('firm', 'create', '--name', 'Gesloten');
  const userId = await insertUser(knex, firm.id);
  const canAccess = async () =>
    (await createUserStore(knex).findAccess(userId, firm.id)) !== undefined;
  const disabled = await json('firm', 'disable', firm.id);
  expect(disabled).toEqual({ ...firm, disabledOn: expect.stringMatching(/^2\d{3}-.*Z$/) });
  expect(await canAccess()).toBe(false);
  expect(await json('firm', 'list')).toContainEqual(disabled);
  const { stdout } = await run('firm', 'list');
  expect(stdout).toMatch(new RegExp(`^${firm.id} .* ${disabled.disabledOn}$`, 'm'));
  expect((await run('firm', 'disable', firm.id)).stdout).toContain(disabled.disabledOn);
  expect(await json('firm', 'enable', firm.id)).toEqual(firm);
  expect(await canAccess()).toBe(true);
});

test('D-60 operator: firm create and set refuse the name of another firm', async () => {
  const { id: taken } = await json('firm', 'create', '--name', 'Dubbel');
  const { id } = await json('firm', 'create', '--name', 'Enkel');
  for (const command of [['create'], ['set', id]]) {
    expect(await run('firm', ...command, '--name', 'DUBBEL')).toEqual(
      failure(`There is already a firm Dubbel (${taken}).`),
    );
  }
});

test('operator: a name that was stored with control characters is shown escaped, also in JSON', async () => {
  const { id } = await json('firm', 'create', '--name', 'Kantoor');
  const name = 'seaM \u202eroot\u001b[2J\u0085';
  await knex('firms').where({ id }).update({ name });
  expect(await json('firm', 'list')).toContainEqual(expect.objectContaining({ id, name }));
  for (const options of [[], ['--json']]) {
    const { stdout } = await run('firm', 'list', ...options);
    expect(stdout).toMatch(/^[\n -~]+$/);
    expect(stdout).toContain('seaM \\u202eroot\\u001b[2J\\u0085');
  }
});

test('D-60 operator: of firms that are created at once with one name, in any case, one exists', async () => {
  const names = ['Fiduciaire ÉLAN', 'fiduciaire élan', 'FIDUCIAIRE ÉLAN'];
  const created = await Promise.all(names.map((name) => run('firm', 'create', '--name', name)));
  expect(created.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
});
