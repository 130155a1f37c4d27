import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withCustomerField, withOperation } from './support/edit-specification.js';
import { generateInto, openapi } from './support/generate-into.js';
import { repository, temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

/** What a handler of `getCustomer` returns, as someone would write it. */
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

const operationIds = [...openapi.matchAll(/^ {6}operationId: (\w+)$/gm)].map(([, id = '']) => id);

/** A server with a handler of `getCustomer`; the handlers of today's other operations are declared. */
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
  bind: (operation, handler) => [
    async (request: Request, response) => {
      response.json([operation.operationId, handler.length, request.params]);
    },
  ],
  methodNotAllowed: (allowed): RequestHandler[] => [
    (_request, response) => void response.status(405).json(allowed),
  ],
});
`;
}

const getCustomer = (body: string) =>
  `getCustomer: ({ path }, { user }) => ({ status: 200, body: ${body} }),`;

const missing = `getCustomer: ({ path }, { user }) => ({
      status: 404,
      body: { error: 'notFound', message: user, requestId: path.customerId },
    }),`;

const restoring = `restoreCustomer: ({ path }, { user }) => ({ status: 200, body: ${customer} }),`;

/** Servers by name, each beside the files that a specification generates. */
const cases = [
  {
    specification: openapi,
    servers: {
      today: server(getCustomer(customer)),
      documented: server(missing),
      undocumented: server(missing.replace('notFound', 'customerExists')),
    },
  },
  {
    specification: withCustomerField(),
    servers: {
      'without-field': server(getCustomer(customer)),
      'with-field': server(getCustomer(customer.replace('{', "{ riskClass: 'low',"))),
      'with-misspelt-value': server(getCustomer(customer.replace('{', "{ riskClass: 'lwo',"))),
    },
  },
  {
    specification: withOperation(),
    servers: {
      'without-operation': server(getCustomer(customer)),
      'with-operation': server(getCustomer(customer) + restoring),
    },
  },
];

const cleanUps: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanUps) cleanUp();
});

let complaints: Promise<readonly string[]> | undefined;

/** The compiler's complaints about a server. All are compiled at once: they share what they import. */
async function complaintsAbout(name: string): Promise<string> {
  complaints ??= compileServers();
  return (await complaints).filter((each) => each.includes(`server/src/${name}.ts`)).join('\n');
}

async function compileServers(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { specification, servers } of cases) {
    const { root, write } = temporaryRepository(specification, (remove) => cleanUps.push(remove));
    await generateInto(root, specification);
    for (const [name, text] of Object.entries(servers)) {
      files.push(write(`packages/server/src/${name}.ts`, text));
    }
  }
  const { root } = temporaryRepository('', (remove) => cleanUps.push(remove));
  const found = typeCheck(root, files);
  const names = cases.flatMap(({ servers }) => Object.keys(servers));
  const elsewhere = found.filter(
    (each) => !names.some((name) => each.includes(`server/src/${name}.ts`)),
  );
  expect(elsewhere).toEqual([]);
  return found;
}

describe('codegen: a maintainer edits openapi.yaml', () => {
  it('and the server compiles as long as it serves every operation, with responses that are documented', async () => {
    expect(operationIds).toHaveLength(23);
    expect(await complaintsAbout('today')).toBe('');
    expect(await complaintsAbout('documented')).toBe('');
    expect(await complaintsAbout('undocumented')).toContain('"customerExists"');
  });

  it('a new field: the server stops compiling until the handler returns it', async () => {
    expect(await complaintsAbout('without-field')).toContain("'riskClass'");
    expect(await complaintsAbout('with-field')).toBe('');
    expect(await complaintsAbout('with-misspelt-value')).toContain('"lwo"');
  });

  it('a new operation: the server stops compiling until it is served', async () => {
    expect(await complaintsAbout('without-operation')).toContain("'restoreCustomer'");
    expect(await complaintsAbout('with-operation')).toBe('');
  });
});

/** Compiles the service as it is written today, against what another specification generates. */
async function complaintsOfServer(specification: string): Promise<string[]> {
  const { root, pathOf } = temporaryRepository(specification);
  const source = 'packages/server/src';
  cpSync(join(repository, source), pathOf(source), {
    recursive: true,
    filter: (path) => path !== join(repository, source, 'generated'),
  });
  const present = new Set(readdirSync(pathOf('node_modules')));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (present.has(name) || name.startsWith('.')) continue;
    symlinkSync(join(repository, 'node_modules', name), pathOf(`node_modules/${name}`));
  }
  await generateInto(root, specification);
  return typeCheck(root, [pathOf(`${source}/main.ts`)]);
}

// The compiler needs seconds for the service: it is run once for both.
it('codegen: the service itself stops compiling until it returns a new field and serves a new operation', async () => {
  const found = await complaintsOfServer(withOperation(withCustomerField()));
  const about = (name: string) => found.filter((complaint) => complaint.includes(name));
  expect(about('riskClass')).not.toEqual([]);
  expect(about('restoreCustomer')).not.toEqual([]);
  expect(found.filter((each) => !/riskClass|restoreCustomer/.test(each))).toEqual([]);
});
