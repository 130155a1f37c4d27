import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { assumeRole, roleArn } from './assume-role.js';
import { authenticate } from './authenticate.js';
import { type Credentials, deriveCredentials } from './credentials.js';
import { type ObjectTable, openObjectTable } from './object-table.js';
import { answer, permittedOperation } from './operations.js';
import { parseTarget } from './request-target.js';
import { errorDocument, S3Error, sendXml } from './s3-error.js';

// Ours (L-08), because the S3 servers on the npm registry verify no signatures, issue no temporary
// credentials, or need a program that npm does not install.

/** The buckets of the service, which are there from the start. */
const buckets = {
  S3_BUCKET_FILES: 'adx-files',
  S3_BUCKET_CODA_UPLOADS: 'adx-coda-uploads',
  S3_BUCKET_CODB_UPLOADS: 'adx-codb-uploads',
} as const;

export interface StorageOptions {
  /** A database that has nothing else. */
  readonly databaseUrl: string;
  /** All credentials are derived from it. */
  readonly secret: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly now?: () => Date;
}

export interface RunningStorage {
  readonly url: string;
  /** The settings of the service that lead to this storage, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Lets requests that are under way end, then stops. */
  close(): Promise<void>;
}

/** How long a whole request may take, in ms: 25 MiB over a slow office line. */
const requestTimeout = 300_000;
/** Idle timeout of a connection, in ms. */
const idleTimeout = 30_000;
/** How long a refused body is read before the connection is closed, in ms. */
const refusedMs = 1_000;

const exposed = 'ETag, Content-Disposition, Content-Length, Content-Range, Date, x-amz-request-id';

/**
 * Starts an object storage that speaks S3, and STS `AssumeRole` at the same address.
 *
 * @throws Error with the code `EADDRINUSE` where the port is taken
 */
export async function startStorage(options: StorageOptions): Promise<RunningStorage> {
  const { port, databaseUrl, now = () => new Date() } = options;
  const credentials = deriveCredentials(options.secret);
  const objects = await openObjectTable(databaseUrl, now);
  for (const bucket of Object.values(buckets)) await objects.createBucket(bucket);
  const parts = { credentials, objects, now };
  const server = createServer({ requestTimeout });
  // A client that asks before it sends a body is answered once the request is permitted.
  for (const event of ['request', 'checkContinue']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      void respond(request, response, parts).catch((error: unknown) => {
        refuse(request, response, error);
      });
    });
  }
  server.setTimeout(idleTimeout);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    await objects.close();
    throw error;
  }
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${listening}`;
  return {
    url,
    settings: {
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...buckets,
      STS_ROLE_ARN: roleArn,
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
      await objects.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  parts: {
    readonly credentials: Credentials;
    readonly objects: ObjectTable;
    readonly now: () => Date;
  },
): Promise<void> {
  const { credentials, objects, now } = parts;
  response.setHeader('x-amz-request-id', randomUUID());
  // Clients correct their clocks by it.
  response.setHeader('Date', now().toUTCString());
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', exposed);
  if (isPreflight(request)) return answerPreflight(request, response);
  const target = parseTarget(request.url ?? '');
  if (request.method === 'POST' && target.bucket === undefined) {
    return assumeRole(request, response, credentials, now());
  }
  const authenticated = authenticate(request, target, credentials, now());
  const operation = permittedOperation(request, target, authenticated.caller);
  // `permittedOperation` refuses requests without a bucket.
  const bucketTarget = { ...target, bucket: target.bucket ?? '' };
  await answer(objects, { request, response, target: bucketTarget, authenticated, operation });
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Lets web pages send signed requests. Browsers sign nothing by themselves, so this is safe. */
function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, PUT');
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
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) {
    if (/^(content-|etag|last-modified|cache-control|expires)/.test(name))
      response.removeHeader(name);
  }
  if (!request.complete) closeAfterAnswer(request, response);
  sendXml(response, refusal.status, request.method === 'HEAD' ? '' : errorDocument(refusal));
}

/**
 * Closes the connection a little after the answer: to close it while a body arrives would reset it
 * before the caller has read the answer.
 */
function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  const timer = setTimeout(() => request.socket.destroy(), refusedMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
