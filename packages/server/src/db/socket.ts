import { Socket } from 'node:net';

/**
 * A socket that breaks, with the error of a network timeout, when nothing came or went for so many
 * ms (0: never), and when the signal is aborted. The client of the database has a limit for a query
 * too, but would keep the connection: the pool would hand it out again.
 */
export function openSocket(silenceMs: number, signal?: AbortSignal): Socket {
  const socket = new Socket(signal && { signal });
  return socket.setTimeout(silenceMs, () =>
    socket.destroy(
      Object.assign(new Error('The database has not answered in time'), { code: 'ETIMEDOUT' }),
    ),
  );
}
