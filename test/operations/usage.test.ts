import { operations, type Scope, scopes } from '@adx/contract';
import { describeOperation } from '@adx/contract/requests';
import { type SpecSchema, spec } from '@adx/contract/spec';
import { createApiKeyStore } from '@adx/server';
import { expect, it } from 'vitest';
import { compareSpecs } from '../../codegen/src/diff/compare/compare-specs.js';
import { readOpenApi } from '../../codegen/src/openapi/openapi-object.js';
import { runCodegen } from '../../codegen/test/support/run-codegen.js';
import { SpecDraft, schema } from '../../codegen/test/support/spec-draft.js';
import { temporaryRepository } from '../../codegen/test/support/temporary-repository.js';
import { captureProgram } from '../../packages/server/src/operator/program.js';
import { createUseReader } from '../../packages/server/src/usage/used-elements.js';
import { newCustomer } from '../support/new-customer.js';
import { useDeployment } from './support/deployment.js';

const allScopes = Object.keys(scopes) as Scope[];
const deployment = useDeployment();

it('D-41 the service counts the names that the gate asks for, and no others', () => {
  const edited = new SpecDraft();
  visit(edited.value, (part) => {
    if ('properties' in part || 'type' in part || '$ref' in part) part['description'] = 'Other';
    if (Array.isArray(part['enum'])) part['enum'] = ['other'];
  });
  const released = readOpenApi(new SpecDraft().document());
  const asked = compareSpecs(released, readOpenApi(edited.document()))
    .flatMap(({ uses }) => uses)
    .flatMap(({ operation, direction, field, values = [''] }) =>
      direction === 'request' && field !== undefined
        ? values.map((value) => `${operation} ${field} ${value}`)
        : [],
    );
  const counted = Object.values(operations).flatMap((operation) => {
    const { read } = createUseReader(describeOperation(operation));
    const schema =
      spec.paths[operation.path]?.[operation.method]?.requestBody?.content?.['application/json']
        ?.schema ?? {};
    const query = Object.fromEntries(operation.queryParameters.map((name) => [name, 'x']));
    const headers = Object.fromEntries(
      operation.headerParameters.map((name) => [name.toLowerCase(), 'x']),
    );
    return samplesOf(schema)
      .flatMap((body) => [...read({ body, query, headers })])
      .filter(({ field }) => field !== '')
      .map(({ field, value }) => `${operation.operationId} ${field} ${value && JSON.parse(value)}`);
  });
  expect(new Set(counted).size).toBeGreaterThan(50);
  expect([...new Set(counted)].sort()).toEqual([...new Set(asked)].sort());
});

function visit(part: unknown, edit: (object: Record<string, unknown>) => void): void {
  if (typeof part !== 'object' || part === null) return;
  for (const each of Object.values(part)) visit(each, edit);
  if (!Array.isArray(part)) edit(part as Record<string, unknown>);
}

/** Returns samples that together have every field and enumerated value of the schema. */
function samplesOf(schema: SpecSchema): unknown[] {
  const { $ref, oneOf, items, properties } = schema;
  if ($ref !== undefined) return samplesOf(spec.components.schemas[$ref.split('/')[3] ?? ''] ?? {});
  if (oneOf !== undefined) return oneOf.flatMap(samplesOf);
  if (items !== undefined) return samplesOf(items).map((item) => [item]);
  if (properties === undefined) return [...(schema.enum ?? [''])];
  return Object.entries(properties).flatMap(([name, member]) =>
    samplesOf(member).map((value) => ({ [name]: value })),
  );
}

it('D-41 the output of usage tells the gate which partners a breaking change concerns', {
  tags: 'long',
}, async () => {
  const { knex, databaseUrl, username } = deployment;
  await knex('api_usage').delete();
  const process = await deployment.start();
  const password = Buffer.from(deployment.password).toString('base64');
  const as = async (partner: string, operation: keyof typeof operations, body?: unknown) => {
    const { key } = await createApiKeyStore(knex).issue({ partner, scopes: allScopes });
    const call = (to: string, options: object) =>
      deployment.call(process, to, { ...options, apiKey: key });
    const signIn = { username, password };
    const signedIn = await call('/token', { method: 'POST', body: signIn });
    const { idToken } = (await signedIn.json()) as { idToken: string };
    const { path, method } = operations[operation];
    const called = await call(path, { method: method.toUpperCase(), idToken, body });
    expect(called.status).toBe(200);
  };
  const { contact } = newCustomer();
  await as('Aboss', 'searchMandates', { sort: 'status', status: ['created'] });
  await as('Byte', 'searchMandates', { sort: 'bankName' });
  await as('Caro', 'searchMandates', {});
  await as('Dato', 'helloWorld');
  await as('Ezra', 'createCustomer', newCustomer({ contact: { ...contact, language: 'fr' } }));
  await as('Fimo', 'createCustomer', newCustomer({ contact: { ...contact, language: 'nl' } }));
  process.kill('SIGTERM');
  await process.exited;
  const printed = await captureProgram(['usage', '--json'], { DATABASE_URL: databaseUrl });
  expect(printed).toMatchObject({ exitCode: 0, stderr: '' });

  const { root, write } = temporaryRepository(JSON.stringify(new SpecDraft().value));
  const draft = new SpecDraft();
  draft.remove(...draft.operation('helloWorld'));
  draft.remove(...schema('SearchMandatesRequest', 'status'));
  draft.drop([...schema('SearchMandatesRequest', 'sort'), 'enum'], 'status');
  draft.drop([...schema('Language'), 'enum'], 'fr');
  draft.set([...schema('RefreshRequest', 'refreshToken'), 'maxLength'], 1);
  write('new.yaml', JSON.stringify(draft.value));
  write('usage.json', printed.stdout);
  const args = ['openapi.yaml', 'new.yaml', '--usage', 'usage.json'];
  const { changes } = JSON.parse((await runCodegen(root, 'diff', ...args, '--json')).stdout);
  const today = new Date().toISOString().slice(0, 10);
  const by = (partner: string) => [{ partner, lastUsed: today }];
  const affected = changes.map((change: { text: string; affected: unknown }) => [
    ...[change.text, change.affected],
  ]);
  expect(Object.fromEntries(affected)).toEqual({
    '`helloWorld` (`GET /hello-world`) is removed.': by('Dato'),
    '`SearchMandatesRequest.status` is removed.': by('Aboss'),
    '`SearchMandatesRequest.sort` loses the value `status`.': by('Aboss'),
    '`Language` loses the value `fr`.': by('Ezra'),
    'The `maxLength` of `RefreshRequest.refreshToken` goes from `4096` to `1`.': [],
  });
  const { stdout } = await runCodegen(root, 'diff', ...args);
  expect(stdout).toContain(`    used by Dato (last ${today})\n`);
  expect(stdout).toContain(`    used by nobody from ${today} to ${today}\n`);
});
