import type { Rule } from './rule.js';

/** A segment is a word in kebab-case or exactly one parameter: the router takes paths literally. */
const segment = /^([a-z0-9]+(-[a-z0-9]+)*|\{[^{}]+\})$/;

/** Paths have one form, and no two of them match the same requests. */
export const pathTemplate: Rule = {
  name: 'path-template',
  check({ paths }, report) {
    const seen = new Map<string, string>();
    for (const { node, template } of paths) {
      const segments = template.split('/').slice(1);
      if (!template.startsWith('/') || !segments.every((part) => segment.test(part))) {
        report(
          node.keyPosition,
          `${template} is not made of kebab-case words and whole parameters, without a slash at the end.`,
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
