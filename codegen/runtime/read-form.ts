import type { Request } from 'express';
import { isBinary } from '../src/openapi/media-type.js';
import type { ValueReader } from './read-values.js';

/** The files of a form, and all texts. That of a file has a character for each byte. */
export interface Form {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, readonly File[]>;
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
  const form = await new Response(request.body, { headers }).formData().catch(() => undefined);
  if (form === undefined) return undefined;
  const texts = new Map<string, string[]>();
  const files = new Map<string, File[]>();
  for (const [name, value] of form) {
    const schemas = schemasOfMember(name);
    // A member without a type is a text or a file, as it was sent.
    const hasType = schemas.some((each) => each['type'] !== undefined || each['properties']);
    const isFile = schemas.some(isBinary) || (!hasType && typeof value !== 'string');
    if (!isFile) {
      add(texts, name, typeof value === 'string' ? value : await value.text());
      continue;
    }
    const file = typeof value === 'string' ? new File([value], '') : value;
    add(files, name, file);
    // The schema of a file describes a text, and limits its length in bytes.
    add(texts, name, Buffer.from(await file.arrayBuffer()).toString('latin1'));
  }
  return { texts, files };
}

function add<Value>(values: Map<string, Value[]>, name: string, value: Value): void {
  const known = values.get(name);
  if (known) known.push(value);
  else values.set(name, [value]);
}

/** Puts the files into the values, which are valid. */
export function withFiles(values: unknown, files: Form['files']): object {
  const members = [...files].map(([name, all]) => {
    return [name, Array.isArray(Reflect.get(Object(values), name)) ? all : all[0]];
  });
  return { ...Object(values), ...Object.fromEntries(members) };
}
