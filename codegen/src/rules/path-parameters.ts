import { operationName } from '../openapi/operation-object.js';
import { templateParameters } from '../openapi/paths-object.js';
import { reservedWords } from '../reserved-names.js';
import { isCamelCase } from './names.js';
import type { Rule } from './rule.js';

/** Names the client's methods give to their other parameters. */
const taken = ['body', 'options'];

/** Every parameter stands in the path, is declared there once, and can name a function's parameter. */
export const pathParameters: Rule = {
  name: 'path-parameters',
  check({ operations }, report) {
    for (const operation of operations) {
      const inTemplate = templateParameters(operation.path);
      const declared = operation.parameters.map(({ name }) => name);
      for (const name of inTemplate) {
        if (!declared.includes(name)) {
          report(operation.node, `${operationName(operation)} does not declare {${name}}.`);
        }
      }
      for (const [index, parameter] of operation.parameters.entries()) {
        const { node, name } = parameter;
        if (parameter.in !== 'path') {
          report(node, `Parameter ${name} is not in the path: this interface has no other ones.`);
          continue;
        }
        if (!inTemplate.includes(name)) {
          report(operation.node, `${operation.path} has no {${name}}, which is declared.`);
        }
        if (declared.indexOf(name) !== index) {
          report(operation.node, `${operationName(operation)} declares {${name}} twice.`);
        }
        if (!node.get('description')?.text?.trim()) {
          report(node, `Parameter ${name} has no description.`);
        }
        if (!isCamelCase(name) || reservedWords.has(name) || taken.includes(name)) {
          report(
            node.get('name') ?? node,
            `${name} cannot name a function's parameter in camelCase.`,
          );
        }
      }
    }
  },
};
