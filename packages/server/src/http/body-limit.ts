import type { IncomingMessage } from 'node:http';

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
