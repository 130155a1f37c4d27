import { isAnnotation } from '../../document/openapi-places.js';
import type { SpecNode } from '../../document/spec-document.js';
import { preferred } from '../../model/build-bodies.js';
import { bodyKind, isRange } from '../../openapi/media-type.js';
import {
  type MediaTypeObject,
  type ParameterObject,
  readContent,
} from '../../openapi/message-objects.js';
import { fileNames, propertiesOf } from '../../openapi/schema-object.js';
import type { Found, Reach, SchemaPlace } from './change.js';
import {
  addition,
  breaking,
  compareOtherMembers,
  keywordText,
  membersOf,
  pairs,
} from './compare-members.js';
import { fieldOf } from './compare-properties.js';
import { weightOf } from './constraints.js';
import { kindsOf, typeOf, viewOf } from './schema-view.js';

/** A place of a message, and where it is in the calls of the operation. */
export type MessagePlace = SchemaPlace &
  Partial<Pick<Reach, 'path' | 'field'>> & {
    /** True for what the service sends without being asked, so that nobody chooses its type. */
    readonly isPushed?: boolean;
  };

/** Compares the values of parameters and headers. */
export function* compareHolders(
  before: ParameterObject,
  after: ParameterObject,
  place: MessagePlace,
  weighed: readonly string[],
): Generator<Found> {
  yield* compareHeldSchemas(before.schema, after.schema, after.node, place);
  const [content, contentNow] = [before, after].map(({ node }) => readContent(node.get('content')));
  yield* compareContent(content ?? [], contentNow ?? [], place);
  yield* compareNotations(before, after, place);
  const others = ['schema', 'content', ...notation, ...weighed];
  const use = { direction: place.direction, field: place.field };
  yield* compareOtherMembers(before.node, after.node, `\`${place.member}\``, others, use);
}

const notation = ['style', 'explode', 'allowReserved', 'allowEmptyValue'] as const;

/** A parameter, header or part of a form. */
interface Written {
  readonly node: SpecNode | undefined;
  readonly in: string;
  readonly schema: SpecNode | undefined;
}

/** Compares how values are written as text (OpenAPI 3.1 §4.8.12.2). */
function* compareNotations(
  before: Written,
  after: Written,
  { direction, member, field }: MessagePlace,
): Generator<Found> {
  const node = after.node ?? before.node;
  const [old, now] = [notationOf(before), notationOf(after)];
  const isExploded = [before, after].some(({ schema }) => isAffected(old.style, schema));
  for (const key of notation) {
    if (node === undefined || old[key] === now[key]) continue;
    const isFlag = key.startsWith('allow');
    const isIdle = (key === 'explode' && !isExploded) || (isFlag && after.in !== 'query');
    const weight = isFlag ? weightOf(now[key] ? 'more' : 'fewer', direction) : 'major';
    yield {
      weight: isIdle ? 'patch' : weight,
      text: keywordText(key, member, old[key], now[key]),
      node: node.get(key) ?? node,
      use: { direction, field },
    };
  }
}

/** Returns the notation with its defaults. */
function notationOf({ node, in: location }: Written) {
  const usual = ['query', 'cookie'].includes(location) ? 'form' : 'simple';
  const style = node?.get('style')?.text ?? usual;
  const flag = (key: string, otherwise = false) => node?.get(key)?.value ?? otherwise;
  return {
    style,
    explode: flag('explode', style === 'form'),
    allowReserved: flag('allowReserved'),
    allowEmptyValue: flag('allowEmptyValue'),
  };
}

/** Returns true if `explode` makes a difference: in lists and objects, but not in all styles. */
function isAffected(style: string, schema: SpecNode | undefined): boolean {
  const types = schema ? kindsOf(viewOf([schema])).map(typeOf) : [];
  const isList = style !== 'simple' && types.includes('array');
  return style !== 'deepObject' && (isList || types.includes('object'));
}

/** Compares bodies (Media Type Object, OpenAPI 3.1 §4.8.14). */
export function* compareContent(
  before: readonly MediaTypeObject[],
  after: readonly MediaTypeObject[],
  place: MessagePlace,
): Generator<Found> {
  const { member, direction, field, isPushed } = place;
  const use = { direction, field };
  const [types, typesNow] = [byName(before), byName(after)];
  for (const { key: name, either, ...sides } of pairs(types, typesNow)) {
    const { node } = either;
    const [old, now] = [
      sides.before ?? rangeOf(name, types),
      sides.after ?? rangeOf(name, typesNow),
    ];
    if (old && now && bodyKind(name) === 'bytes' && isBytes(old) && isBytes(now)) {
      yield* compareOtherMembers(old.schema, now.schema, `\`${member}\``, ofBytes, use);
    } else if (old && now) {
      yield* compareHeldSchemas(old.schema, now.schema, now.node, place);
    }
    if (sides.before && sides.after) {
      yield* compareEncodings(sides.before, sides.after, place);
      if (bodyKind(name) === 'multipart') yield* compareFiles(sides.before, sides.after, place);
      yield* compareOtherMembers(
        sides.before.node,
        sides.after.node,
        `\`${member}\``,
        ['schema', 'encoding'],
        use,
      );
    } else if (now === undefined) {
      const isNarrowed = [...typesNow.keys()].some((each) => isIn(each, name));
      const weight = isNarrowed ? weightOf('fewer', direction) : 'major';
      yield { weight, text: `\`${member}\` can no longer be \`${name}\`.`, node, use };
    } else if (old === undefined) {
      const text = `\`${member}\` can now be \`${name}\`.`;
      yield addition(text, node, use, isPushed ? 'major' : 'minor');
    }
  }
  // The server sends the one that it prefers to callers that ask for none.
  const [first = '', firstNow = ''] = [before, after].map(
    (content) => [...byName(preferred(content)).keys()][0],
  );
  const node = typesNow.get(firstNow)?.node;
  if (direction === 'response' && !isPushed && node && first !== firstNow && typesNow.has(first)) {
    const text = `\`${member}\` is \`${firstNow}\` instead of \`${first}\` for callers that ask for none.`;
    yield breaking(text, node, use);
  }
}

const ofBytes = ['type', 'format', 'contentMediaType'];

/** Returns true if all bytes are allowed: 3.0 wrote a format, 3.1 writes nothing (§4.8.14.1). */
function isBytes({ name, schema }: MediaTypeObject): boolean {
  if (schema === undefined) return !isRange(name);
  const isBinary = schema.get('format')?.value === 'binary';
  const isPlain = (key: string) => isAnnotation(key) || (isBinary && ofBytes.includes(key));
  return !isRange(name) && schema.members.every(({ key }) => isPlain(key));
}

/** Returns content by media type, without the charset in which texts are written anyway. */
function byName(content: readonly MediaTypeObject[]): Map<string, MediaTypeObject> {
  return new Map(
    content.map((each) => {
      const name = each.name.toLowerCase().replaceAll(/\s/g, '');
      return [name.replace(/;charset="?utf-?8"?(?=;|$)/, ''), each];
    }),
  );
}

/** Returns what describes a media type that is not named: `text/*` or `*\/*`. */
function rangeOf(name: string, content: ReadonlyMap<string, MediaTypeObject>) {
  const ranges = [...content.keys()].filter((range) => isIn(name, range));
  return content.get(ranges.sort((a, b) => b.length - a.length)[0] ?? '');
}

function isIn(name: string, range: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && name.startsWith(range.slice(0, -1)));
}

/** Compares how the fields of a form are written (Encoding Object, OpenAPI 3.1 §4.8.15). */
function* compareEncodings(
  before: MediaTypeObject,
  after: MediaTypeObject,
  { member, direction, field }: MessagePlace,
): Generator<Found> {
  const partsOf = ({ node }: MediaTypeObject) => membersOf(node.get('encoding'));
  const schemaOf = ({ schema }: MediaTypeObject, key: string) =>
    schema && fieldOf(viewOf([schema]), key)[0];
  for (const { key, before: old, after: now } of pairs(partsOf(before), partsOf(after))) {
    const place = { direction, member: `${member}.${key}`, field };
    const [written, writtenNow] = [
      { node: old, in: 'query', schema: schemaOf(before, key) },
      { node: now, in: 'query', schema: schemaOf(after, key) },
    ];
    yield* compareNotations(written, writtenNow, place);
    const subject = `the part \`${key}\` of \`${member}\``;
    yield* compareOtherMembers(old, now, subject, notation, { direction, field });
  }
}

/** Finds the files of a form that are texts now, which have to be UTF-8. */
function* compareFiles(
  { schema: before }: MediaTypeObject,
  { schema: after }: MediaTypeObject,
  { member, direction, field }: MessagePlace,
): Generator<Found> {
  if (before === undefined || after === undefined) return;
  const [files, filesNow] = [fileNames(before), fileNames(after)];
  for (const node of propertiesOf(after)) {
    if (!files.includes(node.key) || filesNow.includes(node.key)) continue;
    yield breaking(`\`${member}.${node.key}\` is no longer a file.`, node, { direction, field });
  }
}

/** Compares two schemas of which either may be absent, which leaves open what the value is. */
function* compareHeldSchemas(
  before: SpecNode | undefined,
  after: SpecNode | undefined,
  holder: SpecNode,
  { path, field, isPushed: _none, ...place }: MessagePlace,
): Generator<Found> {
  if (before && after) {
    const lead = () => ({ path, field, isConditional: false });
    yield { before: [before], after: [after], place, lead };
  } else if (before || after) {
    const text = `\`${place.member}\` ${after ? 'now' : 'no longer'} has a schema.`;
    yield breaking(text, after ?? holder, { direction: place.direction, field });
  }
}
