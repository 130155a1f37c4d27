import { isJsonArray, isJsonObject, type JsonValue } from '../../document/json.js';

/** How a language writes values of JSON in a program. */
export interface Syntax {
  scalar(value: string | number | boolean | null): string;
  list(items: readonly JsonValue[]): Brackets;
  object(members: Readonly<Record<string, JsonValue>>): Brackets & {
    /** Returns all that comes before the value of a member. */
    name(key: string): string;
  };
}

/** A line break in them is followed by the indentation. */
interface Brackets {
  readonly open: string;
  readonly close: string;
}

const step = '    ';

/** Writes a value with one member or item per line. */
export function valueIn(syntax: Syntax, value: JsonValue, indent = ''): string {
  const inner = indent + step;
  if (isJsonArray(value)) {
    const items = value.map((item) => valueIn(syntax, item, inner));
    return within(syntax.list(value), items, indent);
  }
  if (!isJsonObject(value)) return syntax.scalar(value);
  const { name, ...brackets } = syntax.object(value);
  const members = Object.entries(value).map(
    ([key, member]) => name(key) + valueIn(syntax, member, inner),
  );
  return within(brackets, members, indent);
}

function within({ open, close }: Brackets, parts: readonly string[], indent: string): string {
  if (parts.length === 0) return open.replace('\n', ' ') + close;
  const lines = parts.map((part) => `${indent}${step}${part},\n`).join('');
  return `${open.replace('\n', `\n${indent}`)}\n${lines}${indent}${close}`;
}
