import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { editedSpec } from './support/edit-spec.js';
import { generateInto, modelOf, openapi, operationIds } from './support/generate-into.js';
import { addSources, temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const customer = `{
      id: path.customerId,
      enterpriseNumber: '0765.432.146',
      name: 'Bakkerij De Gouden Korst',
      address: { street: 'Veldstraat 12', zipCode: '9000', municipality: 'Gent', country: 'België' },
      contact: { name: 'Jan', function: 'Zaakvoerder', email: 'jan@example.org', language: 'nl' },
      isConfidential: user === 'nobody',
      bankAccounts: [],
      payrollProviders: [],
      createdOn: '2026-03-02T08:15:30.120Z',
      updatedOn: '2026-03-02T08:15:30.120Z',
    }`;

/** Returns a server with these handlers; those of all other operations are declared. */
function server(handlers: string) {
  const others = operationIds.filter((id) => id !== 'getCustomer');
  return `
import type { Request, RequestHandler } from 'express';
import type { Handlers } from './generated/handlers.gen.js';
import { createRouter } from './generated/router.gen.js';

interface UserContext { readonly user: string }
type Others = ${others.map((id) => `'${id}'`).join(' | ')};
declare const others: Pick<Handlers<UserContext>, Others>;

const own = { ${handlers} } satisfies Omit<Handlers<UserContext>, Others>;

export const router = createRouter<UserContext>({
  handlers: { ...others, ...own },
  bind: (operation, handler) => async (request: Request, response) => {
    response.json([operation.operationId, handler.length, request.params]);
  },
  methodNotAllowed: (allowed): RequestHandler => (_request, response) =>
    void response.status(405).json(allowed),
});
`;
}

const getCustomer = (body: string) =>
  `getCustomer: ({ path }, { user }) => ({ status: 200, body: ${body} }),`;

const missing = `getCustomer: ({ path }, { user }) => ({
      status: 404,
      body: { error: 'notFound', message: user, requestId: path.customerId },
    }),`;

const edited = editedSpec();
const rated = (riskClass: string) => customer.replace('{', `{ riskClass: '${riskClass}',`);
const restoreCustomer = `restoreCustomer: ({ path }, { user }) => ({ status: 200, body: ${rated('low')} }),`;

/** Servers by name, each compiled with the files that a spec generates. */
const cases = [
  {
    spec: openapi,
    servers: {
      today: server(getCustomer(customer)),
      documented: server(missing),
      undocumented: server(missing.replace('notFound', 'customerExists')),
    },
  },
  {
    spec: edited,
    servers: {
      'without-field': server(getCustomer(customer) + restoreCustomer),
      'with-misspelt-value': server(getCustomer(rated('lwo')) + restoreCustomer),
      'without-operation': server(getCustomer(rated('low'))),
      complete: server(getCustomer(rated('low')) + restoreCustomer),
    },
  },
];
const names = cases.flatMap(({ servers }) => Object.keys(servers));

const cleanUps: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanUps) cleanUp();
});

let compiled: Promise<readonly string[]> | undefined;

/** Returns the errors. The compiler takes seconds, so it runs once for all of the servers. */
function compilerErrors(): Promise<readonly string[]> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { spec, servers } of cases) {
    const { root, write } = temporaryRepository(spec, (remove) => cleanUps.push(remove));
    if (spec === edited) {
      addSources(root, source);
      files.push(join(root, source, 'service.ts'));
    }
    await generateInto(root, spec);
    for (const [name, text] of Object.entries(servers)) {
      files.push(write(`${source}/${name}.ts`, text));
    }
  }
  const { root } = temporaryRepository('', (remove) => cleanUps.push(remove));
  return typeCheck(root, files);
}

const source = 'packages/server/src';

const isAbout = (name: string) => (compilerError: string) =>
  compilerError.includes(`/src/${name}.ts(`);

async function errorsAbout(name: string): Promise<string> {
  return (await compilerErrors()).filter(isAbout(name)).join('\n');
}

describe('codegen: a maintainer edits openapi.yaml', () => {
  it('the server compiles as long as it serves every operation with documented responses', {
    tags: 'long',
  }, async () => {
    expect((await modelOf(openapi)).operations.map(({ id }) => id)).toEqual(operationIds);
    expect(await errorsAbout('today')).toBe('');
    expect(await errorsAbout('documented')).toBe('');
    expect(await errorsAbout('undocumented')).toContain('"customerExists"');
  });

  it('a new field: the server stops compiling until the handler returns it', {
    tags: 'long',
  }, async () => {
    expect(await errorsAbout('without-field')).toContain("'riskClass'");
    expect(await errorsAbout('with-misspelt-value')).toContain('"lwo"');
    expect(await errorsAbout('complete')).toBe('');
  });

  it('a new operation: the server stops compiling until it is served', {
    tags: 'long',
  }, async () => {
    expect(await errorsAbout('without-operation')).toContain("'restoreCustomer'");
    expect(await errorsAbout('complete')).toBe('');
  });

  it('the service itself stops compiling until it returns a new field and serves a new operation', {
    tags: 'long',
  }, async () => {
    const ofService = (await compilerErrors()).filter(
      (each) => !names.some((it) => isAbout(it)(each)),
    );
    const about = (name: string) => ofService.filter((each) => each.includes(name));
    expect(about('riskClass')).not.toEqual([]);
    expect(about('restoreCustomer')).not.toEqual([]);
    expect(ofService.filter((each) => !/riskClass|restoreCustomer/.test(each))).toEqual([]);
  });
});
