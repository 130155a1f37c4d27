import { once } from 'node:events';
import type { Response } from 'express';

/** Text gathered before it is handed to the socket, in characters. */
const chunkLength = 64 * 1024;

/** How long a reader may keep us waiting before the answer is cut off, in ms. */
const drainTimeoutMs = 30_000;

/**
 * Writes items as one JSON array, waiting for the reader whenever the socket's buffer is full, so
 * that a list of any length takes bounded memory.
 *
 * The first items are awaited before anything is sent: a failing query still gets its error
 * status. A failure after that breaks the connection, so that a cut answer is never taken for a
 * whole one; so does a reader that stops reading.
 */
export async function streamJsonArray(
  response: Response,
  items: AsyncIterable<unknown>,
): Promise<void> {
  let chunk = '[';
  let separator = '';
  for await (const item of items) {
    chunk += separator + JSON.stringify(item);
    separator = ',';
    if (chunk.length < chunkLength) continue;
    if (!response.write(chunk) && !(await drained(response))) return;
    chunk = '';
  }
  response.end(`${chunk}]`);
}

/** Waits for the reader; breaks the connection and answers false when it has gone or has stopped. */
async function drained(response: Response): Promise<boolean> {
  const gone = new AbortController();
  const abort = () => gone.abort();
  response.once('close', abort);
  const timer = setTimeout(abort, drainTimeoutMs);
  try {
    if (response.destroyed) return false;
    await once(response, 'drain', { signal: gone.signal });
    return true;
  } catch {
    response.destroy();
    return false;
  } finally {
    clearTimeout(timer);
    response.off('close', abort);
  }
}
