import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message that the mail server accepted. */
export interface Delivered {
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly source: string;
  readonly mail: Email;
}

export interface MailServer {
  readonly port: number;
  readonly delivered: readonly Delivered[];
  /** The number of connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a mail server on a free port, which records the messages that it accepts. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const delivered: Delivered[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    // Otherwise it warns about its built-in certificate.
    logger: false,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    async onData(stream, session, callback) {
      const source = await textOf(stream).catch(() => undefined);
      if (source === undefined)
        return callback(new Error('The client disconnected before the end'));
      const { mailFrom, rcptTo } = session.envelope;
      delivered.push({
        envelopeFrom: mailFrom === false ? '' : mailFrom.address,
        envelopeTo: rcptTo.map(({ address }) => address),
        isEncrypted: session.secure,
        user: session.user as string | undefined,
        source,
        mail: await parseMail(source),
      });
      callback();
    },
    ...options,
  });
  // In some tests clients abort their connections.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    delivered,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Starts a TCP server that leaves its replies to the test. */
export async function startRawServer(
  onConnection: (socket: Socket) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Parses a mail, without the line end that some mail programs add to its text. */
export async function parseMail(source: string | Buffer): Promise<Email> {
  const mail = await PostalMime.parse(source);
  return { ...mail, ...(mail.text !== undefined && { text: mail.text.replace(/\n$/, '') }) };
}

/** Creates an error that the SMTP server sends as a refusal. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
