import { describe, expect, it } from 'vitest';
import { withCustomerField, withOperation } from './support/edit-specification.js';
import { generateInto, openapi } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
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

/** A server with a handler of `getCustomer`; those of all other operations of today are taken as given. */
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

/** The compiler's complaints about several servers, each beside what a specification generates. */
async function compile(specification: string, servers: Readonly<Record<string, string>>) {
  const { root, write } = temporaryRepository(specification);
  await generateInto(root, specification);
  const pathOf = (name: string) => `packages/server/src/${name}.ts`;
  // In one program: most of its time goes into what they all import.
  const complaints = typeCheck(
    root,
    Object.entries(servers).map(([name, text]) => write(pathOf(name), text)),
  );
  const names = Object.keys(servers).map((name) => pathOf(name));
  expect(complaints.filter((each) => !names.some((path) => each.startsWith(path)))).toEqual([]);
  return (name: string) => complaints.filter((each) => each.startsWith(pathOf(name))).join('\n');
}

describe('codegen: a maintainer edits openapi.yaml', () => {
  it('and the server compiles as long as it serves every operation, with responses that are documented', async () => {
    expect(operationIds).toHaveLength(23);
    const there = `getCustomer: ({ path }, { user }) => ({
      status: 404,
      body: { error: 'notFound', message: user, requestId: path.customerId },
    }),`;
    const complaintsOf = await compile(openapi, {
      today: server(getCustomer(customer)),
      documented: server(there),
      undocumented: server(there.replace('notFound', 'customerExists')),
    });
    expect(complaintsOf('today')).toBe('');
    expect(complaintsOf('documented')).toBe('');
    expect(complaintsOf('undocumented')).toContain('"customerExists"');
  });

  it('a new field: the server stops compiling until the handler returns it', async () => {
    const complaintsOf = await compile(withCustomerField(), {
      before: server(getCustomer(customer)),
      returned: server(getCustomer(customer.replace('{', "{ riskClass: 'low',"))),
      misspelt: server(getCustomer(customer.replace('{', "{ riskClass: 'lwo',"))),
    });
    expect(complaintsOf('before')).toContain("'riskClass'");
    expect(complaintsOf('returned')).toBe('');
    expect(complaintsOf('misspelt')).toContain('"lwo"');
  });

  it('a new operation: the server stops compiling until it is served', async () => {
    const served = `${getCustomer(customer)} restoreCustomer: ({ path }, { user }) => ({ status: 200, body: ${customer} }),`;
    const complaintsOf = await compile(withOperation(), {
      before: server(getCustomer(customer)),
      served: server(served),
    });
    expect(complaintsOf('before')).toContain("'restoreCustomer'");
    expect(complaintsOf('served')).toBe('');
  });
});
