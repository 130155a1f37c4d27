// Ours, because the parsers on the npm registry do not give back a message as it was sent, byte for
// byte.

/** The start line and the headers of a message. */
export interface Head {
  readonly startLine: string;
  /** In their order and case, without the white space around the values. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** All of it as it was sent, with the empty line at its end. */
  readonly bytes: Buffer;
}

/**
 * A part of a stream of messages. The bytes of all parts, one after the other, are those of the
 * stream, except for the beginning of a head, which is kept until the head is complete.
 */
type MessagePart =
  | { readonly kind: 'head'; readonly head: Head }
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'end' }
  /** Bytes that are not HTTP, and everything after them. */
  | { readonly kind: 'unreadable'; readonly bytes: Buffer };

/** The length of the body after a head: a number of bytes, or how its end is found. */
type BodyLength = number | 'chunked' | 'untilClose' | 'unreadable';

/** Reads a stream of HTTP/1.1 messages (RFC 9112). */
interface MessageReader {
  /** Returns the parts that the next bytes of the stream complete or continue. */
  read(chunk: Buffer): MessagePart[];
  /** Returns what was kept of a head, once the stream has ended. */
  rest(): Buffer;
}

/** The largest head that is read, in bytes. Node accepts at most 16 KiB. */
const longestHead = 64 * 1024;
/** The first character of a head, or of an empty line before it. */
const beginsLikeHead = /^[\r\n!-~]/;
/** The longest line of the chunked coding that is read, in bytes. */
const longestLine = 16 * 1024;

/**
 * Creates the reader of one direction of a connection.
 *
 * @param bodyOf - returns the length of the body that follows a head
 */
export function createMessageReader(bodyOf: (head: Head) => BodyLength): MessageReader {
  /** The beginning of a head, or of a line of the chunked coding. */
  let kept = Buffer.alloc(0);
  let state: 'head' | 'bytes' | 'size' | 'chunk' | 'trailer' | 'untilClose' | 'unreadable' = 'head';
  /** The bytes of the body or chunk that are still to come. */
  let left = 0;

  /** Returns the bytes of the stream up to the end of a line, or undefined if there is none yet. */
  function takeLine(chunk: Buffer): number | undefined {
    const end = chunk.indexOf('\n') + 1;
    const part = end === 0 ? chunk : chunk.subarray(0, end);
    kept = Buffer.concat([kept, part]);
    if (kept.length > longestLine) state = 'unreadable';
    return end === 0 ? undefined : end;
  }

  function readLine(chunk: Buffer): { parts: MessagePart[]; length: number } {
    const end = takeLine(chunk);
    const length = end ?? chunk.length;
    const parts: MessagePart[] = [{ kind: 'body', bytes: chunk.subarray(0, length) }];
    if (end === undefined) return { parts, length };
    const line = kept.toString('latin1');
    kept = Buffer.alloc(0);
    if (state === 'size') {
      const [, size = ''] = /^([\da-f]{1,12})[ \t]*(?:;[^\r\n]*)?\r\n$/i.exec(line) ?? [];
      left = Number.parseInt(size, 16);
      // A chunk ends with CRLF, which is not part of its size.
      if (size === '') state = 'unreadable';
      else if (left === 0) state = 'trailer';
      else [state, left] = ['chunk', left + 2];
    } else if (line === '\r\n') {
      state = 'head';
      parts.push({ kind: 'end' });
    }
    return { parts, length };
  }

  function readHead(chunk: Buffer): { parts: MessagePart[]; length: number } {
    const before = kept.length;
    kept = Buffer.concat([kept, chunk]);
    const end = endOfHead(kept);
    // A handshake of TLS never has the end of a head, and would wait for an answer.
    const mayBeHead =
      beginsLikeHead.test(kept.toString('latin1', 0, 1)) && kept.length <= longestHead;
    if (end === undefined && mayBeHead) return { parts: [], length: chunk.length };
    const head = end === undefined ? undefined : parseHead(kept.subarray(0, end));
    const body = head === undefined ? 'unreadable' : bodyOf(head);
    if (end === undefined || head === undefined || body === 'unreadable') {
      state = 'unreadable';
      const bytes = kept;
      kept = Buffer.alloc(0);
      return { parts: [{ kind: 'unreadable', bytes }], length: chunk.length };
    }
    kept = Buffer.alloc(0);
    const parts: MessagePart[] = [{ kind: 'head', head }];
    if (body === 'chunked') state = 'size';
    else if (body === 'untilClose') state = 'untilClose';
    else if (body === 0) parts.push({ kind: 'end' });
    else [state, left] = ['bytes', body];
    return { parts, length: end - before };
  }

  function readBytes(chunk: Buffer): { parts: MessagePart[]; length: number } {
    const bytes = chunk.subarray(0, left);
    left -= bytes.length;
    const parts: MessagePart[] = [{ kind: 'body', bytes }];
    if (left === 0 && state === 'chunk') state = 'size';
    else if (left === 0) {
      state = 'head';
      parts.push({ kind: 'end' });
    }
    return { parts, length: bytes.length };
  }

  function readNext(chunk: Buffer): { parts: MessagePart[]; length: number } {
    switch (state) {
      case 'head':
        return readHead(chunk);
      case 'bytes':
      case 'chunk':
        return readBytes(chunk);
      case 'size':
      case 'trailer':
        return readLine(chunk);
      case 'untilClose':
        return { parts: [{ kind: 'body', bytes: chunk }], length: chunk.length };
      default:
        return { parts: [{ kind: 'unreadable', bytes: chunk }], length: chunk.length };
    }
  }

  return {
    read(chunk) {
      const all: MessagePart[] = [];
      for (let at = 0; at < chunk.length; ) {
        const { parts, length } = readNext(chunk.subarray(at));
        all.push(...parts);
        at += length;
      }
      return all;
    },
    rest: () => (state === 'head' ? kept : Buffer.alloc(0)),
  };
}

/** Returns where the empty line after a head ends. Empty lines before it are part of the head. */
function endOfHead(bytes: Buffer): number | undefined {
  let start = 0;
  while (bytes.toString('latin1', start, start + 2) === '\r\n') start += 2;
  const end = bytes.indexOf('\r\n\r\n', start);
  return end === -1 ? undefined : end + 4;
}

function parseHead(bytes: Buffer): Head | undefined {
  const [startLine = '', ...lines] = bytes.toString('latin1').trim().split('\r\n');
  const headers: [string, string][] = [];
  for (const line of lines) {
    const [, name, value = ''] = /^([!#$%&'*+.^`|~\w-]+):([^\r\n\0]*)$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    headers.push([name, value.trim()]);
  }
  return { startLine, headers, bytes };
}

/** Returns the values of a header, whose name is in lower case. */
export function valuesOf({ headers }: Head, name: string): string[] {
  return headers.flatMap((header) => (header[0].toLowerCase() === name ? [header[1]] : []));
}

/** Returns the length of the body of a request. */
export function bodyOfRequest(head: Head): BodyLength {
  if (parseRequestLine(head) === undefined) return 'unreadable';
  return declaredLength(head) ?? 0;
}

/**
 * Returns method and target of a request; undefined for `CONNECT` and for what is not a request of
 * HTTP/1.
 */
export function parseRequestLine({ startLine }: Head) {
  const [, method, target] = /^([A-Z-]+) (\S+) HTTP\/1\.[01]$/.exec(startLine) ?? [];
  if (method === undefined || target === undefined || method === 'CONNECT') return undefined;
  return { method, target };
}

/** Returns the status of a response; undefined if it is not one of HTTP/1. */
export function statusOf({ startLine }: Head): number | undefined {
  const [, status] = /^HTTP\/1\.[01] (\d{3})( .*)?$/.exec(startLine) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** Returns the length of the body of a response to a request with a method. */
export function bodyOfResponse(head: Head, method: string): BodyLength {
  const status = statusOf(head);
  if (status === undefined || status === 101) return 'unreadable';
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  return declaredLength(head) ?? 'untilClose';
}

/** Returns the length that the headers declare; undefined if they declare none. */
function declaredLength(head: Head): BodyLength | undefined {
  const codings = valuesOf(head, 'transfer-encoding');
  const [length, ...others] = valuesOf(head, 'content-length');
  if (codings.length > 0) {
    const isChunked = codings.length === 1 && /^(.*,[ \t]*)?chunked$/i.test(codings[0] ?? '');
    return isChunked && length === undefined ? 'chunked' : 'unreadable';
  }
  if (length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) && others.length === 0 ? Number(length) : 'unreadable';
}
