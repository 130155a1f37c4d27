import { connect } from 'node:net';
import { validateResponse } from '../support/validate-response.js';
import { SpecificationError } from '../support/validating-fetch.js';

/** An answer read off the socket; header names in lower case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes as they are, for what `fetch` would tidy up or refuse, and reads the one answer.
 *
 * @returns undefined when the connection was closed without one
 */
export function exchange(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
    });
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks))));
    socket.on('error', (error) => {
      // A server that refuses may close while we still write; what it said before counts.
      if (chunks.length === 0) reject(error);
    });
  });
}

export interface RawRequest {
  readonly method: string;
  /** The request target, as it goes over the line. */
  readonly target: string;
  /** Header lines as they go over the line, in latin1. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Sends a request written by hand and holds the answer against the spec, as `validatingFetch` does. */
export async function sendRaw(baseUrl: string, request: RawRequest): Promise<RawAnswer> {
  const { method, target, headers = [], body = '' } = request;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    'Connection: close',
    ...headers,
    ...(body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const answer = await exchange(baseUrl, Buffer.concat([head, Buffer.from(body)]));
  if (answer === undefined) throw new Error(`${method} ${target} was not answered`);
  if (target.startsWith('/v1/') && method !== 'HEAD') {
    const findings = validateResponse(method, target.slice('/v1'.length).replace(/\?.*/s, ''), {
      status: answer.status,
      contentType: answer.headers['content-type'] ?? null,
      requestId: answer.headers['x-request-id'] ?? null,
      body: answer.body,
    });
    if (findings.length > 0) throw new SpecificationError(findings);
  }
  return answer;
}

function parseAnswer(bytes: Buffer): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? dechunk(rest) : rest;
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8') };
}

function dechunk(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd === -1 || !(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
