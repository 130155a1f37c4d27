import { connect, type Socket } from 'node:net';

export interface PreparedRequest {
  readonly name: string;
  readonly bytes: Buffer;
  /** Called for each refusal (4xx), which is an error without it. */
  readonly onRefused?: () => void;
}

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

/** Sends calls on plain sockets, which need little CPU. Returns the ms of every call. */
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
  const { name, bytes, onRefused } = request;
  return new Promise((resolve, reject) => {
    const take = createAnswerReader();
    const finish = (error?: Error) => {
      socket.off('data', onData).off('error', finish).off('close', onClose);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Buffer) => {
      const start = take(chunk);
      if (start === undefined) return;
      const status = start.toString('latin1', 9, 12);
      const isRefused = status.startsWith('4') && onRefused !== undefined;
      if (isRefused) onRefused();
      const isExpected = status === '200' || isRefused;
      finish(isExpected ? undefined : new Error(`${name} answered ${status}: ${start}`));
    };
    const onClose = () => finish(new Error(`${name}: the connection was closed`));
    socket.on('data', onData).on('error', finish).on('close', onClose);
    socket.write(bytes);
  });
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Creates a function that returns the head after the last piece, and keeps little meanwhile. */
function createAnswerReader(): (piece: Buffer) => Buffer | undefined {
  let start: Buffer = Buffer.alloc(0);
  let end = start;
  let bytes = 0;
  /** The number of bytes of the whole answer; undefined until the headers are there. */
  let length: number | 'chunked' | undefined;
  return (piece) => {
    bytes += piece.length;
    end = Buffer.concat([end, piece.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    if (length === undefined) {
      start = Buffer.concat([start, piece]);
      const head = start.indexOf(headEnd);
      if (head === -1) return undefined;
      const given = /content-length: (\d+)/i.exec(start.toString('latin1', 0, head))?.[1];
      length = given === undefined ? 'chunked' : head + headEnd.length + Number(given);
    }
    const isComplete = length === 'chunked' ? end.equals(lastChunk) : bytes >= length;
    return isComplete ? start : undefined;
  };
}
