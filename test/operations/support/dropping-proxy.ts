import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { KeptSockets } from '../../support/kept-sockets.js';

/** A proxy that loses the first answer to each call with an `Idempotency-Key`. */
export interface DroppingProxy {
  readonly baseUrl: string;
  readonly cuts: ReadonlyMap<string, Cut>;
  close(): Promise<void>;
}

/** The place of the cut: within the answer means after none or some of its bytes. */
type Cut = 'after the request' | 'within the answer';

/** The longest time after the request, in ms; longer than most calls take. */
const longestDelay = 30;

/** Starts the proxy before a service. Both connections of a call are cut at a random point. */
export async function openDroppingProxy(serviceUrl: string): Promise<DroppingProxy> {
  const target = new URL(serviceUrl);
  const cuts = new Map<string, Cut>();
  const sockets = new KeptSockets();

  const server = createServer((client) => {
    sockets.keep(client);
    const upstream = sockets.keep(connect(Number(target.port), target.hostname));
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    let isCutWithinAnswer = false;
    client.on('data', (chunk) => {
      upstream.write(chunk);
      // A request is small, and on loopback its head comes in one piece.
      const key = /^idempotency-key: (\S+)\r$/im.exec(chunk.toString('latin1'))?.[1];
      if (key === undefined || cuts.has(key)) return;
      isCutWithinAnswer = Math.random() < 0.6;
      cuts.set(key, isCutWithinAnswer ? 'within the answer' : 'after the request');
      if (!isCutWithinAnswer) setTimeout(cut, Math.random() * longestDelay);
    });
    upstream.on('data', (chunk) => {
      if (!isCutWithinAnswer) {
        client.write(chunk);
        return;
      }
      const passed = Math.floor(Math.random() * chunk.length);
      if (passed === 0) cut();
      else client.write(chunk.subarray(0, passed), cut);
    });
    client.on('close', cut);
    upstream.on('close', cut);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
