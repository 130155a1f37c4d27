import type { SpecNode } from '../../document/spec-document.js';
import type { ParameterObject, ResponseObject } from '../../openapi/message-objects.js';
import { type OperationObject, templateParameters } from '../../openapi/operation-object.js';
import type { Direction, Found, Weight } from './change.js';
import { compareContent, compareHolders, type MessagePlace } from './compare-content.js';
import {
  addition,
  breaking,
  compareNamed,
  compareOtherMembers,
  membersOf,
  pairs,
} from './compare-members.js';
import { weightOf } from './constraints.js';
import { componentName } from './references.js';
import { isSame } from './same.js';

export interface Operations {
  readonly before: OperationObject;
  readonly after: OperationObject;
  /** True for a webhook or callback: the caller gets the request, and sends the response. */
  readonly isReversed?: boolean;
}

/** Returns the direction of requests. */
function sentBy({ isReversed }: Operations): Direction {
  return isReversed ? 'response' : 'request';
}

/** Compares the parameters of an operation (Parameter Object, OpenAPI 3.1 §4.8.12). */
export function* compareParameters(both: Operations): Generator<Found> {
  const direction = sentBy(both);
  const parameters = pairs(parametersOf(both.before), parametersOf(both.after));
  for (const { before: old, after: now, either } of parameters) {
    const { node } = either;
    const member = `${either.in}.${either.name}`;
    const isCounted = ['query', 'header'].includes(either.in) && !both.isReversed;
    const path = isCounted ? member : undefined;
    const field = old && !old.isRequired ? path : undefined;
    const use = { direction, field };
    if (now === undefined) {
      yield breaking(`Parameter \`${member}\` is removed.`, node, use);
    } else if (old === undefined) {
      const text = `Parameter \`${member}\` is new${now.isRequired ? ' and required' : ''}.`;
      yield addition(text, node, { direction }, weightOfNew(now.isRequired, direction));
    } else {
      if (old.name !== now.name && now.in !== 'header') {
        const text = `Parameter \`${old.in}.${old.name}\` is renamed to \`${now.name}\`.`;
        yield breaking(text, node, use);
      }
      yield* compareRequired(old, now, `Parameter \`${member}\``, direction);
      const place = { direction, member, path, field };
      yield* compareHolders(old, now, place, ['name', 'required']);
    }
  }
}

function weightOfNew(isRequired: boolean, direction: Direction): Weight {
  return isRequired && direction === 'request' ? 'major' : 'minor';
}

interface Part {
  readonly node: SpecNode;
  readonly isRequired: boolean;
}

function* compareRequired(
  before: Part,
  { isRequired, node }: Part,
  subject: string,
  direction: Direction,
): Generator<Found> {
  if (before.isRequired === isRequired) return;
  const text = `${subject} is ${isRequired ? 'now' : 'no longer'} required.`;
  const weight = weightOf(isRequired ? 'fewer' : 'more', direction);
  yield { weight, text, node: node.get('required') ?? node, use: { direction } };
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
  const name = both.after.name;
  const direction = sentBy(both);
  const use = { direction };
  const body = `the body of \`${name}\``;
  if (old && now) {
    yield* compareRequired(old, now, `The body of \`${name}\``, direction);
    const isPushed = both.isReversed === true;
    const place = {
      direction,
      member: `${name} body`,
      path: isPushed ? undefined : 'body',
      isPushed,
    };
    yield* compareContent(old.content, now.content, place);
    yield* compareOtherMembers(old.node, now.node, body, ['required', 'content'], use);
  } else if (old) {
    yield breaking(`\`${name}\` no longer has a body.`, old.node, use);
  } else if (now) {
    const text = `\`${name}\` now has a ${now.isRequired ? 'required ' : ''}body.`;
    yield addition(text, now.node, use, weightOfNew(now.isRequired, direction));
  }
}

/** Compares the responses of an operation (Responses Object, OpenAPI 3.1 §4.8.16). */
export function* compareResponses(both: Operations): Generator<Found> {
  const { before, after, isReversed = false } = both;
  const name = after.name;
  const byStatus = ({ responses }: OperationObject) =>
    new Map(responses.map((response) => [response.status, response]));
  // Beside a status of success, `default` is the response to calls that failed.
  const isDefaultError = [before, after].every(({ responses }) =>
    responses.some(({ status }) => status.startsWith('2')),
  );
  for (const { key: status, either, ...sides } of pairs(byStatus(before), byStatus(after))) {
    const isError = /^[45]/.test(status) || (status === 'default' && isDefaultError);
    const direction = isReversed ? 'request' : isError ? 'error' : 'response';
    const ranges = [`${status[0]}XX`, ...(isError === isDefaultError ? ['default'] : [])];
    const rangeIn = ({ responses }: OperationObject) =>
      ranges.flatMap((range) => responses.find((each) => each.status === range) ?? [])[0];
    const [old, now] = [sides.before ?? rangeIn(before), sides.after ?? rangeIn(after)];
    const member = `${name} ${status}`;
    if (sides.before && sides.after) {
      const shared = componentName(sides.after.node);
      const isShared = shared !== undefined && shared === componentName(sides.before.node);
      yield* compareResponse(sides.before, sides.after, {
        direction,
        member: isShared ? shared : member,
      });
      continue;
    }
    const use = { direction } as const;
    if (sides.before) {
      const isHarmless = now !== undefined || isNarrowed(status, after) || (isError && !isReversed);
      const text = `Response \`${status}\` is removed.`;
      yield { weight: isHarmless ? 'patch' : 'major', text, node: sides.before.use, use };
    } else {
      const isHarmless = old !== undefined || isError || isReversed;
      const text = `Response \`${status}\` is new.`;
      yield addition(text, either.use, use, isHarmless ? 'minor' : 'major');
    }
    // A response of its own is another way to describe the one of its range.
    if (old && now) yield* compareMessages(old, now, { direction, member });
  }
}

/** Returns true if a range of statuses, which responses may have, is told apart from now on. */
function isNarrowed(status: string, { responses }: OperationObject): boolean {
  return status.endsWith('XX') && responses.some((each) => each.status[0] === status[0]);
}

function* compareResponse(
  before: ResponseObject,
  after: ResponseObject,
  place: MessagePlace,
): Generator<Found> {
  // Most responses are unchanged, and many operations share them.
  if (isSame(before.node, after.node)) return;
  yield* compareMessages(before, after, place);
  const use = { direction: place.direction };
  const subject = `\`${place.member}\``;
  const weighed = ['headers', 'content', 'links'];
  yield* compareOtherMembers(before.node, after.node, subject, weighed, use);
  const [links, linksNow] = [
    membersOf(before.node.get('links')),
    membersOf(after.node.get('links')),
  ];
  const nameOf = (name: string) => `The link \`${name}\` of ${subject}`;
  yield* compareNamed(links, linksNow, nameOf, undefined, use);
}

/** Compares headers and content. */
function* compareMessages(
  before: ResponseObject,
  after: ResponseObject,
  place: MessagePlace,
): Generator<Found> {
  const { direction, member } = place;
  const use = { direction };
  for (const { before: old, after: now, either } of pairs(headersOf(before), headersOf(after))) {
    const { name, header, use: node } = either;
    if (old && now) {
      yield* compareRequired(old.header, header, `\`header ${name}\``, direction);
      yield* compareHolders(old.header, header, { ...place, member: `header ${name}` }, [
        'required',
      ]);
    } else if (old) {
      yield breaking(`Header \`${name}\` is removed from \`${member}\`.`, node, use);
    } else {
      const text = `\`${member}\` has the new header \`${name}\`.`;
      yield addition(text, node, use, weightOfNew(header.isRequired, direction));
    }
  }
  yield* compareContent(before.content, after.content, place);
}

/** Returns headers by name in any case. OpenAPI ignores `Content-Type` (3.1 §4.8.17). */
function headersOf({ headers, node }: ResponseObject) {
  const named = [...headers].map(([name, header]) => {
    const use = node.at('headers', name) ?? node;
    return [name.toLowerCase(), { name, header, use }] as const;
  });
  return new Map(named.filter(([key]) => key !== 'content-type'));
}
