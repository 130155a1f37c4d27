import type { Request } from 'express';
import { isJsonObject, type JsonObject } from '../src/document/json.js';
import { follow } from './described-request.js';

/** How a member of a form is read, by its schema. */
type FormMember = 'file' | 'text';

export type FormMembers = ReadonlyMap<string, FormMember>;

/** The texts of a form, an empty one for each file, and the files. */
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
  members: FormMembers,
): Promise<Form | undefined> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  const form = await new Response(request.body, { headers }).formData().catch(() => undefined);
  if (form === undefined) return undefined;
  const texts = new Map<string, string[]>();
  const files = new Map<string, File[]>();
  for (const [name, value] of form) {
    const kind = members.get(name);
    const isFile = kind === 'file' || (kind === undefined && typeof value !== 'string');
    if (isFile) files.set(name, [...(files.get(name) ?? []), toFile(value)]);
    const text = typeof value === 'string' ? value : await value.text();
    // The schema of a file describes a text.
    texts.set(name, [...(texts.get(name) ?? []), isFile ? '' : text]);
  }
  return { texts, files };
}

/** Returns how the members of a form are read. One without a type is a text or a file, as sent. */
export function formMembers(spec: object, schema: JsonObject): FormMembers {
  const members = partsOf(spec, schema).flatMap((part) => Object.entries(part['properties'] ?? {}));
  return new Map(
    members.flatMap(([name, member]): [string, FormMember][] => {
      const parts = partsOf(spec, member);
      const items = parts.flatMap((part) => partsOf(spec, part['items']));
      const all = [...parts, ...items];
      if (all.some(isFile)) return [[name, 'file']];
      const hasType = all.some((part) => part['type'] !== undefined || part['properties']);
      return hasType ? [[name, 'text']] : [];
    }),
  );
}

function isFile({ format, contentEncoding, contentMediaType }: JsonObject): boolean {
  const isBinary = format === 'binary' || contentEncoding === 'binary';
  return isBinary || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** Returns a schema with its parts and alternatives, each once. */
function partsOf(spec: object, schema: unknown, seen = new Set<object>()): JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const { value } = follow(spec, { value: schema, path: [] });
  if (seen.has(value)) return [];
  seen.add(value);
  const parts = [value['allOf'], value['anyOf'], value['oneOf']].flatMap((each) => each ?? []);
  return [value, ...parts.flatMap((part) => partsOf(spec, part, seen))];
}

/** Puts the files into the values, which are valid. */
export function withFiles(values: unknown, files: Form['files']): object {
  const members = [...files].map(([name, all]) => {
    return [name, Array.isArray(Reflect.get(Object(values), name)) ? all : all[0]];
  });
  return { ...Object(values), ...Object.fromEntries(members) };
}

function toFile(value: string | File): File {
  return typeof value === 'string' ? new File([value], '') : value;
}
