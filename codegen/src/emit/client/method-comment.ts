import type { Operation, ParameterGroup } from '../../model/api-model.js';
import { isErrorStatus } from '../../openapi/message-objects.js';
import type { Target } from '../target.js';
import { jsDoc, prose, wrap } from '../text/comment.js';
import { exampleCall } from './example-call.js';

/** Returns the comment of a client method: the spec's prose, its errors and an example. */
export function methodComment(operation: Operation, { error, options }: Target): string {
  const { summary, description, pathParameters, body, query, headers, success } = operation;
  return jsDoc(
    [
      ...paragraph(summary && `${summary}.`),
      ...paragraph(description),
      ...wrap(requestLine(operation)),
      '',
      ...pathParameters.flatMap(({ variable, description: text }) =>
        tag(`@param ${variable}`, text),
      ),
      ...(body ? tag('@param body', body.description) : []),
      ...(query ? tag('@param query', describe(query)) : []),
      ...tag('@param options', `${options}${headers ? ` \`headers\`: ${describe(headers)}` : ''}`),
      ...tag('@returns', success.description),
      `@throws {${error}}`,
      ...errorLines(operation),
      ...(operation.isDeprecated ? wrap(deprecatedTag(operation), '  ') : []),
      '@example',
      '```ts',
      ...exampleCall(operation).split('\n'),
      '```',
    ],
    '  ',
  );
}

function paragraph(text: string): string[] {
  return text === '' ? [] : [...prose(text), ''];
}

function describe({ parameters }: ParameterGroup): string {
  return parameters
    .map(({ name, description }) => `\`${name}\`${description === '' ? '' : `: ${description}`}`)
    .join(' ');
}

/** Returns `getCustomer`: `GET /customers/{customerId}`, scope `customers:read`. */
function requestLine({ id, method, path, credentials }: Operation): string {
  const request = `\`${id}\`: \`${method.toUpperCase()} ${path}\``;
  const names = (credentials?.scopes ?? []).map((scope) => `, scope \`${scope}\``);
  return `${request}${names.join('')}.`;
}

function errorLines({ responses }: Operation): string[] {
  // Without any other, `default` is a success.
  const hasOther = responses.some(({ status }) => !isErrorStatus(status) && status !== 'default');
  const isError = (status: string) => isErrorStatus(status) || (hasOther && status === 'default');
  return responses
    .filter(({ status }) => isError(status))
    .flatMap(({ status, codes, contents }) => {
      const names = codes.map((code) => `\`${code}\``);
      const [content] = contents;
      const other =
        content?.type.kind === 'model' && content.type.name !== 'ErrorBody'
          ? [`\`${content.type.name}\``]
          : [];
      return wrap(`  ${status} ${[...names, ...other].join(', ')}`, '    ');
    });
}

function deprecatedTag({ deprecation }: Operation): string {
  const { since, sunset, replacedBy } = deprecation ?? {};
  const { resource, method } = replacedBy?.client ?? {};
  const parts = [
    ...(since ? [`Since ${since}.`] : []),
    ...(sunset ? [`From ${sunset} on it may be gone.`] : []),
    ...(replacedBy ? [`Call \`${resource}.${method}\` instead.`] : []),
  ];
  return ['@deprecated', ...parts].join(' ');
}

/** A tag without a text says nothing. */
function tag(name: string, text: string): string[] {
  if (text === '') return [];
  return wrap(`${name} ${text.replaceAll(/\s+/g, ' ')}`.trim(), '  ');
}
