import { once } from 'node:events';
import type { Response } from 'express';

/** What a handler returns. */
export interface HandlerResponse {
  readonly status: number;
  /** A JSON value, or the items of an array one after another. */
  readonly body: unknown;
}

/** Sends what a handler returned; a body that comes in pieces is streamed as a JSON array. */
export async function sendResponse(
  response: Response,
  { status, body }: HandlerResponse,
): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (isAsyncIterable(body)) {
    await streamJsonArray(response, body);
    return;
  }
  response.end(JSON.stringify(body));
}

/** Text gathered before it is handed to the socket, in characters. */
const chunkLength = 64 * 1024;

/** How long a reader may keep us waiting before the answer is cut off, in ms. */
const drainTimeoutMs = 30_000;

/** Takes the next piece of the answer; false when nobody reads any further. */
type Write = (text: string) => boolean | Promise<boolean>;

/**
 * Writes items as one JSON array, waiting for the reader whenever the socket's buffer is full, so
 * that a list of any length takes bounded memory. A field of an item that comes in pieces is written
 * in the same way, however deep it lies.
 *
 * The first items are awaited before anything is sent: a failing query still gets its error
 * status. A failure after that breaks the connection, so that a cut answer is never taken for a
 * whole one; so does a reader that stops reading.
 */
async function streamJsonArray(response: Response, items: AsyncIterable<unknown>): Promise<void> {
  let chunk = '';
  const write: Write = (text) => {
    chunk += text;
    if (chunk.length < chunkLength) return true;
    const full = chunk;
    chunk = '';
    return response.write(full) || drained(response);
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

/** Writes an object that has fields. */
async function writeObject(before: string, item: object, write: Write): Promise<boolean> {
  let separator = `${before}{`;
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue;
    if (!(await writeValue(`${separator}${JSON.stringify(name)}:`, value, write))) return false;
    separator = ',';
  }
  return write('}');
}

/** Whether a field comes in pieces, however deep; nothing in a plain array does (`Streamed`). */
function hasPieces(item: unknown): item is object {
  return (
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    Object.values(item).some((value) => isAsyncIterable(value) || hasPieces(value))
  );
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

/** Whether a value comes in pieces. */
function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
