import { describe, expect, it } from 'vitest';
import { withCustomerField, withOperation } from './support/edit-specification.js';
import { openapi } from './support/generate-into.js';
import { runCodegen } from './support/run-codegen.js';
import { type TemporaryRepository, temporaryRepository } from './support/temporary-repository.js';
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

async function edit({ root, write }: TemporaryRepository, specification: string) {
  write('openapi.yaml', specification);
  const { exitCode, stderr } = await runCodegen(root, '--out', root);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

function compile({ root, write }: TemporaryRepository, text: string): string[] {
  return typeCheck(root, [write('packages/server/src/server.ts', text)]);
}

describe('codegen: a maintainer edits openapi.yaml', () => {
  it('and the server compiles as long as it serves every operation', async () => {
    const repository = temporaryRepository(openapi);
    await edit(repository, openapi);
    expect(operationIds).toHaveLength(23);
    expect(compile(repository, server(getCustomer(customer)))).toEqual([]);
  });

  it('a new field: the server stops compiling until the handler returns it', async () => {
    const repository = temporaryRepository(openapi);
    await edit(repository, withCustomerField());

    const complaints = compile(repository, server(getCustomer(customer)));
    expect(complaints.join('\n')).toMatch(/^packages\/server\/src\/server\.ts.*'riskClass'/s);

    const returned = customer.replace('{', "{ riskClass: 'low',");
    expect(compile(repository, server(getCustomer(returned)))).toEqual([]);
    const misspelt = customer.replace('{', "{ riskClass: 'lwo',");
    expect(compile(repository, server(getCustomer(misspelt))).join()).toContain('"lwo"');
  });

  it('a new operation: the server stops compiling until it is served', async () => {
    const repository = temporaryRepository(openapi);
    await edit(repository, withOperation());

    const complaints = compile(repository, server(getCustomer(customer)));
    expect(complaints.join('\n')).toMatch(/^packages\/server\/src\/server\.ts.*'restoreCustomer'/s);

    const served = `${getCustomer(customer)} restoreCustomer: ({ path }, { user }) => ({ status: 200, body: ${customer} }),`;
    expect(compile(repository, server(served))).toEqual([]);
  });

  it('a response that is not documented does not compile', async () => {
    const repository = temporaryRepository(openapi);
    await edit(repository, openapi);
    const gone = `getCustomer: ({ path }, { user }) => ({
      status: 404,
      body: { error: 'customerExists', message: user, requestId: path.customerId },
    }),`;
    expect(compile(repository, server(gone)).join()).toContain('"customerExists"');
    const there = gone.replace('customerExists', 'notFound');
    expect(compile(repository, server(there))).toEqual([]);
  });
});
