import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { sealEntries } from '../../src/audit/seal-entries.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { createProcessContext } from '../../src/operator/operator-context.js';
import { captureProgram, createProgram } from '../../src/operator/program.js';
import { operatorForFile } from '../operator/operator-for-file.js';
import { insertCustomer, insertFirm } from '../support/rows.js';

const { settings: common, knex, newFolder } = await operatorForFile();
const settings = { ...common, ADX_OPERATOR: 'An Peeters' };
const run = (...parameters: string[]) => captureProgram(parameters, settings);
const unknown = '0123456789abcdef01234567';

/** Returns all commands that work on the database, by name, with the number of their arguments. */
function allCommands(): Map<string, number> {
  const { stdin, stdout, stderr } = process;
  const program = createProgram(createProcessContext({ env: {}, stdin, stdout, stderr }));
  const all = program.commands.flatMap((group) =>
    group.commands.length === 0
      ? [[group.name(), group] as const]
      : group.commands.map((each) => [`${group.name()} ${each.name()}`, each] as const),
  );
  const withDatabase = all.filter(
    ([name]) => !['serve', 'worker', 'migrate', 'doctor'].includes(name),
  );
  return new Map(withDatabase.map(([name, each]) => [name, each.registeredArguments.length]));
}

async function entriesOf(...parameters: string[]) {
  const [before] = await knex('audit_entries').max('id');
  const { exitCode } = await run(...parameters);
  const entries = await knex('audit_entries')
    .where('id', '>', Number(before?.['max'] ?? 0))
    .orderBy('id');
  for (const entry of entries) {
    expect(entry).toMatchObject({ actor: 'operator', operator: 'An Peeters', user_id: null });
  }
  return { exitCode, entries };
}

test('D-58 every operator command has an entry, in the transaction of its change if it changes something', {
  tags: 'long',
}, async () => {
  const firm = await insertFirm(knex);
  const customer = await insertCustomer(knex, firm);
  const user = ['user', 'create', '--firm', firm, '--access', 'user', '--username'];
  const ofFirm = { firm_id: firm, customer_id: null };
  const ofCustomer = { firm_id: firm, customer_id: customer, object_id: customer };
  const issue = ['api-key', 'issue', '--partner', 'Pakket', '--scopes', 'all'];
  const { key: _, id: apiKeyId } = JSON.parse((await run(...issue, '--json')).stdout);
  const { id: userId } = JSON.parse((await run(...user, 'els@maes.example', '--json')).stdout);
  const moves = ['--to', firm, '--agreed-by', 'Jan'];
  const begun = { outcome: 'begun' };
  const done = { outcome: 'done' };
  const commands: [string[], object][] = [
    [['firm', 'create', '--name', 'Kantoor Maes'], { ...done, firm_id: expect.any(String) }],
    [['firm', 'create', '--name', 'kantoor maes'], { outcome: 'refused', firm_id: '' }],
    [['firm', 'set', firm, '--name', 'Kantoor Peeters'], { ...done, ...ofFirm, object_id: firm }],
    [['firm', 'set', firm, '--name', 'Kantoor Maes'], { outcome: 'refused', ...ofFirm }],
    [['firm', 'disable', firm], { ...done, ...ofFirm, object_id: firm }],
    [['firm', 'enable', firm], { ...done, ...ofFirm, object_id: firm }],
    [[...user, 'an@maes.example'], { ...done, ...ofFirm, object_id: expect.any(String) }],
    [[...user, 'an@maes.example'], { outcome: 'refused', ...ofFirm, object_id: null }],
    [['user', 'set', userId, '--access', 'administrator'], { ...done, ...ofFirm }],
    [['user', 'set', userId, '--customers', unknown], { outcome: 'refused', object_id: userId }],
    [['user', 'set', unknown, '--access', 'user'], { outcome: 'refused', object_id: unknown }],
    [['user', 'release', userId], { ...done, ...ofFirm, object_id: userId }],
    [['user', 'sign-out', 'ELS@maes.example'], { ...done, ...ofFirm, object_id: userId }],
    [['user', 'sign-out', userId], { ...done, ...ofFirm, object_id: userId }],
    [['user', 'disable', userId], { ...done, ...ofFirm, object_id: userId }],
    [issue, { ...done, object_id: expect.any(String) }],
    [['api-key', 'set', apiKeyId, '--scopes', 'all'], { ...done, object_id: apiKeyId }],
    [['api-key', 'rotate', apiKeyId], { ...done, object_id: apiKeyId }],
    [['api-key', 'revoke', apiKeyId], { ...done, object_id: apiKeyId }],
    [['customer', 'list', '--firm', firm], { ...begun, ...ofFirm }],
    [['customer', 'confidential', customer, 'on'], { ...done, ...ofCustomer }],
    [['customer', 'erase', customer, '--confirm', '0403.019.261'], { ...begun, ...ofCustomer }],
    [['firm', 'export', firm, '--to', newFolder()], { ...begun, ...ofFirm, object_id: firm }],
    [['firm', 'erase', firm, '--confirm', 'Kantoor'], { ...begun, ...ofFirm, object_id: firm }],
    [['bank', 'show', 'TRIOBEBB'], begun],
    [['bank', 'set', 'TRIOBEBB', '--connector', 'none'], done],
    [['mandate', 'list', '--firm', firm], { ...begun, ...ofFirm }],
    [['customer', 'transfer', unknown, ...moves], { outcome: 'refused', object_id: unknown }],
    [['mandate', 'step', unknown, 'bankConfirmed'], { outcome: 'refused', object_id: unknown }],
    [['missing', 'list', '--customer', customer], { ...begun, ...ofCustomer, object_id: null }],
    [['audit', 'list', '--user', userId], { ...begun, ...ofFirm, object_id: userId }],
    [
      ['audit', 'list', '--customer', customer, '--user', unknown],
      { ...begun, ...ofCustomer, object_id: unknown },
    ],
    [['upload', 'list', '--file', unknown], { ...begun, object_id: unknown }],
    [['delivery', 'list', '--upload', unknown], { ...begun, object_id: unknown }],
    [['ingest', newFolder(), '--from', 'sdworx'], begun],
    [['signing-key', 'rotate'], done],
    [['audit', 'list', '--firm', firm], { ...begun, ...ofFirm }],
  ];
  const called = new Set<string>();
  for (const [parameters, expected] of commands) {
    const { entries } = await entriesOf(...parameters);
    const [first = '', second = ''] = parameters;
    const action = first === 'ingest' ? first : `${first} ${second}`;
    expect(entries, parameters.join(' ')).toMatchObject([{ action, ...expected }]);
    called.add(action);
  }
  for (const [action, count] of allCommands()) {
    if (called.has(action)) continue;
    const { entries } = await entriesOf(...action.split(' '), ...Array(count).fill(unknown));
    const object = count === 0 || action === 'ingest' ? {} : { object_id: unknown };
    expect(entries, action).toMatchObject([{ action, ...begun, ...object }]);
  }
});

test('D-48 D-58 a transfer has an entry at each of the two firms, with the customer of that firm', async () => {
  const [from, to] = [await insertFirm(knex), await insertFirm(knex)];
  const customer = await insertCustomer(knex, from);
  const transfer = ['customer', 'transfer', customer, '--agreed-by', 'Jan', '--to'];
  const entry = (firm_id: string, id: string, outcome = 'done') => ({
    ...{ action: 'customer transfer', firm_id, customer_id: id, object_id: id, outcome },
  });
  expect((await entriesOf(...transfer, from)).entries).toMatchObject([
    entry(from, customer, 'refused'),
  ]);
  const { entries } = await entriesOf(...transfer, to);
  const { transferred_to: newId } = await knex('customers').where({ id: customer }).first();
  expect(entries).toMatchObject([entry(from, customer), entry(to, newId)]);
  const repeated = await entriesOf(...transfer, to);
  expect(repeated.entries).toMatchObject([entry(from, customer), entry(to, newId)]);
});

test('D-58 a user who cannot be created has an entry that says refused, and a held delivery and evidence that is kept have those of their customer', async () => {
  const firm = await insertFirm(knex);
  const customer = await insertCustomer(knex, firm);
  const user = ['user', 'create', '--firm', firm, '--access', 'user', '--username', 'jo@x.example'];
  const refused = await entriesOf(...user, '--customers', unknown);
  expect(refused).toMatchObject({ exitCode: 1, entries: [{ outcome: 'refused', firm_id: firm }] });

  const [account, upload, held] = [newObjectId(), newObjectId(), newObjectId()];
  const iban = newIban();
  const at = new Date();
  await knex('bank_accounts').insert({
    ...{ id: account, firm_id: firm, customer_id: customer, iban, created_on: at },
  });
  await knex('uploads').insert({
    ...{ id: upload, source: 'bank', bucket: 'operator', product: 'CODA', object_key: 'a.cod' },
    ...{ etag: 'e', size: 1, received_on: at },
  });
  await knex('held_deliveries').insert({
    ...{ id: held, firm_id: firm, upload_id: upload, bank_account_id: account },
    ...{ product: 'CODA', iban },
    ...{ statement_number: 1, statement_date: '2026-01-01', content_hash: Buffer.alloc(32, 7) },
    ...{ object_key: `held/${held}.cod`, held_on: at },
  });
  const { entries } = await entriesOf('delivery', 'show', held);
  expect(entries).toMatchObject([
    { action: 'delivery show', firm_id: firm, customer_id: customer, object_id: held },
  ]);

  const mandate = newObjectId();
  await knex('kept_evidence').insert({
    ...{ request_id: newObjectId(), firm_id: firm, customer_id: customer, mandate_ids: [mandate] },
    ...{ content: '{}', sha256: Buffer.alloc(32), ended_on: at },
  });
  expect(
    (await entriesOf('mandate', 'evidence', mandate, '--out', newFolder())).entries,
  ).toMatchObject([
    { action: 'mandate evidence', firm_id: firm, customer_id: customer, object_id: mandate },
  ]);
});

test('D-58 a command changes nothing if its entry cannot be stored', async () => {
  const firm = await insertFirm(knex);
  await knex.raw('alter table audit_entries add constraint blocked check (false) not valid');
  try {
    for (const parameters of [
      ['firm', 'set', firm, '--name', 'Kantoor Peeters'],
      ['firm', 'create', '--name', 'Kantoor Peeters'],
      ['user', 'set', firm, '--access', 'user'],
    ]) {
      const { exitCode, stderr } = await run(...parameters);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('23514'),
      });
    }
  } finally {
    await knex.raw('alter table audit_entries drop constraint blocked');
  }
  expect(await knex('firms').where({ name: 'Kantoor Peeters', id: firm })).toEqual([]);
});

test('D-58 audit list, verify and export show the entries, and a change has exit code 1', async () => {
  const firm = await insertFirm(knex);
  const customer = await insertCustomer(knex, firm);
  await run('customer', 'confidential', customer, 'on');
  const list = await run('audit', 'list', '--customer', customer, '--json');
  const [own, listed, ...others] = JSON.parse(list.stdout);
  expect(own).toMatchObject({ action: 'audit list', customerId: customer, outcome: 'begun' });
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ action: 'customer confidential', operator: 'An Peeters' });
  const hidden = ['--customer', customer, '--until', '2026-01-01'];
  expect((await run('audit', 'list', ...hidden)).stdout).toBe('None.\n');
  expect((await run('audit', 'list', '--firm', firm)).stdout).toContain('operator An Peeters');

  const { hash, number } = (await sealEntries(knex, new Date())) ?? {};
  const verified = await run('audit', 'verify', '--head', String(hash), '--json');
  expect(verified).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(verified.stdout)).toMatchObject({ head: hash, faults: [], containsHead: true });
  const lines = (await run('audit', 'export')).stdout.trim().split('\n');
  const exported = lines.map((line) => JSON.parse(line));
  const { seal: _, ...entry } = listed;
  expect(exported).toContainEqual({ entry });
  expect(exported).toContainEqual({ seal: expect.objectContaining({ number, hash }) });
  const cut = await run('audit', 'verify', '--head', 'a'.repeat(64));
  expect(cut).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('does not contain the seal with this hash'),
  });

  await knex.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx('audit_entries').where({ id: listed.id }).delete();
  });
  const broken = await run('audit', 'verify');
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toContain(`seal ${number}: entries were removed: ${listed.id}\n`);
});
