import type { Operation } from '../../model/api-model.js';
import { jsDoc, prose, wrap } from '../text/comment.js';
import { exampleCall } from './example-call.js';

/** The comment of a client method: the spec's prose, its errors and an example. */
export function methodComment(operation: Operation): string {
  const { summary, description, pathParameters, body, success } = operation;
  return jsDoc(
    [
      ...prose(`${summary}.`),
      '',
      ...prose(description),
      '',
      ...wrap(requestLine(operation)),
      '',
      ...pathParameters.flatMap(({ name, description: text }) => tag(`@param ${name}`, text)),
      ...(body ? tag('@param body', body.description) : []),
      ...tag('@param options', 'Can cancel the call or limit its time.'),
      ...tag('@returns', success.description),
      '@throws {ApiError}',
      ...errorLines(operation),
      ...(operation.isDeprecated ? ['@deprecated'] : []),
      '@example',
      '```ts',
      ...exampleCall(operation).split('\n'),
      '```',
    ],
    '  ',
  );
}

/** `GET /customers/{customerId}`, scope `customers:read`. */
function requestLine({ method, path, scopes }: Operation): string {
  const request = `\`${method.toUpperCase()} ${path}\``;
  const names = scopes.map((scope) => `, scope \`${scope}\``);
  return `${request}${names.join('')}.`;
}

/** One line per status: 409 `customerExists`. */
function errorLines({ errors }: Operation): string[] {
  return errors.flatMap(({ status, codes, schema }) => {
    const names = codes.map((code) => `\`${code}\``);
    const reasons = schema === 'TokenFailure' ? ["the identity provider's reason"] : [];
    return wrap(`  ${status} ${[...names, ...reasons].join(', ')}`, '    ');
  });
}

function tag(name: string, text: string): string[] {
  return wrap(`${name} ${text.replaceAll(/\s+/g, ' ')}`.trim(), '  ');
}
