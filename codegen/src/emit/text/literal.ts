import { isJsonArray, isJsonObject, type JsonValue } from '../../document/json.js';
import { propertyKey, quote, templateLiteral } from './names.js';

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
