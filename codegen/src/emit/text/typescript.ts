import { isJsonArray, isJsonObject, type JsonValue } from '../../document/json.js';
import type { TypeReference } from '../../model/api-model.js';

/** The longest line of the house. */
export const lineWidth = 100;

/**
 * A value as TypeScript, on one line where it fits, else one member or item per line.
 *
 * @param indent what stands before the line the value begins on
 * @param before how many further characters stand before the value on its line
 */
export function literal(value: JsonValue, indent = '', before = 0): string {
  const line = onOneLine(value);
  // A comma follows.
  const fits = indent.length + before + line.length + 1 <= lineWidth;
  return fits && !line.includes('\n') ? line : overLines(value, indent);
}

/** The same over as many lines as it has members or items. */
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
  if (typeof value !== 'string') return String(value);
  return value.includes('\n') ? templateLiteral(value) : quote(value);
}

/** Written plainly, `__proto__` would set the prototype instead of a member. */
function memberKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyKey(name);
}

/** A property's name as it is written in an object or type: quoted where it is no identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** A string literal on one line, in single quotes unless that would escape more. */
export function quote(text: string): string {
  const json = JSON.stringify(text);
  if (text.includes("'") && !text.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A template literal that holds exactly this text; it may run over many lines. */
export function templateLiteral(text: string): string {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}

const nameless = { requestBody: 'RequestBody', successBody: 'SuccessBody', record: 'RecordOf' };

/** A type as it is written in generated code; names of the contract get the prefix `qualifier`. */
export function typeText(type: TypeReference, qualifier = ''): string {
  switch (type.kind) {
    case 'model':
      return qualifier + type.name;
    case 'array':
      return `${typeText(type.items, qualifier)}[]`;
    default:
      return `${qualifier}${nameless[type.kind]}<'${type.operationId}'>`;
  }
}

/** The names a type takes from the contract. */
export function typeNames(type: TypeReference): string[] {
  switch (type.kind) {
    case 'model':
      return [type.name];
    case 'array':
      return typeNames(type.items);
    default:
      return [nameless[type.kind]];
  }
}
