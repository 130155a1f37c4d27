import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { isBinary } from '../src/openapi/media-type.js';
import { byName, mostNames, type RequestError, tooManyNames } from './read-parameters.js';
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
export async function readFormWithFiles(
  request: Request,
  { schemasOfMember }: ValueReader,
): Promise<Form | undefined> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  // Each byte is sent as a character, because others would take the place of bytes that are not
  // UTF-8.
  const body = Buffer.from(request.body.toString('latin1'));
  const form = await new Response(body, { headers }).formData().catch(() => undefined);
  if (form === undefined) return undefined;
  if (new Set(form.keys()).size > mostNames) {
    const errors = [{ path: '/body', message: tooManyNames }];
    return { texts: new Map(), files: new Map(), errors };
  }
  const parts = await Promise.all(
    [...form].map(async ([nameBytes, value]) => {
      const sent = typeof value === 'string' ? { name: '', type: '' } : value;
      const bytes = Buffer.from(typeof value === 'string' ? value : await value.text(), 'latin1');
      const name = Buffer.from(nameBytes, 'latin1');
      const fileName = Buffer.from(sent.name, 'latin1');
      const schemas = schemasOfMember(String(name));
      // A member without a type is a text or a file, as it was sent.
      const hasType = schemas.some((each) => each['type'] !== undefined || each['properties']);
      const isFile = schemas.some(isBinary) || (!hasType && typeof value !== 'string');
      const isRead = [name, fileName, ...(isFile ? [] : [bytes])].every((each) => isUtf8(each));
      // The schema of a file describes a text, and limits its length in bytes.
      const text = bytes.toString(isFile ? 'latin1' : 'utf8');
      const file = isFile ? new File([bytes], String(fileName), { type: sent.type }) : undefined;
      return { name: String(name), text, file, isRead };
    }),
  );
  return {
    texts: byName(parts.map(({ name, text }) => [name, text])),
    files: byName(parts.map(({ name, file }) => [name, file])),
    errors: parts
      .filter(({ isRead }) => !isRead)
      .map(({ name }) => ({ path: `/body/${name}`, message: 'must be UTF-8' })),
  };
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
