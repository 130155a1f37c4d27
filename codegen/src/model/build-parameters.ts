import type { ParameterObject } from '../openapi/message-objects.js';
import { type OperationObject, templateParameters } from '../openapi/operation-object.js';
import type { Parameter, ParameterGroup, PathParameter } from './api-model.js';
import { type ModelContext, textAt } from './model-context.js';
import { identifier, pascalCase, reservedWords } from './names.js';
import { sampleOf } from './sample.js';
import type { TypeNames } from './type-names.js';

function buildParameter(parameter: ParameterObject): Parameter {
  const { node, name, isRequired, schema, examples } = parameter;
  const shown = examples.flatMap(({ value }) => (value ? [value.value] : []));
  return {
    name,
    description: textAt(node, 'description'),
    isRequired,
    style: styleOf(parameter),
    sample: schema ? sampleOf(schema, shown) : (shown[0] ?? name),
  };
}

function styleOf({ node, in: place }: ParameterObject): Parameter['style'] {
  const style = node.get('style')?.text ?? 'form';
  const explode = (node.get('explode')?.value ?? style === 'form') === true;
  return place !== 'query' || (style === 'form' && explode) ? undefined : { style, explode };
}

/** Returns the parameters of a path in the order of the path, not of their declarations. */
export function buildPathParameters(
  operation: OperationObject,
  { types }: ModelContext,
): PathParameter[] {
  // The names of the other parameters of the client's methods.
  const taken = new Set([...reservedWords, 'body', 'query', 'options']);
  return templateParameters(operation.path).flatMap((name) => {
    const parameter = operation.parameters.find((each) => each.name === name && each.in === 'path');
    if (!parameter) return [];
    let variable = identifier(name);
    while (taken.has(variable)) variable += '_';
    taken.add(variable);
    return [
      { ...buildParameter(parameter), variable, type: pathType(operation, parameter, types) },
    ];
  });
}

const scalars = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
} as const;

function pathType({ id = '' }: OperationObject, parameter: ParameterObject, types: TypeNames) {
  const { name } = parameter;
  const schema = parameter.schema?.follow();
  const type = schema?.get('type')?.text;
  if (type !== undefined && Object.hasOwn(scalars, type) && !schema?.get('enum')) {
    return { kind: scalars[type as keyof typeof scalars] };
  }
  return types.of(parameter.schema, {
    typeName: pascalCase(identifier(id)) + pascalCase(identifier(name)),
    description: `The parameter \`${name}\` of \`${id}\`.`,
    type: { keys: [id, 'parameters', 'path', name] },
  });
}

export function buildGroup(
  operation: OperationObject,
  place: 'query' | 'header',
  { types }: ModelContext,
): ParameterGroup | undefined {
  const parameters = operation.parameters.filter((each) => each.in === place).map(buildParameter);
  if (parameters.length === 0) return undefined;
  const { id = '' } = operation;
  const name = pascalCase(identifier(id));
  return {
    type: types.alias({
      typeName: `${name}${place === 'query' ? 'Query' : 'Headers'}`,
      description: `The ${place === 'query' ? 'query parameters' : 'headers'} of \`${id}\`.`,
      type: { keys: [id, 'parameters', place] },
    }),
    parameters,
    isOptional: parameters.every(({ isRequired }) => !isRequired),
  };
}
