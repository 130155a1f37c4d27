import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy that makes tunnels (`CONNECT`), as those of companies do. It records where to. */
export class TestProxy {
  readonly tunnels: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer();

  constructor() {
    this.#server.on('connect', ({ url = '' }, client: Socket) => {
      this.tunnels.push(url);
      const [host, port] = url.split(':');
      const target = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      for (const socket of [client, target]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
      }
    });
  }

  static async start(): Promise<TestProxy> {
    const proxy = new TestProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
