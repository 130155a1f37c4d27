import type { IncomingMessage, ServerResponse } from 'node:http';

/** Largest body that is read, in bytes, after decompression (§8 shows none; 413 beyond it). */
export const maximumBodyBytes = 64 * 1024;

/** Whether more may still arrive of a body than is ever read. */
export function exceedsBodyLimit({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return isChunked(headers) || Number(headers['content-length'] ?? 0) > maximumBodyBytes;
}

/** Whether the length of a body is known only at its end. */
export function isChunked(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** What is still taken of the body, in bytes and ms, for the caller to read the answer in peace. */
const takenBytes = 1024 * 1024;
const takenMs = 1_000;

/**
 * Answers a call whose body is still being sent, and closes its connection, so that a body without
 * end is not read to its end.
 *
 * The connection is closed a little later than the answer is sent: closing it while bytes arrive
 * resets it, and who is still sending would see that instead of the answer.
 */
export function endBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): void {
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  const timer = setTimeout(end, takenMs);
  let taken = 0;
  request.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > takenBytes) end();
  });
  request.once('close', end);
  request.resume();

  function end() {
    clearTimeout(timer);
    response.end();
  }
}
