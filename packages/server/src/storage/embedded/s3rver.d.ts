/** What is used of s3rver, which has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  /** A stream with the members of Node's requests that Koa looks at. */
  export type S3rverRequest = Readable &
    Pick<IncomingMessage, 'socket' | 'method' | 'url' | 'headers'>;

  interface S3rverContext {
    readonly res: ServerResponse;
    readonly state: Record<string, unknown>;
  }

  /** A Koa application that answers the requests of S3. */
  export default class S3rver extends EventEmitter {
    constructor(options: {
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
    });
    /** Where its controllers find objects. */
    store: object;
    readonly context: {
      store: object;
      onerror(this: S3rverContext, error: unknown): void;
    };
    createContext(request: S3rverRequest, response: ServerResponse): S3rverContext;
    callback(): (request: S3rverRequest, response: ServerResponse) => Promise<void>;
  }
}
