import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SearchMandatesRequest } from '@adx/contract';
import {
  createCustomerMandates,
  createCustomerStore,
  createFileStore,
  createKnex,
  createPresign,
  createReferenceStore,
  loadConfig,
  startService,
} from '@adx/server';
import express, { type Express } from 'express';
import { createMandateStore } from '../../../packages/server/src/mandates/mandate-store.js';

/*
 * Runs one of the compared servers as a separate process: `service` is the whole service, `bare` an
 * Express 5 app that runs the same SQL as knex sends it, with neither authentication nor
 * validation, and `prepared` the same app with prepared statements (L-09). The environment has the
 * settings of the service, of which the bare servers use some. Prints its port; answers `usage` on
 * standard input with the CPU time (µs) and memory that it has used.
 */

const [kind, firmId = '', userId = ''] = process.argv.slice(2);
const setting = (name: string) => process.env[name] ?? '';
const keys = {
  accessKeyId: setting('S3_ACCESS_KEY_ID'),
  secretAccessKey: setting('S3_SECRET_ACCESS_KEY'),
};

const port = kind === 'service' ? await serve() : await serveBare();
process.stdout.write(`${JSON.stringify({ port })}\n`);
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(
    `${JSON.stringify({ cpuMicros: user + system, rss: process.memoryUsage().rss })}\n`,
  );
});
process.stdin.on('end', () => process.exit(0));

async function serve(): Promise<number> {
  const service = await startService(loadConfig(process.env, 'service'));
  return Number(new URL(service.url).port);
}

async function serveBare(): Promise<number> {
  const knex = createKnex(setting('DATABASE_URL'), { poolSize: 10, prepares: kind === 'prepared' });
  const app = bareApp({
    customers: createCustomerStore(knex, createCustomerMandates()),
    mandates: createMandateStore(knex),
    reference: createReferenceStore(knex),
    files: createFileStore({
      knex,
      presign: createPresign(`${setting('S3_ENDPOINT')}/adx-files`, 'us-east-1', () => keys),
      printFiles: async () => new Set(),
      now: () => new Date(),
    }),
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Stores {
  readonly customers: ReturnType<typeof createCustomerStore>;
  readonly mandates: ReturnType<typeof createMandateStore>;
  readonly reference: ReturnType<typeof createReferenceStore>;
  readonly files: ReturnType<typeof createFileStore>;
}

function bareApp({ customers, mandates, reference, files }: Stores): Express {
  const principal = { userId, firmId, accessLevel: 'administrator', seesCustomers: 'all' } as const;
  const page = { limit: 50, offset: 0 };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/v1/customers/:id', async (request, response) => {
    response.json(await customers.get(principal, request.params.id));
  });
  app.get('/v1/customers', async (_request, response) => {
    const all = [];
    for await (const customer of customers.list(principal)) all.push(customer);
    response.json(all);
  });
  app.post('/v1/customers', express.json(), async (request, response) => {
    response.json(await customers.search(principal, request.body, page));
  });
  app.post('/v1/mandates', express.json(), async (request, response) => {
    const { updatedSince, ...search }: SearchMandatesRequest = request.body;
    const since = updatedSince === undefined ? {} : { updatedSince: new Date(updatedSince) };
    const found = await mandates.search(
      principal,
      { sort: 'createdOn', ...search, ...since },
      page,
    );
    response.json(found);
  });
  app.post('/v1/banks', express.json(), async (_request, response) => {
    response.json(await reference.banks(page));
  });
  app.post('/v1/coda-files', express.json(), async (request, response) => {
    response.json(await whole(files.listCoda({ principal, apiKeyId: userId }, request.body)));
  });
  return app;
}

async function whole(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Symbol.asyncIterator in value) {
    const items = [];
    for await (const item of value as AsyncIterable<unknown>) items.push(await whole(item));
    return items;
  }
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object' && Symbol.asyncIterator in part) {
      Object.assign(value, { [name]: await whole(part) });
    }
  }
  return value;
}
