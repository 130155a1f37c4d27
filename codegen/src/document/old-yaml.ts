import { type Document, isScalar, type ScalarTag, Schema, stringify, visit } from 'yaml';
import type { JsonValue } from './json.js';

// Many readers of YAML still follow version 1.1, in which an unquoted `no` is false, `2026-12-01` a
// date and `0123` the number 83. They must not find another interface in the document.

const tags = new Schema({ schema: 'yaml-1.1' }).tags.filter(
  (tag): tag is ScalarTag => tag.default === true && 'test' in tag,
);

export function writtenForAll(value: JsonValue): string {
  return stringify(value, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

/** Quotes the texts and rewrites the numbers that these readers would take for another value. */
export function readAlikeByAll(text: string, yaml: Document.Parsed): string {
  const parts: string[] = [];
  let end = 0;
  visit(yaml, {
    Scalar(_key, { type, source, range, value }) {
      if (type !== 'PLAIN' || !source || !range || meansTheSame(source, value)) return;
      const written = typeof value === 'string' ? `'${source}'` : JSON.stringify(value);
      parts.push(text.slice(end, range[0]), written);
      end = range[0] + source.length;
    },
  });
  return parts.join('') + text.slice(end);
}

function meansTheSame(source: string, value: unknown): boolean {
  const tag = tags.find(({ test }) => test?.test(source));
  const resolved = tag?.resolve(source, () => {}, {}) ?? source;
  return (isScalar(resolved) ? resolved.value : resolved) === value;
}
