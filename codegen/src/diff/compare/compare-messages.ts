import type { SpecNode } from '../../document/spec-document.js';
import {
  type MediaTypeObject,
  type ParameterObject,
  type ResponseObject,
  readContent,
} from '../../openapi/message-objects.js';
import {
  type OperationObject,
  operationName,
  templateParameters,
} from '../../openapi/operation-object.js';
import type { Direction, Found, Reach, SchemaPlace, Weight } from './change.js';
import { compareNamed, compareOtherMembers, keywordText, pairs } from './compare-members.js';
import { weightOf } from './constraints.js';
import { componentName } from './references.js';
import { isSameText } from './same.js';

export interface Operations {
  readonly before: OperationObject;
  readonly after: OperationObject;
  /** True for a webhook or callback: the caller gets the request, and sends the response. */
  readonly isReversed?: boolean;
}

/** Returns the direction of requests. */
export function sentBy({ isReversed }: Operations): Direction {
  return isReversed ? 'response' : 'request';
}

/** Compares the parameters of an operation (Parameter Object, OpenAPI 3.1 §4.8.12). */
export function* compareParameters(both: Operations): Generator<Found> {
  const direction = sentBy(both);
  const [before, after] = [parametersOf(both.before), parametersOf(both.after)];
  for (const { before: old, after: now } of pairs(before, after)) {
    const parameter = now ?? old;
    if (parameter === undefined) continue;
    const member = `${parameter.in}.${parameter.name}`;
    const isCounted = ['query', 'header'].includes(parameter.in) && !both.isReversed;
    const path = isCounted ? member : undefined;
    const field = old && !old.isRequired ? path : undefined;
    const use = { direction, field };
    const { node } = parameter;
    if (now === undefined) {
      yield { weight: 'major', node, use, text: `Parameter \`${member}\` is removed.` };
    } else if (old === undefined) {
      const text = `Parameter \`${member}\` is new${now.isRequired ? ' and required' : ''}.`;
      const weight = weightOfNew(now.isRequired, direction);
      yield { weight, text, kind: 'addition', node, use: { direction } };
    } else {
      if (old.name !== now.name && now.in !== 'header') {
        const text = `Parameter \`${old.in}.${old.name}\` is renamed to \`${now.name}\`.`;
        yield { weight: 'major', text, node, use };
      }
      if (old.isRequired !== now.isRequired) {
        const text = `Parameter \`${member}\` is ${now.isRequired ? 'now' : 'no longer'} required.`;
        const weight = weightOfRequired(now.isRequired, direction);
        yield { weight, text, node, use: { direction } };
      }
      const place = { direction, member, path, field };
      yield* compareHolders(old, now, place, ['name', 'in', 'required']);
    }
  }
}

function weightOfNew(isRequired: boolean, direction: Direction): Weight {
  return isRequired && direction === 'request' ? 'major' : 'minor';
}

function weightOfRequired(isRequired: boolean, direction: Direction): Weight {
  return weightOf(isRequired ? 'fewer' : 'more', direction);
}

/** Returns parameters: those of the path by their position, headers by name in any case. */
function parametersOf({ path, parameters }: OperationObject): Map<string, ParameterObject> {
  const positions = templateParameters(path);
  const nameOf = (parameter: ParameterObject) => {
    if (parameter.in === 'path') return String(positions.indexOf(parameter.name));
    return parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
  };
  return new Map(parameters.map((each) => [`${each.in}.${nameOf(each)}`, each]));
}

/** Compares the body of a request (Request Body Object, OpenAPI 3.1 §4.8.13). */
export function* compareRequestBodies(both: Operations): Generator<Found> {
  const [old, now] = [both.before.requestBody, both.after.requestBody];
  const name = operationName(both.after);
  const direction = sentBy(both);
  const use = { direction };
  if (old && now) {
    if (old.isRequired !== now.isRequired) {
      const text = `The body of \`${name}\` is ${now.isRequired ? 'now' : 'no longer'} required.`;
      const weight = weightOfRequired(now.isRequired, direction);
      yield { weight, text, node: now.node.get('required') ?? now.node, use };
    }
    const path = both.isReversed ? undefined : 'body';
    yield* compareContent(old.content, now.content, { direction, member: `${name} body`, path });
    const weighed = ['required', 'content'];
    yield* compareOtherMembers(old.node, now.node, `the body of \`${name}\``, weighed, use);
  } else if (old) {
    yield { weight: 'major', text: `\`${name}\` no longer has a body.`, node: old.node, use };
  } else if (now) {
    const text = `\`${name}\` now has a ${now.isRequired ? 'required ' : ''}body.`;
    const weight = weightOfNew(now.isRequired, direction);
    yield { weight, text, kind: 'addition', node: now.node, use };
  }
}

/** Compares the responses of an operation (Responses Object, OpenAPI 3.1 §4.8.16). */
export function* compareResponses(both: Operations): Generator<Found> {
  const { before, after, isReversed } = both;
  const name = operationName(after);
  const byStatus = ({ responses }: OperationObject) =>
    new Map(responses.map((response) => [response.status, response]));
  // Beside a status of success, `default` is the response to calls that failed.
  const isDefaultError = [before, after].every(({ responses }) =>
    responses.some(({ status }) => status.startsWith('2')),
  );
  for (const { key: status, ...sides } of pairs(byStatus(before), byStatus(after))) {
    const { before: old, after: now } = sides;
    const isError = /^[45]/.test(status) || (status === 'default' && isDefaultError);
    const direction = isReversed ? 'request' : isError ? 'error' : 'response';
    const use = { direction } as const;
    if (old && now) {
      const shared = componentName(now.node);
      const isShared = shared !== undefined && shared === componentName(old.node);
      const member = isShared ? shared : `${name} ${status}`;
      yield* compareResponse(old, now, { direction, member });
    } else if (old) {
      const weight = isError && !isReversed ? 'patch' : 'major';
      const text = `Response \`${status}\` is removed.`;
      yield { weight, text, node: old.use, use };
    } else if (now) {
      const weight = isError || isReversed ? 'minor' : 'major';
      const text = `Response \`${status}\` is new.`;
      yield { weight, text, kind: 'addition', node: now.use, use };
      const former = isError && isDefaultError ? responseTo(status, before) : undefined;
      const place = { direction, member: `${name} ${status}` } as const;
      if (former) yield* compareContent(former.content, now.content, place);
    }
  }
}

/** Returns the response to a status that has none of its own (OpenAPI 3.1 §4.8.16). */
function responseTo(status: string, { responses }: OperationObject): ResponseObject | undefined {
  const names = [`${status[0]}XX`, 'default'];
  return names.flatMap((name) => responses.find((each) => each.status === name) ?? [])[0];
}

/** A place of a message, and where it is in the calls of the operation. */
type MessagePlace = SchemaPlace & Partial<Pick<Reach, 'path' | 'field'>>;

function* compareResponse(
  before: ResponseObject,
  after: ResponseObject,
  place: MessagePlace,
): Generator<Found> {
  // Most responses are unchanged, and many operations share them.
  if (isSameText(before.node, after.node)) return;
  const { direction, member } = place;
  const use = { direction };
  const headersOf = ({ headers }: ResponseObject) =>
    new Map([...headers].map(([key, header]) => [key.toLowerCase(), { header, key }]));
  for (const { before: old, after: now } of pairs(headersOf(before), headersOf(after))) {
    const name = now?.key ?? old?.key ?? '';
    if (old && now) {
      yield* compareHeader(old.header, now.header, { ...place, member: `header ${name}` });
    } else if (old) {
      const text = `Header \`${name}\` is removed from \`${member}\`.`;
      yield { weight: 'major', text, node: placeOf(before, old.key), use };
    } else if (now) {
      const text = `\`${member}\` has the new header \`${name}\`.`;
      const weight = weightOfNew(now.header.isRequired, direction);
      yield { weight, text, kind: 'addition', node: placeOf(after, now.key), use };
    }
  }
  yield* compareContent(before.content, after.content, place);
  const weighed = ['headers', 'content', 'links'];
  yield* compareOtherMembers(before.node, after.node, `\`${member}\``, weighed, use);
  const [links, linksNow] = [before, after].map(({ node }) => node.get('links'));
  yield* compareNamed(links, linksNow, (name) => `The link \`${name}\` of \`${member}\``, use);
}

function placeOf({ node }: ResponseObject, header: string): SpecNode {
  return node.at('headers', header) ?? node;
}

function* compareHeader(
  before: ParameterObject,
  after: ParameterObject,
  place: MessagePlace,
): Generator<Found> {
  if (before.isRequired !== after.isRequired) {
    const text = `\`${place.member}\` is ${after.isRequired ? 'now' : 'no longer'} required.`;
    const weight = weightOfRequired(after.isRequired, place.direction);
    yield { weight, text, node: after.node, use: { direction: place.direction } };
  }
  yield* compareHolders(before, after, place, ['required']);
}

function* compareHolders(
  before: ParameterObject,
  after: ParameterObject,
  place: MessagePlace,
  weighed: readonly string[],
): Generator<Found> {
  yield* compareHeldSchemas(before.schema, after.schema, after.node, place);
  const { member, direction, field } = place;
  const use = { direction, field };
  const [content, contentNow] = [before, after].map(({ node }) => readContent(node.get('content')));
  yield* compareContent(content ?? [], contentNow ?? [], place);
  const [old, now] = [notationOf(before), notationOf(after)];
  for (const key of ['style', 'explode'] as const) {
    if (old[key] === now[key]) continue;
    const text = keywordText(key, member, old[key], now[key]);
    yield { weight: 'major', text, node: after.node.get(key) ?? after.node, use };
  }
  const others = ['schema', 'content', 'style', 'explode', ...weighed];
  yield* compareOtherMembers(before.node, after.node, `\`${member}\``, others, use);
}

/** Returns `style` and `explode` with their defaults (OpenAPI 3.1 §4.8.12.2). */
function notationOf({ node, in: location }: ParameterObject) {
  const usual = ['query', 'cookie'].includes(location) ? 'form' : 'simple';
  const style = node.get('style')?.text ?? usual;
  return { style, explode: node.get('explode')?.value ?? style === 'form' };
}

/** Compares bodies (Media Type Object, OpenAPI 3.1 §4.8.14). */
function* compareContent(
  before: readonly MediaTypeObject[],
  after: readonly MediaTypeObject[],
  place: MessagePlace,
): Generator<Found> {
  const byName = (content: readonly MediaTypeObject[]) =>
    new Map(content.map((each) => [withoutCharset(each.name), each]));
  const { member, direction, field } = place;
  const use = { direction, field };
  for (const { key: name, ...sides } of pairs(byName(before), byName(after))) {
    const { before: old, after: now } = sides;
    if (old && now) {
      yield* compareHeldSchemas(old.schema, now.schema, now.node, place);
      yield* compareOtherMembers(old.node, now.node, `\`${member}\``, ['schema'], use);
    } else if (old) {
      const text = `\`${member}\` can no longer be \`${name}\`.`;
      yield { weight: 'major', text, node: old.node, use };
    } else if (now) {
      const text = `\`${member}\` can now be \`${name}\`.`;
      yield { weight: 'minor', text, kind: 'addition', node: now.node, use };
    }
  }
}

/** Returns a media type without `charset=utf-8`, which is how texts are written anyway. */
function withoutCharset(mediaType: string): string {
  const name = mediaType.toLowerCase().replaceAll(/\s/g, '');
  return name.replace(/;charset="?utf-?8"?(?=;|$)/, '');
}

/** Compares two schemas of which either may be absent, which leaves open what the value is. */
function* compareHeldSchemas(
  before: SpecNode | undefined,
  after: SpecNode | undefined,
  holder: SpecNode,
  { path, field, ...place }: MessagePlace,
): Generator<Found> {
  if (before && after) {
    const lead = () => ({ path, field, isConditional: false });
    yield { before: [before], after: [after], place, lead };
  } else if (before || after) {
    const text = `\`${place.member}\` ${after ? 'now' : 'no longer'} has a schema.`;
    const use = { direction: place.direction, field };
    yield { weight: 'major', text, node: after ?? holder, use };
  }
}
