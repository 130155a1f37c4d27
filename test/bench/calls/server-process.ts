import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKnex, loadConfig, startService } from '@adx/server';
import { createAuthentication } from './peers/authentication.js';
import { bareApp, usualApp } from './peers/express-apps.js';
import { fastifyApp } from './peers/fastify-app.js';
import { createReads } from './peers/reads.js';

/*
 * Runs one of the compared servers as a separate process: `service` is the whole service. The
 * others run the same prepared statements (L-09): `bare` in Express 5 with neither authentication
 * nor validation, `usual` and `fastify` with both and a rate limit. The environment has the
 * settings of the service, of which the others use some. Prints its port; answers `usage` on
 * standard input with the CPU time (µs) and memory that it has used.
 */

const [kind = '', firmId = '', userId = '', jwksUrl = ''] = process.argv.slice(2);
const setting = (name: string) => process.env[name] ?? '';

const port = kind === 'service' ? await serve() : await serveAlone();
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

async function serveAlone(): Promise<number> {
  const knex = createKnex(setting('DATABASE_URL'), { poolSize: 10 });
  const keys = {
    accessKeyId: setting('S3_ACCESS_KEY_ID'),
    secretAccessKey: setting('S3_SECRET_ACCESS_KEY'),
  };
  const reads = createReads(knex, { endpoint: setting('S3_ENDPOINT'), keys: () => keys });
  const authentication = createAuthentication(knex, { issuer: setting('PUBLIC_URL'), jwksUrl });
  const callsPerMinute = Number(setting('RATE_LIMIT_PER_MINUTE'));
  if (kind === 'fastify') {
    const app = await fastifyApp(reads, authentication, callsPerMinute);
    return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  }
  if (kind === 'usual') return listen(usualApp(reads, authentication, callsPerMinute));
  const principal = { userId, firmId, accessLevel: 'administrator', seesCustomers: 'all' } as const;
  return listen(bareApp(reads, { principal, apiKeyId: userId }));
}

async function listen(app: RequestListener): Promise<number> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
