import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  bodyOfRequest,
  bodyOfResponse,
  createMessageReader,
  type Head,
  parseRequestLine,
  statusOf,
} from './http-messages.js';

/** The servers behind the proxy. */
type Upstream = 'service' | 'scenarios';

/** Where a request goes, and its head if it is not passed on as it was sent. */
export interface Route {
  readonly to: Upstream;
  readonly head?: Buffer;
}

interface ProxyOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** The ports of the upstreams, on the loopback address. */
  readonly upstreams: Readonly<Record<Upstream, number>>;
  /**
   * Decides on a request once the requests before it that went to the scenarios have been answered.
   */
  readonly route: (head: Head) => Promise<Route>;
}

export interface RunningProxy {
  readonly port: number;
  /** Stops listening, and closes the connections that are left. */
  close(): Promise<void>;
}

/**
 * Starts the proxy on the public port of the sandbox (D-53). It passes on all bytes as they come,
 * in both directions, and has no limits and timeouts of its own, so that callers see those of the
 * service. Each connection of a caller has one connection to an upstream, which ends with it.
 *
 * @throws Error with the code `EADDRINUSE` if the port is taken
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    relay(client, options);
  });
  await once(server.listen(options.port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

function relay(client: Socket, { upstreams, route }: ProxyOptions): void {
  let connection: Socket | undefined;
  /** The methods of the requests that have not been answered. All went to the same upstream. */
  const waiting: string[] = [];
  const progress = new EventEmitter();
  const closed = new AbortController();
  const { signal } = closed;
  const reader = createMessageReader(bodyOfRequest);
  let current: Upstream = 'service';
  let isInRequest = false;

  client.on('data', (chunk) => {
    client.pause();
    passOn(chunk).then(
      () => client.resume(),
      () => client.destroy(),
    );
  });
  client.once('end', () => {
    connected().end(reader.rest());
  });
  client.once('error', () => {
    if (connection !== undefined) reset(connection);
  });
  client.once('close', () => {
    closed.abort();
    connection?.destroy();
  });
  connected();

  async function passOn(chunk: Buffer): Promise<void> {
    for (const part of reader.read(chunk)) {
      if (part.kind === 'head') await write(await beginRequest(part.head));
      else if (part.kind === 'end') isInRequest = false;
      else {
        // The service refuses bytes that are no request.
        if (!isInRequest && current !== 'service') await turnTo('service');
        await write(part.bytes);
      }
    }
  }

  /** Chooses the upstream of a request, and returns the head to send. */
  async function beginRequest(head: Head): Promise<Buffer> {
    if (current === 'scenarios') await answered();
    const { to, head: changed = head.bytes } = await route(head);
    if (to !== current) await turnTo(to);
    isInRequest = true;
    waiting.push(parseRequestLine(head)?.method ?? '');
    return changed;
  }

  /**
   * Sends what follows to another upstream, once the earlier requests have been answered. The
   * connection to the one before is closed, because a server ends one that is idle for long, and
   * the caller would take part in that.
   */
  async function turnTo(upstream: Upstream): Promise<void> {
    await answered();
    const before = connection;
    connection = undefined;
    before?.destroy();
    current = upstream;
  }

  /** Waits until all requests have been answered. */
  async function answered(): Promise<void> {
    while (waiting.length > 0) await once(progress, 'answered', { signal });
  }

  async function write(bytes: Buffer): Promise<void> {
    const socket = connected();
    if (!socket.write(bytes)) await once(socket, 'drain', { signal });
  }

  /** Returns the connection to the current upstream, which may still be opening. */
  function connected(): Socket {
    if (connection !== undefined) return connection;
    const socket = connect({ port: upstreams[current], host: '127.0.0.1', noDelay: true });
    connection = socket;
    const responses = createMessageReader((head) => bodyOfResponse(head, waiting[0] ?? ''));
    let isInterim = false;
    socket.on('data', (chunk) => {
      const parts = responses.read(chunk);
      if (!client.write(chunk)) {
        socket.pause();
        client.once('drain', () => socket.resume());
      }
      for (const part of parts) {
        if (part.kind === 'head') isInterim = (statusOf(part.head) ?? 0) < 200;
        if (part.kind !== 'end' || isInterim) continue;
        waiting.shift();
        progress.emit('answered');
      }
    });
    socket.once('end', () => {
      if (connection === socket) client.destroySoon();
    });
    socket.once('error', () => {
      if (connection === socket) reset(client);
    });
    return socket;
  }
}

/**
 * Resets a connection, or closes it if all was sent: Node never closes a socket that is reset while
 * it ends, and then does not exit.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
