import { afterAll, describe, expect, test } from 'vitest';
import { insertCustomer, insertFirm } from '../support/rows.js';
import { createdFirm } from '../support/users.js';
import { createIdentityDatabase } from './identity-database.js';

const database = await createIdentityDatabase(afterAll);

describe('D-18 users', () => {
  test('D-18 a user is stored with access level and assigned customers', async () => {
    const firmId = await insertFirm(database.knex);
    const customers = [await insertCustomer(database.knex, firmId)];
    const created = await database.createUser({ firmId, accessLevel: 'user', customers });
    expect(created).toMatchObject({ firmId, accessLevel: 'user', customers });
    expect(await database.users.find(created.id)).toEqual(created);
    expect(await database.users.list()).toContainEqual(created);
    expect(await database.users.findAccess(created.id, firmId)).toEqual({
      accessLevel: 'user',
      seesCustomers: 'assigned',
      tokenVersion: 1,
    });
  });

  test('D-18 usernames are unique regardless of case', async () => {
    await database.createUser({ username: 'Els@kantoor.example' });
    const other = await database.newUser({ username: 'ELS@Kantoor.example' });
    expect(await database.users.create(other)).toBe('usernameTaken');
    expect(await database.users.findCredentials('els@KANTOOR.example')).toMatchObject({
      disabled: null,
    });
  });

  test('§5 rule 3: customers of another firm, archived ones and unknown ones cannot be assigned', async () => {
    const user = await database.createUser({ accessLevel: 'user' });
    const foreign = await insertCustomer(database.knex, await insertFirm(database.knex));
    const archived = await insertCustomer(database.knex, user.firmId, { archived_on: new Date() });
    const own = await insertCustomer(database.knex, user.firmId);
    const customers = [own, foreign, archived, 'f'.repeat(24)];
    const refusal = { unknownCustomers: [foreign, archived, 'f'.repeat(24)] };
    expect(await database.users.update(user.id, { customers })).toEqual(refusal);
    const second = await database.newUser({ firmId: user.firmId, customers });
    expect(await database.users.create(second)).toEqual(refusal);
    expect((await database.users.find(user.id))?.customers).toBe('all');
    expect(await database.users.findCredentials(second.username)).toBeUndefined();
  });

  test('D-18 assignments are replaced, and removed when the user sees all', async () => {
    const user = await database.createUser();
    const one = await insertCustomer(database.knex, user.firmId);
    const two = await insertCustomer(database.knex, user.firmId);
    await database.users.update(user.id, { customers: [one] });
    const changed = await database.users.update(user.id, { customers: [two, two] });
    expect(changed).toMatchObject({ customers: [two] });
    expect(await database.users.update(user.id, { customers: 'all' })).toMatchObject({
      customers: 'all',
    });
    const rows = await database.knex('user_customers').where({ user_id: user.id });
    expect(rows).toEqual([]);
  });

  test('D-18 a disabled user has no access; disabling twice keeps the first time', async () => {
    const user = await database.createUser();
    const disabled = await database.users.disable(user.id);
    database.wait(60);
    expect(await database.users.disable(user.id)).toEqual(disabled);
    expect(disabled?.disabledOn).toBeInstanceOf(Date);
    expect(await database.users.findAccess(user.id, user.firmId)).toBeUndefined();
  });

  test('D-20 the version of ID tokens changes with the password and the end of the access, whatever program changes them', async () => {
    const { id } = await database.createUser();
    const versionAfter = async (change: object) => {
      await database.knex('users').where({ id }).update(change);
      return (await database.knex('users').where({ id }).first('token_version')).token_version;
    };
    expect(await versionAfter({ access_level: 'user', sees_customers: 'assigned' })).toBe(1);
    expect(await versionAfter({ password_hash: database.passwordHash })).toBe(2);
    expect(await versionAfter({ disabled_on: database.now() })).toBe(3);
    expect(await versionAfter({ disabled_on: null })).toBe(4);
  });

  test('D-18 changing or disabling an unknown user returns undefined', async () => {
    const id = '0'.repeat(24);
    expect(await database.users.update(id, { accessLevel: 'user' })).toBeUndefined();
    expect(await database.users.disable(id)).toBeUndefined();
    expect(await database.users.find(id)).toBeUndefined();
  });
});

describe('D-19 firms', () => {
  test('D-60 two firms cannot have the same name, whatever its case', async () => {
    const { firms } = database;
    const [one, ...others] = await Promise.all(
      ['Fiduciaire ÉLAN', 'fiduciaire élan', 'FIDUCIAIRE ÉLAN'].map((name) =>
        firms.create({ name, codbUpload: false }),
      ),
    );
    const created = [one, ...others].filter((each) => each !== 'nameTaken');
    expect(created).toHaveLength(1);
    const other = createdFirm(await firms.create({ name: 'Fiduciaire Elan', codbUpload: false }));
    expect(await firms.update(other.id, { name: 'fiduciaire éLAN' })).toBe('nameTaken');
    expect(await firms.update(other.id, { name: 'FIDUCIAIRE ELAN' })).toMatchObject({
      name: 'FIDUCIAIRE ELAN',
    });
  });

  test('§4.21 uploading is switched without changing the name, and a new name keeps the tenant', async () => {
    const firm = createdFirm(
      await database.firms.create({ name: 'Kantoor Claes', codbUpload: false }),
    );
    expect(await database.firms.update(firm.id, { codbUpload: true })).toEqual({
      ...firm,
      codbUpload: true,
    });
    expect(await database.firms.update(firm.id, { name: 'Claes & Co' })).toEqual({
      ...firm,
      name: 'Claes & Co',
      codbUpload: true,
    });
    expect(await database.firms.update(firm.id, { codbUpload: false })).toMatchObject({
      codbUpload: false,
    });
    expect(await database.firms.update('0'.repeat(24), { name: 'x' })).toBeUndefined();
  });
});
