import { writeFileSync } from 'node:fs';
import { type Document, isAlias, isMap, isScalar, isSeq, Pair, type ParsedNode } from 'yaml';
import { type Finding, formatFinding, inReadingOrder } from './document/finding.js';
import { isJsonArray, isJsonObject, type JsonValue } from './document/json.js';
import { rewritten } from './document/openapi-places.js';
import { readDocument } from './document/read-document.js';
import { keyText } from './document/spec-document.js';
import { SpecFiles } from './document/spec-files.js';
import type { Output } from './generate.js';
import { plainSchema } from './openapi/plain-schema.js';
import type { Options } from './options.js';

// `@scalar/openapi-upgrader` loses the comments, changes values in examples and properties called
// `example`, and leaves `nullable` beside `allOf` and `$ref`.

/**
 * Rewrites a spec in OpenAPI 3.0 as 3.1 and keeps its comments.
 *
 * @returns false if it cannot be read or is in another version
 */
export function upgrade({ spec, shownSpec }: Options, { say, complain }: Output): boolean {
  const files = new SpecFiles(spec, shownSpec);
  const text = files.read(spec);
  if (text === undefined) {
    complain(files.failureOf(spec));
    return false;
  }
  const outcome = readDocument(text, shownSpec);
  if (!outcome.ok) {
    for (const finding of outcome.findings) complain(formatFinding(finding));
    return false;
  }
  const document = outcome.value;
  if (!/^3\.[01]/.test(String(document.value['openapi']))) {
    complain(`${shownSpec} is neither OpenAPI 3.0 nor 3.1.`);
    return false;
  }
  const changes: Finding[] = [];
  const upgraded = rewritten(document.value, (object, kind, path) => {
    if (kind !== 'schemas') return object;
    return plainSchema(object, (keyword, message) => {
      const place = document.keyPosition([...path, keyword]);
      changes.push({ ...place, rule: 'upgraded', message });
    });
  });
  const value = { ...upgraded, openapi: '3.1.1' };
  document.changed((yaml) => {
    rewrite(yaml, yaml.contents, value);
    const style = { lineWidth: 0, singleQuote: true };
    const isJson = spec.endsWith('.json');
    writeFileSync(spec, isJson ? `${JSON.stringify(value, undefined, 2)}\n` : yaml.toString(style));
  });
  const reported = inReadingOrder(changes);
  for (const change of reported) say(formatFinding(change));
  const amount = reported.length === 1 ? '1 change' : `${reported.length} changes`;
  say(`${shownSpec} is OpenAPI 3.1.1, with ${amount}.`);
  return true;
}

/** Gives a node another value. Parts that stay the same keep their comments and their style. */
function rewrite(yaml: Document.Parsed, node: unknown, value: JsonValue): boolean {
  const create = (member: JsonValue): ParsedNode => {
    const flow = isJsonArray(member) && !member.some((item) => typeof item === 'object' && item);
    return yaml.createNode(member, { flow }) as ParsedNode;
  };
  // The element that an alias stands for is rewritten at its own place.
  if (isAlias(node)) return true;
  if (isMap<ParsedNode, ParsedNode>(node) && isJsonObject(value)) {
    node.items = node.items.filter(({ key }) => Object.hasOwn(value, keyText(key)));
    for (const [name, member] of Object.entries(value)) {
      const pair = node.items.find(({ key }) => keyText(key) === name);
      if (!pair) node.items.push(new Pair(create(name), create(member)));
      else if (!rewrite(yaml, pair.value, member)) {
        const comment = pair.value?.comment ?? null;
        pair.value = create(member);
        pair.value.comment = comment;
      }
    }
    return true;
  }
  if (isSeq<ParsedNode>(node) && isJsonArray(value) && node.items.length <= value.length) {
    for (const [index, item] of value.entries()) {
      if (!rewrite(yaml, node.items[index], item)) node.items[index] = create(item);
    }
    return true;
  }
  if (!isScalar(node) || (typeof value === 'object' && value !== null)) return false;
  node.value = value;
  return true;
}
