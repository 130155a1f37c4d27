import { isCamelCase, reservedWords } from '../model/names.js';
import { operationName, templateParameters } from '../openapi/operation-object.js';
import type { Rule } from './rule.js';

/** A kebab-case word or exactly one parameter, because the router takes paths literally. */
const segment = /^([a-z0-9]+(-[a-z0-9]+)*|\{[^{}]+\})$/;

/** All paths have the same form, and no two of them match the same requests. */
export const pathTemplate: Rule = {
  name: 'path-template',
  check({ paths }, report) {
    const seen = new Map<string, string>();
    for (const { node, template } of paths) {
      const segments = template.split('/').slice(1);
      if (!template.startsWith('/') || !segments.every((part) => segment.test(part))) {
        report(
          node.keyPosition,
          `${template} must consist of kebab-case words and whole parameters, without a slash at the end.`,
        );
      }
      const shape = template.replaceAll(/\{[^{}]*\}/g, '{}');
      const twin = seen.get(shape);
      if (twin !== undefined) {
        report(node.keyPosition, `${template} matches the same requests as ${twin}.`);
      }
      seen.set(shape, template);
    }
  },
};

/** The names of the other parameters of the client's methods. */
const taken = ['body', 'options'];

/** Every parameter is in the path, declared once, and named so that a function can have it. */
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
          report(
            node,
            `Parameter ${name} is not in the path, the only place that this interface allows.`,
          );
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
          report(node.get('name') ?? node, `${name} is not a valid parameter name in camelCase.`);
        }
      }
    }
  },
};
