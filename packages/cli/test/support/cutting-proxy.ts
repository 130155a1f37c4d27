import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { freePort } from '../../../../test/support/free-port.js';
import { KeptSockets } from '../../../../test/support/kept-sockets.js';

/** A proxy for `HTTP_PROXY` that cuts connections. */
export interface CuttingProxy {
  readonly url: string;
  /** The number of connections so far, and of those that were cut. */
  readonly counts: { connections: number; cuts: number };
  /** Accepts connections again after `close`, under the same URL. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** @param bytes returns after how many bytes of answers a connection is cut, or undefined */
export async function openCuttingProxy(bytes: () => number | undefined): Promise<CuttingProxy> {
  const counts = { connections: 0, cuts: 0 };
  const sockets = new KeptSockets();
  const server = createServer();
  server.on('connection', (socket) => void sockets.keep(socket));
  server.on('connect', (request, client) => {
    counts.connections += 1;
    let left = bytes();
    const target = new URL(`http://${request.url}`);
    const upstream = sockets.keep(connect(Number(target.port), target.hostname));
    upstream.once('connect', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    client.on('data', (chunk: Buffer) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (left !== undefined) left -= chunk.length;
      if (left === undefined || left > 0) return client.write(chunk);
      counts.cuts += 1;
      client.write(chunk.subarray(0, chunk.length + left));
      client.destroy();
      return upstream.destroy();
    });
    client.on('close', () => upstream.destroy());
    client.on('error', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const port = await freePort();
  const open = () => once(server.listen(port, '127.0.0.1'), 'listening');
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    async reopen() {
      await open();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
