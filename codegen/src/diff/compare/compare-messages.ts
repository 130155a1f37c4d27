import type { SpecNode } from '../../document/spec-document.js';
import type {
  MediaTypeObject,
  ParameterObject,
  ResponseObject,
} from '../../openapi/message-objects.js';
import {
  type OperationObject,
  operationName,
  templateParameters,
} from '../../openapi/operation-object.js';
import type { PartChange } from './change.js';
import type { SchemaPlace } from './compare-keywords.js';
import { compareOtherMembers, keywordText, pairs } from './compare-members.js';
import { compareSchemas } from './compare-schemas.js';
import { componentName, isSameText } from './resolve.js';

export interface Operations {
  readonly before: OperationObject;
  readonly after: OperationObject;
}

const ofRequest = { direction: 'request' } as const;

/** Compares the parameters of an operation (Parameter Object, OpenAPI 3.1 §4.8.12). */
export function* compareParameters({ before, after }: Operations): Generator<PartChange> {
  for (const { before: old, after: now } of pairs(parametersOf(before), parametersOf(after))) {
    const parameter = now ?? old;
    if (parameter === undefined) continue;
    const member = `${parameter.in}.${parameter.name}`;
    const path = ['query', 'header'].includes(parameter.in) ? member : undefined;
    const use = { ...ofRequest, field: old && !old.isRequired ? path : undefined };
    const { node } = parameter;
    if (now === undefined) {
      yield { weight: 'major', node, use, text: `Parameter \`${member}\` is removed.` };
    } else if (old === undefined) {
      const isBreaking = now.isRequired;
      const text = `Parameter \`${member}\` is new${isBreaking ? ' and required' : ''}.`;
      const weight = isBreaking ? 'major' : 'minor';
      yield { weight, text, kind: 'addition', node, use: ofRequest };
    } else {
      if (old.name !== now.name && now.in !== 'header') {
        const text = `Parameter \`${old.in}.${old.name}\` is renamed to \`${now.name}\`.`;
        yield { weight: 'major', text, node, use };
      }
      if (old.isRequired !== now.isRequired) {
        const text = `Parameter \`${member}\` is ${now.isRequired ? 'now' : 'no longer'} required.`;
        const weight = now.isRequired ? 'major' : 'minor';
        yield { weight, text, node, use: ofRequest };
      }
      yield* compareHolders(old, now, { ...use, member, path }, ['name', 'in', 'required']);
    }
  }
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
export function* compareRequestBodies({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before.requestBody, after.requestBody];
  const name = operationName(after);
  const use = ofRequest;
  if (old && now) {
    if (old.isRequired !== now.isRequired) {
      const text = `The body of \`${name}\` is ${now.isRequired ? 'now' : 'no longer'} required.`;
      const weight = now.isRequired ? 'major' : 'minor';
      yield { weight, text, node: now.node.get('required') ?? now.node, use };
    }
    const place = { ...ofRequest, member: `${name} body`, path: 'body' };
    yield* compareContent(old.content, now.content, place);
    const weighed = ['required', 'content'];
    yield* compareOtherMembers(old.node, now.node, `the body of \`${name}\``, weighed, use);
  } else if (old) {
    yield { weight: 'major', text: `\`${name}\` no longer has a body.`, node: old.node, use };
  } else if (now) {
    const text = `\`${name}\` now has a ${now.isRequired ? 'required ' : ''}body.`;
    const weight = now.isRequired ? 'major' : 'minor';
    yield { weight, text, kind: 'addition', node: now.node, use };
  }
}

/** Compares the responses of an operation (Responses Object, OpenAPI 3.1 §4.8.16). */
export function* compareResponses({ before, after }: Operations): Generator<PartChange> {
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
    const direction = isError ? 'error' : 'response';
    const use = { direction } as const;
    if (old && now) {
      const shared = componentName(now.node);
      const isShared = shared !== undefined && shared === componentName(old.node);
      const member = isShared ? shared : `${name} ${status}`;
      yield* compareResponse(old, now, { direction, member });
    } else if (old) {
      const weight = isError ? 'patch' : 'major';
      const text = `\`${name}\` no longer returns ${status}.`;
      yield { weight, text, node: old.use, use };
    } else if (now) {
      const weight = isError ? 'minor' : 'major';
      const text = `\`${name}\` can now return ${status}.`;
      yield { weight, text, kind: 'addition', node: now.use, use };
    }
  }
}

function* compareResponse(
  before: ResponseObject,
  after: ResponseObject,
  place: SchemaPlace,
): Generator<PartChange> {
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
      yield { weight: 'minor', text, kind: 'addition', node: placeOf(after, now.key), use };
    }
  }
  yield* compareContent(before.content, after.content, place);
  yield* compareOtherMembers(before.node, after.node, `\`${member}\``, ['headers', 'content'], use);
}

function placeOf({ node }: ResponseObject, header: string): SpecNode {
  return node.at('headers', header) ?? node;
}

function* compareHeader(
  before: ParameterObject,
  after: ParameterObject,
  place: SchemaPlace,
): Generator<PartChange> {
  if (before.isRequired !== after.isRequired) {
    const text = `\`${place.member}\` is ${after.isRequired ? 'now' : 'no longer'} required.`;
    const use = { direction: place.direction };
    yield { weight: after.isRequired ? 'patch' : 'major', text, node: after.node, use };
  }
  yield* compareHolders(before, after, place, ['required']);
}

function* compareHolders(
  before: ParameterObject,
  after: ParameterObject,
  place: SchemaPlace,
  weighed: readonly string[],
): Generator<PartChange> {
  yield* compareHeldSchemas(before.schema, after.schema, after.node, place);
  const { member, direction, field } = place;
  const use = { direction, field };
  const [old, now] = [notationOf(before), notationOf(after)];
  for (const key of ['style', 'explode'] as const) {
    if (old[key] === now[key]) continue;
    const text = keywordText(key, member, old[key], now[key]);
    yield { weight: 'major', text, node: after.node.get(key) ?? after.node, use };
  }
  const others = ['schema', 'style', 'explode', ...weighed];
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
  place: SchemaPlace,
): Generator<PartChange> {
  const byName = (content: readonly MediaTypeObject[]) =>
    new Map(content.map((each) => [each.name.toLowerCase(), each]));
  const { member, direction } = place;
  for (const { key: name, ...sides } of pairs(byName(before), byName(after))) {
    const { before: old, after: now } = sides;
    const use = { direction };
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

/** Compares two schemas of which either may be absent, which leaves open what the value is. */
function* compareHeldSchemas(
  before: SpecNode | undefined,
  after: SpecNode | undefined,
  holder: SpecNode,
  place: SchemaPlace,
): Generator<PartChange> {
  if (before && after) yield* compareSchemas(before, after, place);
  else if (before || after) {
    const text = `\`${place.member}\` ${after ? 'now' : 'no longer'} has a schema.`;
    const use = { direction: place.direction, field: place.field };
    yield { weight: 'major', text, node: after ?? holder, use };
  }
}
