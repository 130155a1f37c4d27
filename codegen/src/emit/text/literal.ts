import { isJsonArray, isJsonObject, type JsonValue } from '../../document/json.js';
import { propertyKey, quote } from './names.js';

const lineWidth = 100;

/** A value as TypeScript, on one line where it fits, else one member or item per line. */
export function literal(value: JsonValue, indent = ''): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= lineWidth - 20) return line;
  return overLines(value, indent);
}

/** The same over as many lines as it has members or items. */
export function overLines(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  if (isJsonArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    const lines = members.map(
      ([key, member]) => `${inner}${memberKey(key)}: ${literal(member, inner)},\n`,
    );
    return `{\n${lines.join('')}${indent}}`;
  }
  return scalar(value);
}

function onOneLine(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${memberKey(key)}: ${onOneLine(member)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return scalar(value);
}

function scalar(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** Written plainly, `__proto__` would set the prototype instead of a member. */
function memberKey(key: string): string {
  return key === '__proto__' ? "['__proto__']" : propertyKey(key);
}
