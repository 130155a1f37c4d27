import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sign } from 'aws4';
import { afterEach, beforeEach } from 'vitest';

/** A request that the storage received. */
export interface StorageRequest {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Answers the nth request, counted from 1. */
export type StorageAnswering = (
  response: ServerResponse,
  request: StorageRequest,
  nth: number,
) => void;

/** Object storage with responses that each test sets. It records the requests. */
export class TestStorage {
  readonly received: StorageRequest[] = [];
  answering: StorageAnswering = (response) => response.end();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (message: IncomingMessage, response) => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, bytes: await buffer(message) };
      this.received.push(request);
      this.answering(response, request, this.received.length);
    });
  }

  /** Returns a storage that starts anew for each test of the calling file. */
  static forEachTest(): TestStorage {
    const storage = new TestStorage();
    beforeEach(() => storage.start());
    afterEach(() => storage.stop());
    return storage;
  }

  static async start(): Promise<TestStorage> {
    const storage = new TestStorage();
    await storage.start();
    return storage;
  }

  /** Starts with no received requests, and accepts each request. */
  async start(): Promise<void> {
    this.received.length = 0;
    this.answering = (response) => response.end();
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers with an error in the form of S3. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'S3-1' });
  response.end(
    `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>About ${code}.</Message></Error>`,
  );
}

export const secretAccessKey = 'c2VjcmV0LWFjY2Vzcy1rZXktZXhhbXBsZQ';

/** Returns the expected Authorization header of a request, computed by another implementation. */
export function authorizationOf({ method, url, headers }: StorageRequest, region: string): unknown {
  const names = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const signed = sign(
    {
      ...{ method, path: url, service: 's3', region },
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    {
      accessKeyId: /Credential=([^/]*)/.exec(headers.authorization ?? '')?.[1] ?? '',
      secretAccessKey,
    },
  );
  return signed.headers?.['Authorization'];
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
