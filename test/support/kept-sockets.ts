import type { Socket } from 'node:net';

/** The open connections of a proxy. That one of them breaks is no error of the proxy. */
export class KeptSockets {
  readonly #sockets = new Set<Socket>();

  keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  [Symbol.iterator](): Iterator<Socket> {
    return this.#sockets.values();
  }
}
