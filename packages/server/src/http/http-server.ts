import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { exceedsBodyLimit } from './body-limit.js';
import { answerUnreadable, refuseRequest } from './unreadable-requests.js';

/** Timeouts of requests, in ms, and what the listener answers in place of Node. */
const options = {
  requireHostHeader: false,
  /** The timeout of the headers of a request, in ms. */
  headersTimeout: 30_000,
  /** The timeout of a whole request, body included. */
  requestTimeout: 60_000,
  /** The timeout of the next request: longer than load balancers keep connections open (60 s). */
  keepAliveTimeout: 65_000,
};

/** The idle timeout of a connection, in ms, for example when a caller stops reading. */
const idleTimeout = 120_000;

/** How long running calls may take when the server stops, in ms. */
const endTimeout = 10_000;

/** The time that idle connections stay open at the stop, in ms: a request may be on its way. */
const idleGrace = 1_000;

/** The codes of errors if the address is malformed, not found, or of another machine. */
const unusableAddress = new Set([
  ...['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'],
]);

/**
 * @throws Error in one sentence with the setting to change if the port or the address cannot be
 *   used
 */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
  settings = { port: 'PORT', host: 'HOST' },
): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
      const advice = `set ${settings.port} to another one, or to 0 for any free port.`;
      throw new Error(`The port ${port} ${reason}: ${advice}`, { cause });
    }
    if (unusableAddress.has(code)) {
      const advice = `set ${settings.host} to an address of this machine.`;
      throw new Error(`The address ${host} cannot be used (${code}): ${advice}`, { cause });
    }
    throw cause;
  }
}

/** The classes of requests and responses; by default those of Node. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

interface HttpServerOptions extends MessageClasses {
  readonly logger: Logger;
  readonly drainMs?: number;
}

/**
 * @param options.drainMs - how long it goes on serving when it is told to stop, so that load
 *   balancers can switch to another service first (D-61)
 */
export function createHttpServer(
  listener: RequestListener,
  { logger, drainMs = 0, ...classes }: HttpServerOptions,
) {
  const server = createServer({ ...options, ...classes });
  server.setTimeout(idleTimeout);
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  server.on('request', (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (stopping || hasUnreadBody(request)) response.setHeader('Connection', 'close');
  });
  server.on('request', (request, response) => {
    const hosts = countHosts(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) {
      listener(request, response);
      return;
    }
    response.setHeader('Connection', 'close');
    refuseRequest(request, response, logger, `the request has ${hosts} Host headers, not one`);
  });
  answerUnreadable(server, logger, (socket) =>
    [...underWay].some(({ req, headersSent }) => req.socket === socket && headersSent),
  );
  server.on('connection', (socket) => {
    const closeCalls = () => {
      for (const response of underWay) if (response.req.socket === socket) close(response);
    };
    // After Node has closed the response that it knows of.
    socket.once('close', () => setImmediate(closeCalls));
  });
  return {
    server,
    /**
     * Drains, refuses new connections, waits for running calls, and closes the other connections. A
     * call that arrives meanwhile gets its response with `Connection: close`.
     */
    async stop(): Promise<void> {
      if (drainMs > 0 && server.listening) await pause(drainMs);
      stopping = true;
      const closed = once(server, 'close');
      // Only refuses new connections. The method of HTTP servers closes idle ones too, at once.
      NetServer.prototype.close.call(server);
      for (const response of underWay) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      await Promise.race([closed, pause(Math.min(drainMs, idleGrace), undefined, { ref: false })]);
      const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
      server.close();
      const cut = setTimeout(() => server.closeAllConnections(), endTimeout);
      await closed;
      clearInterval(closeIdle);
      clearTimeout(cut);
    },
  };
}

/** Counts in the headers as they were sent, of which Node merges several into one. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Returns true for a body that nothing reads: it may be endless, so the connection is closed. */
function hasUnreadBody(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && exceedsBodyLimit(request);
}

/** Closes a response of a closed connection; Node closes only the first of pipelined ones. */
function close(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}
