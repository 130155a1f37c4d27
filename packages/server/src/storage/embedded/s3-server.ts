/// <reference path="./s3rver.d.ts" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import S3rver, { type S3rverRequest } from '@20minutes/s3rver';
import type { Logger } from 'pino';
import { encodeUri } from '../encode-uri.js';
import { answerList } from './answer-list.js';
import type { ObjectFolder } from './object-folder.js';
import type { StorageOperation } from './permitted-operation.js';
import { beginRefusal, S3Refusal } from './s3-refusal.js';

/** A request that the guard let through, in the guard's own words. */
export interface PermittedRequest {
  readonly operation: StorageOperation;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** The verified bytes of an object to put. */
  readonly body: Readable | undefined;
}

/** Answers requests that the guard let through. */
export type AnswerPermitted = (
  request: PermittedRequest,
  original: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/**
 * s3rver over a folder of ours. It does not listen: it takes whoever reaches it for the owner, so
 * only the guard does, in this process, with requests made of what was verified and nothing else.
 */
export function createS3Server(folder: ObjectFolder, logger: Logger): AnswerPermitted {
  // It makes no folder of this name: its own store is replaced before any request.
  const server = new OwnersS3rver({ directory: 'unused', silent: true, vhostBuckets: false });
  server.store = server.context.store = folder;
  const answerOwnError = server.context.onerror;
  server.context.onerror = function answerError(error) {
    if (!(error instanceof S3Refusal) || this.res.headersSent) {
      answerOwnError.call(this, error);
      return;
    }
    beginRefusal(this.res, error);
    this.res.end(error.toXml());
  };
  server.on('error', (error: { readonly status?: number }) => {
    if ((error.status ?? 500) >= 500) logger.error({ err: error }, 'the embedded storage failed');
  });
  const handle = server.callback();
  return async (request, original, response) => {
    const { operation, query } = request;
    switch (operation.name) {
      case 'list':
        return answerList(folder, operation.bucket, query, response);
      case 'delete':
        return answerDelete(folder, operation, response);
      case 'headBucket':
        // The guard has seen that the bucket is there.
        response.end();
        return;
      default:
        await handle(innerRequest(request, operation, original), response);
    }
  };
}

/** Takes every request for one of the owner. */
class OwnersS3rver extends S3rver {
  override createContext(request: S3rverRequest, response: ServerResponse) {
    const context = super.createContext(request, response);
    context.state['account'] = { id: 'owner' };
    return context;
  }
}

type DeleteOperation = Extract<StorageOperation, { readonly name: 'delete' }>;

/** Answers `DeleteObject` in place of s3rver, which knows no conditions. */
async function answerDelete(
  folder: ObjectFolder,
  { bucket, key, ifMatch }: DeleteOperation,
  response: ServerResponse,
): Promise<void> {
  if (!(await folder.deleteObject(bucket, key, ifMatch))) {
    throw new S3Refusal('PreconditionFailed', 'The object is another one');
  }
  response.statusCode = 204;
  response.end();
}

/** An operation that s3rver does. */
type ObjectOperation = Extract<
  StorageOperation,
  { readonly name: 'put' | 'copy' | 'get' | 'head' }
>;

const methods: Readonly<Record<ObjectOperation['name'], string>> = {
  ...{ put: 'PUT', copy: 'PUT', get: 'GET', head: 'HEAD' },
};

/** The request as s3rver reads it. */
function innerRequest(
  { query, headers, body }: PermittedRequest,
  { name, bucket, key }: ObjectOperation,
  { socket }: IncomingMessage,
): S3rverRequest {
  const path = [bucket, ...key.split('/')];
  const parameters = [...query].map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`);
  const inner = {
    socket,
    method: methods[name],
    url: `/${path.map(encodeUri).join('/')}?${parameters.join('&')}`,
    // `x-amz-date` tells s3rver that no browser asks for a page of a web site.
    headers: { ...headers, host: 'localhost', 'x-amz-date': '' },
  };
  return Object.assign(body ?? Readable.from([]), inner);
}
