import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { exceedsBodyLimit } from './body-limit.js';

/** How long a caller may take for what, in ms. */
const timeouts = {
  /** The headers of a call. */
  headersTimeout: 30_000,
  /** The whole of a call, its body included. */
  requestTimeout: 60_000,
  /** The next call on an open connection: longer than load balancers keep theirs (60 s). */
  keepAliveTimeout: 65_000,
};

/** After how long a connection on which nothing moves is cut, such as that of who does not read, in ms. */
const inactivityTimeout = 120_000;

/** How long calls that are under way may take when the server stops, in ms. */
const drainTimeout = 10_000;

/** A server that can be stopped without cutting a call. */
export interface HttpServer {
  readonly server: Server;
  /**
   * Refuses new connections, lets calls under way end, then cuts what is left. Whoever calls on an
   * open connection is answered, and told by `Connection: close` to go elsewhere.
   */
  stop(): Promise<void>;
}

/** The HTTP server of the service; it does not listen yet. */
export function createHttpServer(listener: RequestListener): HttpServer {
  const server = createServer(timeouts);
  server.setTimeout(inactivityTimeout);
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  server.on('request', (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (stopping || hasNeedlessBody(request)) closeAfter(response, server);
  });
  server.on('request', listener);
  return {
    server,
    async stop() {
      stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of underWay) closeAfter(response, server);
      const cut = setTimeout(() => server.closeAllConnections(), drainTimeout);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** A body that nobody reads, and that may be without end: it ends with the connection. */
function hasNeedlessBody(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && exceedsBodyLimit(request);
}

/** Makes an answer the last one of its connection. */
function closeAfter(response: ServerResponse, server: Server): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // Its headers have promised to keep the connection, which holds up the stop once it is idle.
  else response.once('close', () => setImmediate(() => server.closeIdleConnections()));
}
