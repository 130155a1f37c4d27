import { describe, expect, it } from 'vitest';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import { affectedBy, parseUsage } from '../src/diff/usage.js';
import type { Path } from '../src/document/json.js';
import { readDocument } from '../src/document/read-document.js';
import { readOpenApi } from '../src/openapi/openapi-object.js';
import { runCodegen } from './support/run-codegen.js';
import { SpecDraft, schema } from './support/spec-draft.js';
import { temporaryRepository } from './support/temporary-repository.js';

const released = readOpenApi(new SpecDraft().document());

function used(partner: string, operation: string, more: object = {}) {
  return { partner, apiKey: 'k', operation, calls: 3, lastUsed: '2026-11-20', ...more };
}

function usageOf(...uses: ReturnType<typeof used>[]) {
  return { from: '2026-08-26', to: '2026-11-23', uses };
}

const usage = usageOf(
  used('Aboss', 'searchMandates'),
  used('Aboss', 'searchMandates', { field: 'body.sort', lastUsed: '2026-11-01' }),
  used('Aboss', 'searchMandates', {
    field: 'body.sort',
    value: 'bankName',
    lastUsed: '2026-10-01',
  }),
  used('Byte', 'searchMandates', { field: 'body.sort', lastUsed: '2026-11-02' }),
  used('Byte', 'searchMandates', { field: 'body.sort', value: 'status', lastUsed: '2026-11-02' }),
  used('Byte', 'searchMandates', { field: 'body.sort', value: 'bankName', lastUsed: '2026-09-30' }),
  used('Caro', 'createCustomer', { lastUsed: '2026-09-01' }),
  used('Caro', 'createCustomer', { field: 'body.address.street2', lastUsed: '2026-09-02' }),
  used('Dato', 'createCustomer', { lastUsed: '2026-09-03' }),
  used('Dato', 'getCustomer', { lastUsed: '2026-08-03' }),
  used('Dato', 'getCustomer', { apiKey: 'l', lastUsed: '2026-08-05' }),
  used('Ezra', 'getCustomer', { calls: 0 }),
  used('Fimo', 'updateCustomer', { field: 'body.contact', lastUsed: '2026-07-01' }),
  used('Gira', 'updateCustomer', { lastUsed: '2026-07-02' }),
  used('Huma', 'requestMandate', { lastUsed: '2026-07-03' }),
);

/** Returns the partners that the major changes of an edit concern, each with the last use. */
function affected(edit: (draft: SpecDraft) => void, by = usage): string[] {
  const draft = new SpecDraft();
  edit(draft);
  return compareSpecs(released, readOpenApi(draft.document()))
    .filter(({ weight }) => weight === 'major')
    .flatMap((change) => affectedBy(change, by))
    .map(({ partner, lastUsed }) => `${partner} ${lastUsed}`);
}

/** Returns the partners that the changes of the operation `call` of any interface concern. */
function affectedByEdit(before: object, after: object, by: typeof usage): string[] {
  const [old, now] = [before, after].map((operation) => {
    const paths = { '/call/{id}': { post: { operationId: 'call', ...operation } } };
    const outcome = readDocument(JSON.stringify({ paths }));
    if (!outcome.ok) throw new Error('The document cannot be read');
    return readOpenApi(outcome.value);
  });
  if (!old || !now) return [];
  return compareSpecs(old, now)
    .flatMap((change) => affectedBy(change, by))
    .map(({ partner }) => partner);
}

const taking = (schema: object) => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});

describe('D-40 who is affected', () => {
  it('D-40 an optional field of a request: those who used it', () => {
    expect(affected((draft) => draft.remove(...schema('SearchMandatesRequest', 'sort')))).toEqual([
      'Byte 2026-11-02',
      'Aboss 2026-11-01',
    ]);
    expect(
      affected((draft) => draft.set([...schema('NewAddress', 'street2'), 'maxLength'], 10)),
    ).toEqual(['Caro 2026-09-02']);
  });

  it('D-40 a value of an optional field: those who used that value', () => {
    const values = [...schema('SearchMandatesRequest', 'sort'), 'enum'];
    expect(affected((draft) => draft.drop(values, 'bankName'))).toEqual([
      'Aboss 2026-10-01',
      'Byte 2026-09-30',
    ]);
    expect(affected((draft) => draft.drop(values, 'ibanNumber'))).toEqual([]);
  });

  it('D-40 a value of a required field: those who used that value', () => {
    const all = usageOf(
      used('Aboss', 'createCustomer'),
      used('Byte', 'createCustomer', { field: 'body.contact.language', value: 'de' }),
      used('Caro', 'createCustomer', { field: 'body.contact.language', value: 'nl' }),
      used('Dato', 'updateCustomer', { field: 'body.contact.language' }),
    );
    const edit = (draft: SpecDraft) => draft.drop([...schema('Language'), 'enum'], 'de');
    expect(affected(edit, all)).toEqual(['Byte 2026-11-20']);
  });

  it('D-40 an empty value: those who used it, not all who used the field', () => {
    const colour = (...values: string[]) => ({
      properties: { colour: { type: 'string', enum: values } },
    });
    const all = usageOf(
      used('Aboss', 'call', { field: 'body.colour' }),
      used('Byte', 'call', { field: 'body.colour', value: '' }),
    );
    expect(affectedByEdit(taking(colour('', 'red')), taking(colour('red')), all)).toEqual(['Byte']);
  });

  it('D-40 a required field of an item, or of one of several forms: those who used it', () => {
    const all = usageOf(
      used('Aboss', 'createCustomer'),
      used('Byte', 'getToken'),
      used('Caro', 'createCustomer', { field: 'body.bankAccounts.iban' }),
      used('Dato', 'getToken', { field: 'body.refreshToken' }),
    );
    const shorter =
      (...path: Path) =>
      (draft: SpecDraft) =>
        draft.set([...path, 'maxLength'], 1);
    const iban = shorter(...schema('NewBankAccount', 'iban'));
    expect(affected(iban, all)).toEqual(['Caro 2026-11-20']);
    const token = shorter(...schema('RefreshRequest', 'refreshToken'));
    expect(affected(token, all)).toEqual(['Dato 2026-11-20']);
  });

  it('D-40 a required field below parts that every call has: those who used it, if it is in an item or a form', () => {
    const all = usageOf(used('Aboss', 'call'), used('Byte', 'call', { field: 'body.a' }));
    const a = (more: object) => ({
      required: ['a'],
      properties: { a: { type: 'string', ...more } },
    });
    const edited = (around: (schema: object) => object) =>
      affectedByEdit(taking(around(a({}))), taking(around(a({ maxLength: 1 }))), all);
    expect(edited((schema) => ({ items: schema }))).toEqual(['Byte']);
    expect(edited((schema) => ({ oneOf: [{ allOf: [schema, {}] }, { type: 'null' }] }))).toEqual([
      'Byte',
    ]);
    expect(edited((schema) => ({ allOf: [schema, {}] }))).toEqual(['Aboss']);
  });

  it('D-40 parts that the usage does not count: all who called, or used what is around them', () => {
    const all = usageOf(used('Aboss', 'call'), used('Byte', 'call', { field: 'body.names' }));
    const names = (name: object) => ({
      properties: { names: { additionalProperties: { properties: { name } } } },
    });
    expect(
      affectedByEdit(taking(names({ enum: ['a', 'b'] })), taking(names({ enum: ['a'] })), all),
    ).toEqual(['Byte']);
    const inPath = (...values: string[]) => ({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { enum: values } }],
    });
    expect(affectedByEdit(inPath('a', 'b'), inPath('a'), all)).toEqual(['Aboss']);
  });

  it('D-40 a required field in an optional object: those who used the object', () => {
    const required = [...schema('ContactChange'), 'required'];
    expect(affected((draft) => draft.set(required, ['email']))).toEqual(['Fimo 2026-07-01']);
  });

  it('D-40 a required field of a request: all who called the operation', () => {
    const tighter = (draft: SpecDraft) =>
      draft.set([...schema('CreateCustomerRequest', 'name'), 'maxLength'], 10);
    expect(affected(tighter)).toEqual(['Dato 2026-09-03', 'Caro 2026-09-01']);
    const required = (draft: SpecDraft) =>
      draft.add([...schema('CreateCustomerRequest'), 'required'], 'bankAccounts');
    expect(affected(required)).toEqual(['Dato 2026-09-03', 'Caro 2026-09-01']);
  });

  it('D-40 a response, a scope, an operation: all who called, each partner once', () => {
    const response = (draft: SpecDraft) => draft.remove(...schema('Customer', 'accountingRef'));
    expect(affected(response)).toEqual(['Dato 2026-09-03', 'Caro 2026-09-01', 'Gira 2026-07-02']);
    const scope = (draft: SpecDraft) =>
      draft.add([...draft.operation('requestMandate'), 'security', 0, 'apiKey'], 'mandates:read');
    expect(affected(scope)).toEqual(['Huma 2026-07-03']);
    const removal = (draft: SpecDraft) => draft.remove(...draft.operation('getCustomer'));
    expect(affected(removal)).toEqual(['Dato 2026-08-05']);
    const rename = (draft: SpecDraft) =>
      draft.set([...draft.operation('getCustomer'), 'operationId'], 'readCustomer');
    expect(affected(rename)).toEqual(['Dato 2026-08-05']);
  });

  it('D-40 parameters: those who used an optional one, its name in any case', () => {
    const parameter = { name: 'X-Trace', in: 'header', schema: { type: 'string' } };
    const before = new SpecDraft();
    before.set([...before.operation('listBanks'), 'parameters'], [parameter]);
    const changes = compareSpecs(readOpenApi(before.document()), released);
    const entry = used('Aboss', 'listBanks', { field: 'header.x-trace' });
    expect(changes.map(({ text }) => text)).toEqual(['Parameter `header.X-Trace` is removed.']);
    expect(changes.flatMap((change) => affectedBy(change, usageOf(entry)))).toHaveLength(1);
    expect(
      changes.flatMap((change) => affectedBy(change, usageOf(used('Byte', 'listBanks')))),
    ).toEqual([]);
  });

  it('D-40 --usage names them in the text and in JSON, for major changes alone', async () => {
    const draft = new SpecDraft();
    draft.drop([...schema('SearchMandatesRequest', 'sort'), 'enum'], 'bankName');
    draft.remove(...draft.operation('helloWorld'));
    draft.set([...schema('Customer', 'name'), 'description'], 'A name.');
    draft.set(['servers', 0, 'description'], 'A server.');
    draft.set([...draft.operation('listBanks'), 'summary'], 'Banks');
    const { root, write } = temporaryRepository(JSON.stringify(new SpecDraft().value));
    write('new.yaml', JSON.stringify(draft.value));
    write('usage.json', JSON.stringify(usage));

    const args = ['diff', 'openapi.yaml', 'new.yaml', '--usage', 'usage.json'];
    const { stdout } = await runCodegen(root, ...args);
    expect(stdout).toContain('    used by Aboss (last 2026-10-01), Byte (last 2026-09-30)\n');
    expect(stdout).toContain('    used by nobody from 2026-08-26 to 2026-11-23\n');
    expect(stdout).toContain(
      '    in responses of `listCustomers`, `searchCustomers`, `createCustomer` and 2 more\n',
    );
    expect(stdout).toContain('    in all operations\n');
    const { changes } = JSON.parse((await runCodegen(root, ...args, '--json')).stdout);
    expect(changes.map((change: { affected?: unknown }) => change.affected)).toEqual([
      [],
      [
        { partner: 'Aboss', lastUsed: '2026-10-01' },
        { partner: 'Byte', lastUsed: '2026-09-30' },
      ],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['{', ' is not the output of adx-server usage --json.'],
    [[], ' is not the output of adx-server usage --json.'],
    [{ ...usage, uses: {} }, ' is not the output of adx-server usage --json.'],
    [{ ...usage, from: undefined }, ': from is not a date (YYYY-MM-DD).'],
    [{ ...usage, to: 'today' }, ': to is not a date (YYYY-MM-DD).'],
    [{ ...usage, operation: 'a' }, ' has the usage of one operation. Leave out --operation.'],
    [{ ...usage, uses: [1] }, ', entry 1: it is not an object.'],
    [{ ...usage, uses: [used('a', 'a'), {}] }, ', entry 2: partner is not'],
  ])('D-40 a file that is no usage is refused: %j', (content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseUsage(text, 'usage.json')).toThrow(`usage.json${message}`);
  });

  it.each([
    [{ partner: '' }, 'partner is not a text.'],
    [{ operation: 1 }, 'operation is not'],
    [{ apiKey: '' }, 'apiKey is not a text.'],
    [{ field: '' }, 'field is not a text.'],
    [{ field: 'a', value: 1 }, 'value is not a text.'],
    [{ value: 'a' }, 'value has no field.'],
    [{ calls: '1' }, 'calls is not a number of calls.'],
    [{ calls: -1 }, 'calls is not a number of calls.'],
    [{ lastUsed: '1 May' }, 'lastUsed is not a date'],
    [{ lastUsed: 'on 2026-11-20' }, 'lastUsed is not a date'],
    [{ lastUsed: '2026-11-20T00:00' }, 'lastUsed is not a date'],
    [{ lastUsed: ['2026-11-20'] }, 'lastUsed is not a date'],
  ])('D-40 an entry of a usage with %j is refused', (wrong, message) => {
    const text = JSON.stringify({ ...usage, uses: [{ ...used('a', 'a'), ...wrong }] });
    expect(() => parseUsage(text, 'usage.json')).toThrow(`usage.json, entry 1: ${message}`);
  });
});
