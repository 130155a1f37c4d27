import { orMeant } from '../document/closest.js';
import { isCamelCase, reservedMembers } from '../model/names.js';
import type { ParameterObject } from '../openapi/message-objects.js';
import { type OpenApiObject, parametersOf } from '../openapi/openapi-object.js';
import { type OperationObject, templateParameters } from '../openapi/operation-object.js';
import {
  itemsOf,
  membersOf,
  mistakeInForms,
  propertiesOf,
  shapeOf,
} from '../openapi/schema-object.js';
import { type Report, type Rule, ruleForEach } from './rule.js';

/** The styles that generated code writes and reads (OpenAPI 3.1 §4.8.12). */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
};

/** RFC 9110 §5.6.2 */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Parameters are declared once, and in a form that generated code can write and read. */
export const parameters: Rule = {
  name: 'parameters',
  check(api, report) {
    for (const parameter of parametersOf(api)) checkForm(parameter, report);
    for (const operation of api.operations) checkDeclarations(operation, report);
    for (const { name, place } of headersOfResponses(api)) {
      if (!token.test(name)) report(place, `${name} cannot be the name of a header.`);
    }
  },
};

function headersOfResponses({ operations }: OpenApiObject) {
  return operations
    .flatMap(({ responses }) => responses)
    .flatMap(({ node, headers }) =>
      [...headers.keys()].map((name) => ({ name, place: node.at('headers', name) ?? node })),
    );
}

function checkForm(parameter: ParameterObject, report: Report): void {
  const { node, name, in: place, schema } = parameter;
  const content = node.get('content');
  if (content)
    report(content.keyPosition, 'A parameter with content is not supported; write its schema.');
  // A header of a response has no place.
  if (place === '') return;
  // The published schema of OpenAPI does not require it.
  if (name === '') {
    report(node, 'This parameter has no name.');
    return;
  }
  const allowed = styles[place];
  if (!allowed) {
    report(
      node,
      `Parameter ${name} is in the ${place}, which is not supported; write a header or a parameter of the query.`,
    );
    return;
  }
  const style = node.get('style');
  if (style?.text !== undefined && !allowed.includes(style.text)) {
    report(style, `The style ${style.text} of ${name} is not supported.`);
  }
  const shape = schema && shapeOf(schema);
  if (place === 'path' && shape !== undefined) {
    report(
      node,
      `Parameter ${name} of the path is a list or an object, which is not supported; write one for each value.`,
    );
  }
  if (place === 'header' && shape === 'object' && node.get('explode')?.value === true) {
    report(
      node,
      `Header ${name} is an exploded object, which is not supported; leave explode out.`,
    );
  }
  const mistake = schema && mistakeInForms(schema);
  if (mistake) report(node, `Parameter ${name} ${mistake}`);
  checkMembers(parameter, report);
  if (reservedMembers.has(name)) {
    report(node, `Parameter ${name} has a special meaning in JavaScript.`);
  }
  if (place === 'header' && !token.test(name)) {
    report(node, `${name} cannot be the name of a header.`);
  }
}

/** The members of lists and objects are written as texts. */
function checkMembers({ node, name, schema }: ParameterObject, report: Report): void {
  if (!schema) return;
  const items = itemsOf(schema).map(shapeOf);
  const members = membersOf(schema).map(shapeOf);
  const style = node.get('style')?.text ?? 'form';
  const isOneText = style !== 'deepObject' && node.get('explode')?.value === false;
  const problems = [
    items.some((shape) => shape !== undefined) && 'lists or objects in a list',
    members.includes('object') && 'objects in an object',
    isOneText && members.includes('list') && 'lists in an object that is not exploded',
  ];
  for (const problem of problems) {
    if (problem)
      report(
        node,
        `Parameter ${name} has ${problem}, which is not supported; write a text that holds JSON.`,
      );
  }
}

function checkDeclarations(operation: OperationObject, report: Report): void {
  const inTemplate = templateParameters(operation.path);
  // A parameter without a place is reported as such.
  const inPath = operation.parameters.filter((each) => each.in === 'path' || each.in === '');
  const missing = inTemplate.filter((name) => !inPath.some((each) => each.name === name));
  const extra = inPath.filter((each) => each.in === 'path' && !inTemplate.includes(each.name));
  const [onlyMissing] = missing;
  const isRenamed = extra.length === 1 && missing.length === 1;
  for (const { node, name } of extra) {
    const end = isRenamed ? `; did you mean {${onlyMissing}}?` : orMeant(name, missing);
    // Other paths may have the parameter of a component.
    const isOwn = node.path[0] === 'paths';
    const { keyPosition } = operation.node.document.find(operation.node.path.slice(0, -1)) ?? node;
    const place = isOwn ? (node.get('name') ?? node) : keyPosition;
    report(place, `${operation.path} has no {${name}}, which is declared${end}`);
  }
  for (const name of isRenamed ? [] : missing) {
    report(operation.node, `${operation.name} does not declare {${name}}.`);
  }
  const seen = new Set<string>();
  for (const [place, name] of operation.parameters.flatMap(namesOf)) {
    const shown = place === 'path' ? `{${name}}` : name;
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    if (seen.has(key)) report(operation.node, `${operation.name} declares ${shown} twice.`);
    seen.add(key);
  }
}

/** Returns the names that a parameter has in a request: those of its members if it is exploded. */
function namesOf({
  in: place,
  name,
  node,
  schema,
}: ParameterObject): (readonly [string, string])[] {
  const isForm = (node.get('style')?.text ?? 'form') === 'form';
  const isExploded = place === 'query' && isForm && node.get('explode')?.value !== false;
  const members = schema && isExploded ? propertiesOf(schema).map(({ key }) => key) : [];
  return [...new Set(members.length > 0 ? members : [name])].map((each) => [place, each]);
}

/** Parameters have a description for the documentation, and those of the URL are in camelCase. */
export const parameterProse = ruleForEach(
  'parameter-prose',
  parametersOf,
  ({ node, name, in: place }, report) => {
    if (place === '') return;
    if (!node.get('description')?.text?.trim()) {
      report(node, `Parameter ${name} has no description.`);
    }
    if (place !== 'header' && !isCamelCase(name)) {
      report(node.get('name') ?? node, `Parameter ${name} is not in camelCase.`);
    }
  },
);

const scalars = ['string', 'integer', 'number', 'boolean'];

/** Parameters that every tool writes the same way: values, and lists in the query, as `a=1&a=2`. */
export const parameterForm = ruleForEach(
  'parameter-form',
  parametersOf,
  ({ node, name, in: place, schema }, report) => {
    if (!schema || !['query', 'header'].includes(place)) return;
    const isQuery = place === 'query';
    const value = schema.follow();
    const isList = isQuery && value.get('type')?.text === 'array';
    const type = (isList ? value.get('items')?.follow() : value)?.get('type')?.text ?? '';
    if (!scalars.includes(type)) {
      const what = isQuery ? 'neither a single value nor a list of them' : 'not a single value';
      report(schema, `${name} is ${what}.`);
    }
    const style = node.get('style') ?? node.get('explode') ?? node.get('allowEmptyValue');
    if (style) report(style.keyPosition, `${name} is not written in the default style.`);
  },
);
