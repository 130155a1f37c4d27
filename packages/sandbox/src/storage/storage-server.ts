import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { assumeRole, roleArn } from './assume-role.js';
import { authenticate } from './authenticate.js';
import { type Credentials, deriveCredentials } from './credentials.js';
import { type ObjectTable, openObjectTable } from './object-table.js';
import { answer, permittedOperation } from './operations.js';
import { parseTarget } from './request-target.js';
import { errorDocument, S3Error, sendXml } from './s3-error.js';

// Ours, because the S3 servers on the npm registry verify no signatures, issue no temporary
// credentials, or need a program that npm does not install.

/** The buckets of the service, which are there from the start. */
const buckets = {
  S3_BUCKET_FILES: 'adx-files',
  S3_BUCKET_CODA_UPLOADS: 'adx-coda-uploads',
  S3_BUCKET_CODB_UPLOADS: 'adx-codb-uploads',
} as const;

export interface StorageOptions {
  /** A database of the storage's own. */
  readonly databaseUrl: string;
  /** All keys are derived from it. */
  readonly secret: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Origin of the web pages that may read answers; `*` for all. */
  readonly corsOrigin?: string;
  readonly now?: () => Date;
  /** Receives errors that are no fault of the caller. */
  readonly onError?: (error: unknown) => void;
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
  const { host, port, databaseUrl, now = () => new Date(), onError = () => {} } = options;
  const credentials = deriveCredentials(options.secret);
  const objects = await openObjectTable(databaseUrl, now);
  for (const bucket of Object.values(buckets)) await objects.createBucket(bucket);
  const handle = { credentials, objects, now, corsOrigin: options.corsOrigin ?? '*' };
  const server = createServer({ requestTimeout });
  // A client that asks before it sends a body is answered once the request is permitted.
  for (const event of ['request', 'checkContinue']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      void respond(request, response, handle).catch((error: unknown) => {
        refuse(request, response, error, onError);
      });
    });
  }
  server.setTimeout(idleTimeout);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    await objects.close();
    throw error;
  }
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${listening}`;
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

interface Handle {
  readonly credentials: Credentials;
  readonly objects: ObjectTable;
  readonly now: () => Date;
  readonly corsOrigin: string;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { credentials, objects, now, corsOrigin }: Handle,
): Promise<void> {
  response.setHeader('x-amz-request-id', randomUUID());
  // Clients correct their clocks by it.
  response.setHeader('Date', now().toUTCString());
  response.setHeader('Access-Control-Allow-Origin', corsOrigin);
  response.setHeader('Access-Control-Expose-Headers', exposed);
  if (isPreflight(request)) return answerPreflight(request, response);
  const target = parseTarget(request.url ?? '');
  if (request.method === 'POST' && target.bucket === undefined) {
    return assumeRole(request, response, credentials, now());
  }
  const authenticated = authenticate(request, target, credentials, now());
  const operation = permittedOperation(request, target, authenticated.caller);
  const named = [operation.bucket, ...('source' in operation ? [operation.source.bucket] : [])];
  for (const bucket of operation.name === 'createBucket' ? [] : named) {
    if (await objects.hasBucket(bucket)) continue;
    throw new S3Error(404, 'NoSuchBucket', 'There is no such bucket');
  }
  await answer(objects, { request, response, target, authenticated, operation });
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

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  const refusal =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'The storage has failed');
  if (refusal.status === 500) onError(error);
  if (response.headersSent || response.destroyed) {
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
