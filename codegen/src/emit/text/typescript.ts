import { isJsonArray, isJsonObject, type JsonValue } from '../../document/json.js';
import type { Content, TypeReference } from '../../model/api-model.js';
import { isIdentifier } from '../../model/names.js';

export const lineWidth = 100;

/**
 * Writes a value on one line if it fits, otherwise with one member or item per line.
 *
 * @param before the number of characters between the indentation and the value
 */
export function literal(value: JsonValue, indent = '', before = 0): string {
  const line = onOneLine(value);
  // A comma follows.
  const fits = indent.length + before + line.length + 1 <= lineWidth;
  return fits ? line : overLines(value, indent);
}

/** Writes the same, always with one member or item per line. */
export function overLines(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  if (isJsonArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const key = `${memberKey(name)}: `;
      return `${inner}${key}${literal(member, inner, key.length)},\n`;
    });
    return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
  }
  return scalar(value);
}

function onOneLine(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${memberKey(name)}: ${onOneLine(member)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return scalar(value);
}

function scalar(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** Without brackets, `__proto__` would set the prototype instead of a member. */
function memberKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyKey(name);
}

/** Returns the name of a property in an object or type, quoted if it is not an identifier. */
export function propertyKey(name: string): string {
  return isIdentifier(name) ? name : quote(name);
}

/** Returns a string literal in the quotes that need fewer escapes, preferably single ones. */
export function quote(text: string): string {
  const json = JSON.stringify(text);
  if (text.includes("'") && !text.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/**
 * Returns the type of a request body.
 *
 * @param file the type of a file in a form
 */
export function contentType({ type, files }: Content, file: 'Blob' | 'File'): string {
  if (files === undefined) return contractType(type);
  const names = files.map(quote).join(' | ') || 'never';
  return `contract.FormWithFiles<${contractType(type)}, ${names}, ${file}>`;
}

/** Returns a type in the generated server and client, which import the contract as a namespace. */
export function contractType(type: TypeReference): string {
  switch (type.kind) {
    case 'model':
    case 'alias':
      return `contract.${type.name}`;
    case 'array':
      return `${contractType(type.items)}[]`;
    case 'union':
      return type.of.map(contractType).join(' | ');
    default:
      return { bytes: 'Uint8Array', nothing: 'undefined' }[type.kind as string] ?? type.kind;
  }
}
