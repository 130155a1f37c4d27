import type { Operation, Success, TypeReference } from '../../model/api-model.js';
import { reservedWords } from '../../rules/names.js';
import { literal } from '../text/literal.js';
import { camelCase, quote } from '../text/names.js';

/** How to call an operation with `client`, with the sample values of the specification. */
export function exampleCall({ client, pathParameters, body, success }: Operation): string {
  const values = [
    ...pathParameters.map(({ sample }) => quote(sample)),
    ...(body ? [literal(body.sample)] : []),
  ];
  const call = `client.${client.resource}.${client.method}(${values.join(', ')})`;
  if (success.record) {
    const record = variableName(success.record);
    return `for await (const ${record} of ${call}) {\n  console.log(${record});\n}`;
  }
  return `const ${resultName(success)} = await ${call};`;
}

/** The variable in which an example keeps the answer of a call that is not paginated. */
export function resultName({ type }: Success): string {
  return variableName(type);
}

/** `customer` for a `Customer`, `customers` for several. */
function variableName(type: TypeReference): string {
  if (type.kind === 'array') return `${variableName(type.items)}s`;
  if (type.kind !== 'model') return 'answer';
  const name = camelCase(type.name);
  return reservedWords.has(name) || name === 'client' ? 'answer' : name;
}
