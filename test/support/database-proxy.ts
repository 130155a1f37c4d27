import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { freePort } from './free-port.js';
import { KeptSockets } from './kept-sockets.js';

/** A proxy before a database, whose connections can be broken. */
export interface DatabaseProxy {
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, under the same URL. */
  restore(): Promise<void>;
  /** Breaks the next connection that sends this statement, when the database has replied to it. */
  loseReplyTo(statement: string): void;
  /** Keeps the open connections, but forwards nothing on them; new ones work. */
  stall(): void;
  /** Keeps all connections open, new ones included, but forwards nothing. */
  silence(): void;
  /** Returns the first words of each statement that was run through it. */
  statements(): readonly string[];
  close(): Promise<void>;
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new KeptSockets();
  let isSilent = false;
  let lost: string | undefined;
  const statements: string[] = [];
  const server = createServer((client) => {
    sockets.keep(client);
    if (isSilent) return;
    const upstream = sockets.keep(connect(Number(target.port), target.hostname));
    client.pipe(upstream).pipe(client);
    client.on('data', countStatements(statements));
    client.on('data', (chunk) => {
      if (lost === undefined || !chunk.includes(lost)) return;
      lost = undefined;
      upstream.unpipe(client).resume();
      upstream.once('data', () => client.destroy());
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const stall = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const port = await freePort();
  await listen(port);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    restore() {
      isSilent = false;
      return listen(port);
    },
    loseReplyTo(statement) {
      lost = statement;
    },
    stall,
    silence() {
      isSilent = true;
      stall();
    },
    statements: () => [...statements],
    async close() {
      if (server.listening) await cut();
    },
  };
}

/** Adds each statement that a connection to PostgreSQL runs: `Query`, or `Parse` and `Execute`. */
function countStatements(statements: string[]): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  const prepared = new Map<string, string>();
  const bound = new Map<string, string>();
  const texts = (body: Buffer) => body.toString().split('\0');
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : '';
      const [first = '', second = ''] = texts(rest.subarray(head + 4, end));
      if (type === 'Q') statements.push(first.slice(0, 60));
      if (type === 'P') prepared.set(first, second.slice(0, 60));
      if (type === 'B') bound.set(first, prepared.get(second) ?? second);
      if (type === 'E') statements.push(bound.get(first) ?? first);
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
