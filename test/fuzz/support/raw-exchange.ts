import { connect, type Socket } from 'node:net';
import { validateResponse } from '../../support/validate-response.js';
import { SpecificationError } from '../../support/validating-fetch.js';

/** An answer that was read from the socket. Header names are in lower case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends exactly these bytes, which `fetch` might normalise or refuse, and reads the answer.
 *
 * @returns undefined if the connection was closed without an answer
 */
export function exchange(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
    });
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks), { ended: true })));
    socket.on('error', (error) => {
      // A server that refuses a request may close the connection while we write.
      if (chunks.length === 0) reject(error);
    });
  });
}

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Header lines exactly as they are sent, in latin1. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Sends a request with exactly these lines, and validates the answer like `validatingFetch`. */
export async function sendRaw(baseUrl: string, request: RawRequest): Promise<RawAnswer> {
  const { method, target } = request;
  const answer = await exchange(baseUrl, bytesOf(baseUrl, request, ['Connection: close']));
  if (answer === undefined) throw new Error(`${method} ${target} got no answer`);
  if (target.startsWith('/v1/') && method !== 'HEAD') {
    const findings = findingsOf(request, answer);
    if (findings.length > 0) throw new SpecificationError(findings);
  }
  return answer;
}

export function findingsOf({ method, target }: RawRequest, answer: RawAnswer): string[] {
  // A target with a fragment is not the path of any operation.
  const path = target.replace(/^\/v1(?=\/)/, '').replace(/\?[^#]*$/, '');
  return validateResponse(method, path, {
    status: answer.status,
    headers: new Headers(answer.headers),
    body: answer.body,
    isTargetRefused: !/^\/[!"$-~]*$/.test(target),
  });
}

/** A connection for many requests, one after another, which is opened again if it ends. */
interface RawConnection {
  /** @returns undefined if the connection was closed without an answer */
  send(request: RawRequest): Promise<RawAnswer | undefined>;
  close(): void;
}

export function openConnection(baseUrl: string): RawConnection {
  const { hostname, port } = new URL(baseUrl);
  let socket: Socket | undefined;
  return {
    async send(request) {
      const used = socket ?? connect(Number(port), hostname);
      socket = used;
      used.write(bytesOf(baseUrl, request));
      const answer = await nextAnswer(used, request.method);
      if (answer === undefined || answer.headers['connection'] === 'close') {
        used.destroy();
        socket = undefined;
      }
      return answer;
    },
    close: () => void socket?.destroy(),
  };
}

function nextAnswer(socket: Socket, method: string): Promise<RawAnswer | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const settle = (answer: RawAnswer | undefined) => {
      socket.off('data', take).off('close', end).off('error', end);
      resolve(answer);
    };
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, { method });
      if (answer !== undefined) settle(answer);
    };
    const end = () => settle(parseAnswer(received, { method, ended: true }));
    socket.on('data', take).on('close', end).on('error', end);
  });
}

function bytesOf(baseUrl: string, request: RawRequest, more: readonly string[] = []): Buffer {
  const { method, target, headers = [], body = '' } = request;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    ...more,
    ...headers,
    ...(body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** @returns undefined while the answer is incomplete and the connection is open */
function parseAnswer(
  bytes: Buffer,
  { method = '', ended = false }: { readonly method?: string; readonly ended?: boolean },
): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (method === 'HEAD') return { status, headers, body: '' };
  const { body, whole } = parseBody(rest, headers);
  return whole || ended ? { status, headers, body: body.toString('utf8') } : undefined;
}

function parseBody(bytes: Buffer, headers: RawAnswer['headers']): { body: Buffer; whole: boolean } {
  if (headers['transfer-encoding'] === 'chunked') return dechunk(bytes);
  const length = headers['content-length'];
  return { body: bytes, whole: length !== undefined && bytes.length >= Number(length) };
}

function dechunk(bytes: Buffer): { body: Buffer; whole: boolean } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (lineEnd === -1 || !(size > 0) || next > bytes.length) {
      return { body: Buffer.concat(chunks), whole: size === 0 };
    }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
