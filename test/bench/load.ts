import { connect, type Socket } from 'node:net';

/** The bytes of a request, built once and sent many times. */
export interface PreparedRequest {
  readonly name: string;
  readonly bytes: Buffer;
  /** True if a call may be refused with status 429, as one of a flood on a slow machine. */
  readonly mayBeRefused?: boolean;
}

/** Builds a request for a keep-alive connection. */
export function prepareRequest(
  name: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): PreparedRequest {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(payload)}`]),
  ];
  return { name, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`) };
}

/**
 * Calls one server over `connections` keep-alive connections for a while. Each connection sends its next
 * request after the answer to the previous one, and at least one. It uses plain sockets, so that the caller needs little CPU.
 *
 * @returns the duration of every call in ms, unsorted
 */
export async function load(
  port: number,
  request: PreparedRequest,
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<number[]> {
  const until = performance.now() + durationMs;
  const lanes = Array.from({ length: connections }, () => runLane(port, request, until));
  return (await Promise.all(lanes)).flat();
}

async function runLane(port: number, request: PreparedRequest, until: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const times: number[] = [];
  try {
    do {
      const started = performance.now();
      await exchange(socket, request);
      times.push(performance.now() - started);
    } while (performance.now() < until);
  } finally {
    socket.destroy();
  }
  return times;
}

function exchange(socket: Socket, request: PreparedRequest): Promise<void> {
  const { name, bytes, mayBeRefused = false } = request;
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (error?: Error) => {
      socket.off('data', onData).off('error', finish).off('close', onClose);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (!isComplete(received)) return;
      const status = received.toString('latin1', 9, 12);
      const isExpected = status === '200' || (mayBeRefused && status === '429');
      finish(isExpected ? undefined : new Error(`${name} answered ${status}: ${received}`));
    };
    const onClose = () => finish(new Error(`${name}: the connection was closed`));
    socket.on('data', onData).on('error', finish).on('close', onClose);
    socket.write(bytes);
  });
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

function isComplete(received: Buffer): boolean {
  const end = received.indexOf(headEnd);
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) return received.subarray(-lastChunk.length).equals(lastChunk);
  return received.length >= end + headEnd.length + Number(length);
}
