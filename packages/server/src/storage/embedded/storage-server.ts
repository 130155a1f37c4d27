import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createHttpServer } from '../../http/http-server.js';
import { createGuard } from './guard.js';
import { ObjectFolder } from './object-folder.js';
import { createS3Server } from './s3-server.js';
import type { StorageKeys } from './storage-keys.js';

/** What it takes to run an embedded storage. */
export interface StorageServerOptions {
  /** Where the objects lie. */
  readonly folder: string;
  readonly keys: StorageKeys;
  readonly buckets: readonly string[];
  readonly corsOrigin: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** How long a whole request may take, in ms: 25 MiB over a slow line of an office. */
const requestTimeout = 300_000;
/** After how long a connection on which nothing moves is cut, in ms. */
const inactivityTimeout = 30_000;
const connectTimeout = 2_000;

/** A storage that listens. */
export interface ListeningStorage {
  readonly port: number;
  /** Lets requests under way end, then closes. */
  close(): Promise<void>;
}

/**
 * Listens for the requests of a storage folder, which no other process may do at the same time.
 *
 * @throws Error with the code `EADDRINUSE` when the port is taken
 */
export async function listenForStorage(
  host: string,
  port: number,
  options: StorageServerOptions,
): Promise<ListeningStorage> {
  const { folder, keys, buckets, corsOrigin, now, logger } = options;
  const objects = new ObjectFolder(folder);
  const guard = createGuard({
    ...{ keys, buckets, corsOrigin, now, logger },
    answer: createS3Server(objects, logger),
  });
  const waiting = new WeakSet<IncomingMessage>();
  const { server, stop } = createHttpServer((request, response) => {
    void guard(request, response, waiting.has(request));
  });
  server.requestTimeout = requestTimeout;
  server.setTimeout(inactivityTimeout);
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  try {
    await objects.prepare(buckets);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: portOf(server.address()), close: stop };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}

/** The folder of the objects below that of the storage. */
export function objectsFolder(storageFolder: string): string {
  return join(storageFolder, 'objects');
}

/** Whether something listens there. */
export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: connectTimeout });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
