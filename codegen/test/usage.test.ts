import { describe, expect, it } from 'vitest';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import { affectedBy, parseUsage } from '../src/diff/usage.js';
import { readOpenApi } from '../src/openapi/openapi-object.js';
import { runCodegen } from './support/run-codegen.js';
import { SpecDraft, schema } from './support/spec-draft.js';
import { temporaryRepository } from './support/temporary-repository.js';

const released = readOpenApi(new SpecDraft().document());

/** Returns an entry of the usage. */
function used(partner: string, operation: string, more: object = {}) {
  return { partner, apiKey: 'k', operation, calls: 3, lastUsed: '2026-11-20', ...more };
}

const usage = [
  used('Aboss', 'searchMandates'),
  used('Aboss', 'searchMandates', { field: 'body.sort', lastUsed: '2026-11-01' }),
  used('Aboss', 'searchMandates', {
    field: 'body.sort',
    value: 'bankName',
    lastUsed: '2026-10-01',
  }),
  used('Byte', 'searchMandates', { field: 'body.sort', lastUsed: '2026-11-02' }),
  used('Byte', 'searchMandates', { field: 'body.sort', value: 'status', lastUsed: '2026-11-02' }),
  used('Caro', 'createCustomer', { lastUsed: '2026-09-01' }),
  used('Caro', 'createCustomer', { field: 'body.address.street2', lastUsed: '2026-09-02' }),
  used('Dato', 'createCustomer', { lastUsed: '2026-09-03' }),
  used('Dato', 'getCustomer', { lastUsed: '2026-08-03' }),
  used('Dato', 'getCustomer', { apiKey: 'l', lastUsed: '2026-08-05' }),
  used('Ezra', 'getCustomer', { calls: 0 }),
  used('Fimo', 'updateCustomer', { field: 'body.contact', lastUsed: '2026-07-01' }),
  used('Gira', 'updateCustomer', { lastUsed: '2026-07-02' }),
  used('Huma', 'requestMandate', { lastUsed: '2026-07-03' }),
];

/** Returns the partners that the major changes of an edit concern, each with the last use. */
function affected(edit: (draft: SpecDraft) => void): string[] {
  const draft = new SpecDraft();
  edit(draft);
  return compareSpecs(released, readOpenApi(draft.document()))
    .filter(({ weight }) => weight === 'major')
    .flatMap((change) => affectedBy(change, usage))
    .map(({ partner, lastUsed }) => `${partner} ${lastUsed}`);
}

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
    expect(affected((draft) => draft.drop(values, 'bankName'))).toEqual(['Aboss 2026-10-01']);
    expect(affected((draft) => draft.drop(values, 'ibanNumber'))).toEqual([]);
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
    expect(changes.flatMap((change) => affectedBy(change, [entry]))).toHaveLength(1);
    expect(changes.flatMap((change) => affectedBy(change, [used('Byte', 'listBanks')]))).toEqual(
      [],
    );
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
    expect(stdout).toContain('    used by Aboss (last 2026-10-01)\n');
    expect(stdout).toContain('    used by nobody in the last 90 days\n');
    expect(stdout).toContain(
      '    in responses of `listCustomers`, `searchCustomers`, `createCustomer` and 2 more\n',
    );
    expect(stdout).toContain('    in all operations\n');
    const { changes } = JSON.parse((await runCodegen(root, ...args, '--json')).stdout);
    expect(changes.map((change: { affected?: unknown }) => change.affected)).toEqual([
      [],
      [{ partner: 'Aboss', lastUsed: '2026-10-01' }],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['{', 'usage.json is not a JSON array.'],
    ['{}', 'usage.json is not a JSON array.'],
    ['[1]', 'usage.json, entry 1: it is not an object.'],
    [[used('', 'a')], 'usage.json, entry 1: partner is not a text.'],
    [
      [used('a', 'a'), { ...used('a', 'a'), operation: 1 }],
      'usage.json, entry 2: operation is not',
    ],
    [[used('a', 'a', { value: 'a' })], 'usage.json, entry 1: value has no field.'],
    [[used('a', 'a', { calls: '1' })], 'usage.json, entry 1: calls is not a number of calls.'],
    [[used('a', 'a', { lastUsed: '1 May' })], 'usage.json, entry 1: lastUsed is not a date'],
  ])('D-40 a file that is no usage is refused: %j', (content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseUsage(text, 'usage.json')).toThrow(message);
  });
});
