import type { Request } from 'express';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/document/json.js';
import { follow } from './described-request.js';
import { collected } from './read-parameters.js';

/** How a member of a form is read, by its schema. */
type FormMember = 'file' | 'text' | 'json';

export type FormMembers = ReadonlyMap<string, FormMember>;

/** The values of a form that the schema describes, and the files that it only names. */
export interface Form {
  readonly values: object;
  readonly files: ReadonlyMap<string, readonly File[]>;
}

export function readForm(text: string, members: FormMembers): object {
  return collected(
    [...new URLSearchParams(text)].map(([name, value]) => {
      return [name, members.get(name) === 'json' ? parsed(value) : value];
    }),
  );
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
  const pairs: [string, JsonValue][] = [];
  const files = new Map<string, File[]>();
  for (const [name, value] of form) {
    const kind = members.get(name);
    if (kind === 'file' || (kind === undefined && typeof value !== 'string')) {
      files.set(name, [...(files.get(name) ?? []), toFile(value)]);
      // The schema of a file describes a text.
      pairs.push([name, '']);
    } else {
      const text = typeof value === 'string' ? value : await value.text();
      pairs.push([name, kind === 'json' ? parsed(text) : text]);
    }
  }
  return { values: collected(pairs), files };
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
      const types = all.flatMap((part) => part['type'] ?? []);
      const isNested = items.some((part) => [part['type']].flat().includes('array'));
      const isJson = isNested || types.includes('object') || all.some((part) => part['properties']);
      return types.length === 0 && !isJson ? [] : [[name, isJson ? 'json' : 'text']];
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
export function withFiles(values: object, files: Form['files']): object {
  const members = [...files].map(([name, all]) => {
    return [name, Array.isArray(Reflect.get(values, name)) ? all : all[0]];
  });
  return { ...values, ...Object.fromEntries(members) };
}

function toFile(value: string | File): File {
  return typeof value === 'string' ? new File([value], '') : value;
}

/** Parses JSON. Any other text stays as it is, so that the schema refuses or allows it. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
