import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import type { Logger } from 'pino';
import { endBeforeBody } from '../../http/end-before-body.js';
import { type AuthenticatedRequest, authenticateRequest } from './authenticate-request.js';
import { allowStorageOrigin, isPreflight } from './cross-origin.js';
import { readPayloadTerms, verifyPayload } from './payload.js';
import { permittedOperation, type StorageOperation } from './permitted-operation.js';
import { parseTarget, type RequestTarget } from './request-target.js';
import { beginRefusal, S3Refusal } from './s3-refusal.js';
import type { AnswerPermitted } from './s3-server.js';
import type { StorageKeys } from './storage-keys.js';

/** Largest object of a partner, in bytes: 25 MiB and what an envelope around a file may take. */
export const largestUpload = 25 * 1024 * 1024 + 64 * 1024;
/** Largest object of the service, in bytes. */
const largestObject = 512 * 1024 * 1024;

export interface GuardOptions {
  readonly keys: StorageKeys;
  readonly buckets: readonly string[];
  /** Answers what is let through. */
  readonly answer: AnswerPermitted;
  /** Origin of the web pages that may read answers; `*` for all. */
  readonly corsOrigin: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * The only way to the embedded storage: lets through what is signed with one of its keys and what
 * that key permits, and answers everything else with an error of S3.
 *
 * @param expectsContinue - whether a caller waits for a word before it sends its body
 */
export type Guard = (
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
) => Promise<void>;

/** The guard of an embedded storage. */
export function createGuard(options: GuardOptions): Guard {
  const { answer, keys, now, logger, corsOrigin } = options;
  return async (request, response, expectsContinue) => {
    response.setHeader('x-amz-request-id', randomUUID());
    // Clients set their clocks by it, as by that of S3.
    response.setHeader('Date', now().toUTCString());
    allowStorageOrigin(request, response, corsOrigin);
    if (isPreflight(request)) {
      response.statusCode = 204;
      response.end();
      return;
    }
    try {
      const target = parseTarget(request.url ?? '');
      const authenticated = authenticateRequest(request, target, keys, now());
      const operation = permittedOperation(
        ...([request.method ?? '', target, request.headers, authenticated.holder] as const),
      );
      checkBuckets(operation, options.buckets);
      const body = operation.name === 'put' ? readBody(request, authenticated) : undefined;
      if (expectsContinue) response.writeContinue();
      if (body !== undefined) feed(request, body, response);
      const permitted = { operation, body, query: ownQuery(operation, target) };
      const headers = ownHeaders(operation, request.headers);
      await answer({ ...permitted, headers }, request, response);
    } catch (error) {
      refuse(request, response, error, logger);
    }
  };
}

function checkBuckets(operation: StorageOperation, buckets: readonly string[]): void {
  const named = [operation.bucket, ...('source' in operation ? [operation.source.bucket] : [])];
  if (named.every((bucket) => buckets.includes(bucket))) return;
  throw new S3Refusal('NoSuchBucket', 'There is no such bucket');
}

function readBody(request: IncomingMessage, authenticated: AuthenticatedRequest): Transform {
  const limit = authenticated.holder.kind === 'upload' ? largestUpload : largestObject;
  return verifyPayload(readPayloadTerms(request.headers, authenticated, limit));
}

/** Lets the body flow; what goes wrong on either side ends the other. */
function feed(request: IncomingMessage, body: Transform, response: ServerResponse): void {
  request.once('close', () => {
    if (!request.complete) body.destroy(new S3Refusal('IncompleteBody', 'The body broke off'));
  });
  body.once('error', () => {
    // What is left of a body that is wrong ends with the connection, after the answer.
    if (!response.headersSent) response.setHeader('Connection', 'close');
    request.resume();
  });
  request.pipe(body);
}

/** The parameters of the operation, without those of the signature. */
function ownQuery(operation: StorageOperation, { query }: RequestTarget): Map<string, string> {
  const own =
    operation.name === 'list'
      ? /^(prefix|max-keys|continuation-token|start-after|encoding-type)$/
      : /^response-/;
  return new Map([...query].filter(([name]) => own.test(name)));
}

/** What is stored with an object. */
const stored =
  /^(content-type|content-length|cache-control|content-disposition|content-language|expires|x-amz-meta-.+)$/;
/** What asks for a part of an object, or for one that changed. */
const conditions = /^(if-none-match|if-modified-since)$/;

function ownHeaders(
  operation: StorageOperation,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const { name } = operation;
  if (name === 'copy') {
    const { bucket, key } = operation.source;
    return { 'x-amz-copy-source': encodeURI(`${bucket}/${key}`) };
  }
  const own = name === 'put' ? stored : conditions;
  const kept = Object.entries(headers).flatMap(([header, value]): [string, string][] =>
    own.test(header) && typeof value === 'string' ? [[header, value]] : [],
  );
  const encoding = headers['content-encoding']?.replace(/\baws-chunked\b\s*,?\s*/, '');
  if (name === 'put' && encoding) kept.push(['content-encoding', encoding]);
  // s3rver misreads every other form of a range, and to ignore one is always right.
  if (/^bytes=\d+-\d*$/.test(headers.range ?? '')) kept.push(['range', headers.range ?? '']);
  return Object.fromEntries(kept);
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  logger: Logger,
): void {
  if (!(error instanceof S3Refusal)) logger.error({ err: error }, 'the embedded storage failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal =
    error instanceof S3Refusal ? error : new S3Refusal('InternalError', 'Something went wrong');
  beginRefusal(response, refusal);
  const text = request.method === 'HEAD' ? '' : refusal.toXml();
  const hasBody = request.headers['content-length'] ?? request.headers['transfer-encoding'] ?? '0';
  if (request.complete || hasBody === '0') response.end(text);
  else endBeforeBody(request, response, text);
}
