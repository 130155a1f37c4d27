import type { ApiModel, Operation } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { jsDoc } from '../text/js-doc.js';
import { lineWidth } from '../text/literal.js';
import { pascalCase, quote } from '../text/names.js';
import { typeNames, typeText } from '../text/type-text.js';
import { clientFolder } from './client-folder.js';
import { methodComment } from './method-comment.js';

/** The client's methods, one class per resource. */
export const clientEmitter: Emitter = {
  folder: clientFolder,
  emit: (model) => new Map([['client.gen.ts', clientFile(model)]]),
};

function clientFile({ title, operations }: ApiModel): string {
  const resources = [...new Set(operations.map(({ client }) => client.resource))];
  const isPaginated = operations.some(({ success }) => success.record);
  return `${header}
import type {
${usedTypes(operations)
  .map((name) => `  ${name},\n`)
  .join('')}} from '@adx/contract';
import type { Caller, CallOptions } from '../core/call.js';
${isPaginated ? "import type { Page } from '../core/page.js';\n" : ''}
${jsDoc([`Every operation of the ${title}, by resource.`])}export class Client {
${resources.map((resource) => `  readonly ${resource}: ${pascalCase(resource)};\n`).join('')}
  constructor(caller: Caller) {
${resources.map((resource) => `    this.${resource} = new ${pascalCase(resource)}(caller);\n`).join('')}  }
}
${resources.map((resource) => resourceClass(resource, operations)).join('')}`;
}

function usedTypes(operations: readonly Operation[]): string[] {
  const types = operations.flatMap(({ body, success }) => [
    ...(body ? [body.type] : []),
    success.record ?? success.type,
  ]);
  return [...new Set(types.flatMap(typeNames))].sort();
}

function resourceClass(resource: string, operations: readonly Operation[]): string {
  const methods = operations.filter(({ client }) => client.resource === resource);
  return `
${jsDoc([`\`client.${resource}\``])}export class ${pascalCase(resource)} {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }
${methods.map((operation) => `\n${methodComment(operation)}${method(operation)}`).join('')}}
`;
}

function method(operation: Operation): string {
  const { client, success } = operation;
  const result = success.record
    ? `Page<${typeText(success.record)}>`
    : `Promise<${typeText(success.type)}>`;
  const signature = parenthesized(client.method, parameters(operation), `: ${result} {`, '  ');
  return `  ${signature}
    return this.#caller.${call(operation)};
  }
`;
}

/** `name(a, b)end`, on one line where it fits, else one argument per line. */
function parenthesized(name: string, args: readonly string[], end: string, indent: string): string {
  const line = `${name}(${args.join(', ')})${end}`;
  if (indent.length + line.length <= lineWidth) return line;
  return `${name}(\n${args.map((arg) => `${indent}  ${arg},\n`).join('')}${indent})${end}`;
}

/** Path parameters in the order of the path, then the body, then the options of the call. */
function parameters({ pathParameters, body }: Operation): string[] {
  return [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body ? [`body: ${typeText(body.type)}${body.isOptional ? ' = {}' : ''}`] : []),
    'options?: CallOptions',
  ];
}

function call(operation: Operation): string {
  const { id, method: verb, path, pathParameters, body, success } = operation;
  if (success.record) return `page(${quote(id)}, ${quote(path)}, body, options)`;
  const names = pathParameters.map(({ name }) => name);
  const init = [
    ...(names.length > 0 ? [`path: { ${names.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(operation.requiresIdToken ? [] : ['idToken: false']),
    ...(operation.isIdempotent ? ['idempotent: true'] : []),
    'options',
  ];
  const start = `call(${[id, verb, path].map(quote).join(', ')}, {`;
  const onOneLine = `${start} ${init.join(', ')} })`;
  const before = '    return this.#caller.'.length;
  if (before + onOneLine.length < lineWidth) return onOneLine;
  if (before + start.length <= lineWidth) {
    return `${start}\n${init.map((member) => `      ${member},\n`).join('')}    })`;
  }
  const args = [...[id, verb, path].map(quote), `{ ${init.join(', ')} }`];
  return `call(\n${args.map((arg) => `      ${arg},\n`).join('')}    )`;
}
