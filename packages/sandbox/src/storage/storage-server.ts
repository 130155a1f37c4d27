import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { assumeRole, roleArn } from './assume-role.js';
import { authenticate, type StorageTime } from './authenticate.js';
import { type Credentials, deriveCredentials } from './credentials.js';
import { type ObjectTable, openObjectTable } from './object-table.js';
import { performOperation } from './operations.js';
import { openPartTable, type PartTable } from './part-table.js';
import { parseTarget } from './request-target.js';
import { errorDocument, S3Error, sendXml } from './s3-error.js';

// Ours (L-08), because the S3 servers on the npm registry verify no signatures, issue no temporary
// credentials, or need a program that npm does not install.

/** The buckets of the service, which always exist. */
const buckets = {
  S3_BUCKET_FILES: 'adx-files',
  S3_BUCKET_CODA_UPLOADS: 'adx-coda-uploads',
  S3_BUCKET_CODB_UPLOADS: 'adx-codb-uploads',
} as const;

export interface StorageOptions {
  /** A database for nothing else. */
  readonly databaseUrl: string;
  /** The secret from which all credentials are derived. */
  readonly secret: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address to listen on, by default the loopback address, which its settings always name. */
  readonly host?: string;
  readonly now?: () => Date;
  readonly elapsedSince?: StorageTime['elapsedSince'];
}

/** How long a whole request may take, in ms: 25 MiB over a slow office line. */
const requestTimeout = 300_000;
/** Idle timeout of a connection, in ms. */
const idleTimeout = 30_000;
/** How long a refused body is read before the connection is closed, in ms. */
const refusedMs = 1_000;

/** Response headers that web pages may read. */
const exposedHeaders =
  'ETag, Content-Disposition, Content-Length, Content-Range, Date, x-amz-request-id';

/** @throws Error with the code `EADDRINUSE` if the port is taken */
export async function startStorage(options: StorageOptions) {
  const {
    port,
    host = '127.0.0.1',
    databaseUrl,
    now = () => new Date(),
    elapsedSince = () => 0,
  } = options;
  const credentials = deriveCredentials(options.secret);
  const objects = await openObjectTable(databaseUrl, now);
  const parts = await openPartTable(objects.pool, now);
  for (const bucket of Object.values(buckets)) await objects.createBucket(bucket);
  const server = createServer({ requestTimeout });
  // A client with `Expect: 100-continue` is answered after the request has been checked.
  for (const event of ['request', 'checkContinue']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const time = { now: now(), elapsedSince };
      respond(request, response, { credentials, objects, parts, time }).catch((error: unknown) => {
        refuse(request, response, error);
      });
    });
  }
  server.setTimeout(idleTimeout);
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    parts.close();
    await objects.close();
    throw error;
  }
  return {
    /** The settings that point the service to it. */
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...buckets,
      STS_ROLE_ARN: roleArn,
    },
    async close(): Promise<void> {
      // Waits for requests that are in progress.
      await new Promise((resolve) => server.close(resolve));
      parts.close();
      await objects.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  context: {
    credentials: Credentials;
    objects: ObjectTable;
    parts: PartTable;
    time: StorageTime;
  },
): Promise<void> {
  const { credentials, time } = context;
  response.setHeader('x-amz-request-id', randomUUID());
  // Clients correct their clocks by it.
  response.setHeader('Date', time.now.toUTCString());
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
  if (isPreflight(request)) return allowPreflight(request, response);
  if (isOfSts(request)) return assumeRole(request, response, credentials, time);
  const target = parseTarget(request.url ?? '');
  const authenticated = authenticate(request, target, credentials, time);
  await performOperation(context, { request, response, target, authenticated });
}

const isOfSts = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /^\/(\?|$)/.test(url);

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Allows web pages to send requests (CORS). A page without the keys cannot sign one. */
function allowPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  // `x-amz-meta-…` cannot be listed, and `*` does not include `Authorization`.
  const asked = request.headers['access-control-request-headers'] ?? '';
  if (/^[\w-]+( *, *[\w-]+)*$/.test(asked)) {
    response.setHeader('Access-Control-Allow-Headers', asked);
  }
  response.writeHead(204).end();
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const refusal =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'The storage has failed');
  if (response.destroyed) return;
  if (refusal.status === 500) process.stderr.write(`storage: ${inspect(error)}\n`);
  if (response.headersSent) return void response.destroy();
  if (!request.complete) closeAfterResponse(request, response);
  const document = errorDocument(refusal, isOfSts(request));
  sendXml(response, refusal.status, request.method === 'HEAD' ? '' : document);
}

/**
 * Closes the connection a little after the response: closing it while a body arrives would reset it
 * before the caller has read the response.
 */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  const timer = setTimeout(() => request.socket.destroy(), refusedMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
