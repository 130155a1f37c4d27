import type { ApiModel, Operation, RequestBody } from '../../model/api-model.js';
import { className } from '../../model/names.js';
import { contractImport, type Target } from '../target.js';
import { header, jsDoc } from '../text/comment.js';
import { contentType, contractType, quote } from '../text/typescript.js';
import { methodComment } from './method-comment.js';

export function clientFile({ title, operations }: ApiModel, target: Target): string {
  const resources = [...new Set(operations.map(({ client }) => client.resource))];
  const classes = resources.map((resource) => resourceClass(resource, operations, target)).join('');
  const isSingle = operations.some(({ success }) => !success.record);
  const names = ['Caller', ...(operations.length > 0 ? ['CallOptions'] : [])];
  if (isSingle && target.promise !== 'Promise') names.unshift(target.promise);
  const core = [
    `import type { ${names.join(', ')} } from ${quote(target.caller)};`,
    ...(operations.some(({ success }) => success.record)
      ? ["import type { Page } from '../core/page.js';"]
      : []),
  ];
  return `${header}
${contractImport(classes, target)}${core.join('\n')}

${jsDoc([`Every operation of the ${title}, by resource.`])}export class Client {
${resources.map((resource) => `  declare readonly ${resource}: ${className(resource)};\n`).join('')}
  constructor(${operations.length > 0 ? '' : '_'}caller: Caller) {
${resources.map((resource) => `    this.${resource} = new ${className(resource)}(caller);\n`).join('')}  }
}
${classes}`;
}

function resourceClass(resource: string, operations: readonly Operation[], target: Target): string {
  const methods = operations.filter(({ client }) => client.resource === resource);
  return `
${jsDoc([`\`client.${resource}\``])}export class ${className(resource)} {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }
${methods.map((operation) => `\n${methodComment(operation, target)}${method(operation, target)}`).join('')}}
`;
}

function method(operation: Operation, { promise }: Target): string {
  const { client, success } = operation;
  const result = success.record
    ? `Page<${contractType(success.record)}>`
    : `${promise}<${contractType(success.type)}>`;
  const signature = `${client.method}(${parameters(operation).join(', ')}): ${result}`;
  return `  ${signature} {\n    return this.#caller.${call(operation)};\n  }\n`;
}

/** Returns path parameters in the order of the path, body, query, and the options of the call. */
function parameters({ pathParameters, body, query, headers }: Operation): string[] {
  const needsHeaders = headers?.isOptional === false;
  // A parameter with a default is followed by others that can be left out only.
  const needsQuery = query?.isOptional === false || needsHeaders;
  return [
    ...pathParameters.map(({ variable, type }) => `${variable}: ${contractType(type)}`),
    ...(body ? [bodyParameter(body, needsQuery || needsHeaders)] : []),
    ...(query ? [`query: ${contractType(query.type)}${needsQuery ? '' : ' = {}'}`] : []),
    headers
      ? `options${needsHeaders ? '' : '?'}: CallOptions & { headers${headers.isOptional ? '?' : ''}: ${contractType(headers.type)} }`
      : 'options?: CallOptions',
  ];
}

function bodyParameter({ contents, isRequired, isOptional }: RequestBody, isFollowed: boolean) {
  const [content] = contents;
  const type = contentType(content, 'Blob') + (content.files === undefined ? '' : ' | FormData');
  if (!isRequired)
    return `body${isFollowed ? '' : '?'}: ${type}${isFollowed ? ' | undefined' : ''}`;
  return `body: ${type}${isOptional && !isFollowed ? ' = {}' : ''}`;
}

function call(operation: Operation): string {
  const { name, method: verb, body, query, headers, success, credentials, fileName } = operation;
  const parameterInit = [
    ...(query ? ['query'] : []),
    ...(headers ? ['headers: options?.headers'] : []),
    // `RegExp` escapes slashes and line ends of the pattern when it is converted to text.
    ...(fileName === undefined ? [] : [`fileName: ${new RegExp(fileName, 'u')}`]),
  ];
  if (success.record) {
    const args = [quote(name), pathParts(operation), 'body', 'options'];
    if (parameterInit.length > 0) args.push(`{ ${parameterInit.join(', ')} }`);
    return `page(${args.join(', ')})`;
  }
  const args = [quote(name), quote(verb), pathParts(operation), 'options'];
  const init = [
    ...(body ? ['body'] : []),
    ...parameterInit,
    // All other HTTP methods are idempotent by themselves.
    ...(operation.isIdempotent && verb === 'post' ? ['idempotent: true'] : []),
    ...(operation.takesIdempotencyKey ? ['idempotencyKey: true'] : []),
    ...(credentials?.requiresIdToken === false ? ['idToken: false'] : []),
  ];
  if (init.length > 0) args.push(`{ ${init.join(', ')} }`);
  return `call(${args.join(', ')})`;
}

/** Returns `/customers/{customerId}` as texts and parameters: `['/customers/', { customerId }]`. */
function pathParts({ path, pathParameters }: Operation): string {
  const parts = path
    .split(/[{}]/)
    .map((part, index) =>
      index % 2 === 0 ? quote(part) : `{ ${pathParameters[(index - 1) / 2]?.variable ?? part} }`,
    );
  return `[${parts.filter((part) => part !== "''").join(', ')}]`;
}
