import { once } from 'node:events';
import type { Response } from 'express';
import type { Pause } from '../api/concurrency-limit.js';

export interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** A JSON value, or an async iterable of the items of a JSON array. */
  readonly body: unknown;
}

/** Sends a result. An async iterable is streamed as a JSON array, at the pace of the caller. */
export async function sendResponse(
  response: Response,
  { status, headers = {}, body }: HandlerResponse,
  pause: Pause,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    response.setHeader(name, String(value));
    // Otherwise web pages of other origins could not read it.
    response.appendHeader('Access-Control-Expose-Headers', name);
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (isAsyncIterable(body)) {
    await streamJsonArray(response, body, pause);
    return;
  }
  response.end(JSON.stringify(body));
}

/** The size of the chunks that are written to the socket, in characters. */
const chunkLength = 64 * 1024;

/** How long a caller may stop reading before the connection is closed, in ms. */
const drainTimeoutMs = 30_000;

/** Writes the next part of the response. Returns false once the caller no longer reads. */
type Write = (text: string) => boolean | Promise<boolean>;

/**
 * Streams items, and fields that are async iterables, with backpressure, so that a list of any
 * length takes bounded memory.
 *
 * Nothing is sent before the first chunk is complete, so a query that fails early still gets its
 * error status. A later failure breaks the connection, so that a partial response cannot be taken
 * for a whole one.
 */
async function streamJsonArray(
  response: Response,
  items: AsyncIterable<unknown>,
  pause: Pause,
): Promise<void> {
  let chunk = '';
  const write: Write = (text) => {
    chunk += text;
    if (chunk.length < chunkLength) return !response.destroyed;
    const full = chunk;
    chunk = '';
    return response.write(full) || pause(() => drained(response));
  };
  if (await writeArray('', items, write)) response.end(chunk);
}

async function writeArray(
  before: string,
  items: AsyncIterable<unknown>,
  write: Write,
): Promise<boolean> {
  let separator = `${before}[`;
  let end = `${separator}]`;
  for await (const item of items) {
    if (!(await writeValue(separator, item, write))) return false;
    separator = ',';
    end = ']';
  }
  return write(end);
}

function writeValue(before: string, value: unknown, write: Write): boolean | Promise<boolean> {
  if (isAsyncIterable(value)) return writeArray(before, value, write);
  return hasPieces(value)
    ? writeObject(before, value, write)
    : write(before + JSON.stringify(value));
}

async function writeObject(before: string, item: object, write: Write): Promise<boolean> {
  let separator = `${before}{`;
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue;
    if (!(await writeValue(`${separator}${JSON.stringify(name)}:`, value, write))) return false;
    separator = ',';
  }
  return write('}');
}

/** Returns true if a field is streamed, at any depth. Plain arrays contain none (`Streamed`). */
function hasPieces(item: unknown): item is object {
  return (
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    Object.values(item).some((value) => isAsyncIterable(value) || hasPieces(value))
  );
}

/** Waits for the caller. Returns false, and breaks the connection, if it is gone or too slow. */
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

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
