import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import type { JsonObject } from '../src/document/json.js';
import { isBinary } from '../src/openapi/media-type.js';
import { byName, excessOf, type RequestError } from './read-parameters.js';
import type { ValueReader } from './read-values.js';

/** The files of a form, and all texts. That of a file has a character for each byte. */
export interface Form {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The files at the places of their texts. */
  readonly files: ReadonlyMap<string, readonly (File | undefined)[]>;
  readonly errors: readonly RequestError[];
}

/**
 * Reads a form of `multipart/form-data`. Express has read its bytes, so their number is limited.
 *
 * @returns undefined if the bytes are no such form
 */
export function readFormWithFiles(
  request: Request,
  { schemasOfMember }: ValueReader,
): Form | undefined {
  const sent = partsOf(request.body.toString('latin1'), request.get('content-type') ?? '');
  if (sent === undefined) return undefined;
  const excess = excessOf(sent.map(({ name }) => name));
  if (excess !== undefined) {
    return { texts: new Map(), files: new Map(), errors: [{ path: '/body', message: excess }] };
  }
  const known = new Map<string, JsonObject[]>();
  const parts = sent.map((part) => {
    const name = Buffer.from(part.name, 'latin1');
    const fileName = Buffer.from(part.fileName ?? '', 'latin1');
    const bytes = Buffer.from(part.content, 'latin1');
    const schemas = known.get(part.name) ?? schemasOfMember(String(name));
    known.set(part.name, schemas);
    // A member without a type is a text or a file, as it was sent.
    const hasType = schemas.some((each) => each['type'] !== undefined || each['properties']);
    const isFile = schemas.some(isBinary) || (!hasType && part.fileName !== undefined);
    // The schema of a file describes a text, and limits its length in bytes.
    const text = isFile ? part.content : textIn(bytes, part.type);
    const isRead = isUtf8(name) && isUtf8(fileName) && text !== undefined;
    const file = isFile ? new File([bytes], String(fileName), { type: part.type }) : undefined;
    return { name: String(name), text: text ?? '', file, isRead };
  });
  return {
    texts: byName(parts.map(({ name, text }) => [name, text])),
    files: byName(parts.map(({ name, file }) => [name, file])),
    errors: parts
      .filter(({ isRead }) => !isRead)
      .map(({ name }) => ({ path: `/body/${name}`, message: 'must be UTF-8' })),
  };
}

/** A part of a form (RFC 7578 §4). Its texts have a character for each byte. */
interface SentPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string;
  readonly content: string;
}

/**
 * Returns the parts of a form, and undefined if it is none. The parser of `fetch` takes names only
 * in quotes and no other parameters, but HttpClient of .NET writes
 * `name=file; filename=a.pdf; filename*=utf-8''a.pdf`.
 */
function partsOf(body: string, mediaType: string): SentPart[] | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(mediaType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) return undefined;
  const [, ...pieces] = `\r\n${body}`.split(`\r\n--${boundary}`);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  const parts = pieces.slice(0, end).map(partIn);
  const read = parts.filter((part) => part !== undefined);
  return end >= 0 && read.length === parts.length ? read : undefined;
}

/** The most bytes of the headers of a part. Node has the same limit for those of a request. */
const mostOfHeaders = 16_384;

/** @param piece headers, an empty line and the content */
function partIn(piece: string): SentPart | undefined {
  const start = piece.indexOf('\r\n\r\n');
  // A regular expression would overflow the stack with a name of megabytes.
  if (start > mostOfHeaders) return undefined;
  const headers = piece.slice(0, start);
  const [, disposition = ''] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers) ?? [];
  const parameters = new Map(
    [...disposition.matchAll(/;\s*([^=;\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^";]*))/g)].map(
      ([, name = '', quoted, token = '']) => [
        name.toLowerCase(),
        quoted === undefined ? token.trim() : unescaped(quoted),
      ],
    ),
  );
  const name = parameters.get('name');
  if (start < 0 || name === undefined) return undefined;
  const encodedName = parameters.get('filename*')?.replace(/^[^']*'[^']*'/, '');
  const [, type = ''] = /^content-type:[ \t]*(.*)$/im.exec(headers) ?? [];
  const content = piece.slice(start + 4);
  const isBase64 = /^content-transfer-encoding:\s*base64/im.test(headers);
  return {
    name,
    // Beside it, .NET writes `filename="=?utf-8?B?4oKsLnR4dA==?="`.
    fileName: encodedName?.replaceAll(/%[\da-f]{2}/gi, byteOf) ?? parameters.get('filename'),
    type,
    content: isBase64 ? Buffer.from(content, 'base64').toString('latin1') : content,
  };
}

/** Browsers write quotes and ends of lines as `%22`, `%0D` and `%0A`, others a quote as `\"`. */
function unescaped(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll(/%(22|0d|0a)/gi, byteOf);
}

function byteOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code.slice(1), 16));
}

/** Returns a text in UTF-8 or the encoding that its type names, or else undefined. */
function textIn(bytes: Uint8Array, type: string): string | undefined {
  const [, charset] = /;\s*charset="?([^\s";]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Puts the files into the values, which are valid. */
export function withFiles(values: unknown, files: Form['files']): object {
  const members = Object.entries(Object(values)).map(([name, value]) => {
    const sent = files.get(name) ?? [];
    const isList = Array.isArray(value);
    return [name, isList ? value.map((each, index) => sent[index] ?? each) : (sent[0] ?? value)];
  });
  return Object.fromEntries(members);
}
