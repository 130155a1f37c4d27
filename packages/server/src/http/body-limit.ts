import type { IncomingMessage, ServerResponse } from 'node:http';

/** The largest body that is accepted, in bytes after decompression; §8 sets no limit. */
export const maximumBodyBytes = 64 * 1024;

export function exceedsBodyLimit({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return isChunked(headers) || Number(headers['content-length'] ?? 0) > maximumBodyBytes;
}

/** Returns true if the length of the body is unknown until its end. */
function isChunked(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** How much more of the body is read, in bytes and ms, so that the caller receives the response. */
const takenBytes = 1024 * 1024;
const takenMs = 1_000;

/**
 * Responds to a call whose body is still arriving, which may be endless. The connection is closed
 * later: closing it at once would reset it, and the caller would see that instead of the response.
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
