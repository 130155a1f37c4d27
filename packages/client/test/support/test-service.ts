import { getEventListeners } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect } from 'vitest';

/** A received request. */
export interface Received {
  route: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The ID token of the request. */
  idToken: string | undefined;
  body: unknown;
}

/** An answer: JSON, plain `text`, or no answer. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Breaks the connection before the answer, or in the middle of the body. */
  drop?: 'before' | 'amid';
}

/** Answers the nth request (counted from 1) of a route. */
export type Answering = (request: Received, nth: number) => Answer | Promise<Answer>;

/** An HTTP server with answers that each test sets. It records the requests. */
export class TestService {
  readonly received: Received[] = [];
  readonly #routes = new Map<string, Answering>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const path = (request.url ?? '').replace(/^\/v1/, '');
      const body = await text(request);
      const received = {
        route: `${request.method} ${path}`,
        path,
        headers: request.headers,
        idToken: request.headers.authorization?.replace('Bearer ', ''),
        body: body === '' ? undefined : JSON.parse(body),
      };
      this.received.push(received);
      const answering = this.#routes.get(received.route) ?? (() => ({ status: 404, json: {} }));
      send(response, await answering(received, this.count(received.route)));
    });
  }

  /** Returns a service that starts anew for each test of the calling file. */
  static forEachTest(): TestService {
    const service = new TestService();
    beforeEach(() => service.start());
    afterEach(() => service.stop());
    return service;
  }

  static async start(): Promise<TestService> {
    const service = new TestService();
    await service.start();
    return service;
  }

  /** Starts with no received requests and no routes except that of sign-ins. */
  async start(): Promise<void> {
    this.received.length = 0;
    this.#routes.clear();
    this.on('POST /token', (_, nth) => ({ json: tokens(nth) }));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  on(route: string, answering: Answering): void {
    this.#routes.set(route, answering);
  }

  count(route: string): number {
    return this.received.filter((request) => request.route === route).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns the answer to the nth sign-in. */
export function tokens(nth: number) {
  return { idToken: idToken({ nth }), refreshToken: `refresh-${nth}` };
}

/** Returns an ID token of the usual form. Only its lifetime matters, not its times. */
export function idToken({ nth = 1, lifetime = 3600 } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { sub: `Zoë ${nth}`, iat: 1_000, exp: 1_000 + lifetime };
  return `${part({ alg: 'ES256' })}.${part(payload)}.signature`;
}

/** Returns an error in the form of the service. */
export function failure(status: number, error: string, more: object = {}): Answer {
  return { status, json: { error, message: `About ${error}.`, requestId: 'request-1', ...more } };
}

/** Returns the error with which a promise is rejected. */
export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

/**
 * Aborts a call once something has begun. It must end with the reason of its signal, and leave no
 * listener behind.
 */
export async function expectCancels(
  begun: Promise<unknown> | undefined,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const ended = errorOf(call(signal));
  await begun;
  controller.abort(new Error('enough'));
  expect(await ended).toBe(signal.reason);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
}

/** Creates a promise, and a function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.drop === 'before') {
    response.destroy();
    return;
  }
  const type = answer.text === undefined ? 'application/json; charset=utf-8' : 'text/html';
  const body = answer.text ?? JSON.stringify(answer.json);
  response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
  if (answer.drop === 'amid') {
    response.write(body.slice(0, 5), () => response.destroy());
    return;
  }
  response.end(body);
}
