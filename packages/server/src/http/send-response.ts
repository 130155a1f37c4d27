import type { Response } from 'express';
import { isAsyncIterable } from './async-iterable.js';
import { streamJsonArray } from './json-stream.js';

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
