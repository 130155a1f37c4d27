import { type Rule, ruleForEach } from './rule.js';

/** A kebab-case word or exactly one parameter. */
const word = /^([a-z0-9]+(-[a-z0-9]+)*|\{[^{}]+\})$/;

export const pathWords = ruleForEach(
  'path-words',
  (api) => api.paths,
  ({ node, template }, report) => {
    const segments = template.split('/').slice(1);
    if (!template.startsWith('/') || !segments.every((part) => word.test(part))) {
      report(
        node.keyPosition,
        `${template} must consist of kebab-case words and whole parameters, without a slash at the end.`,
      );
    }
  },
);

/** A path can be told from others, and its parameters from each other. */
export const pathTemplate: Rule = {
  name: 'path-template',
  check({ paths }, report) {
    const seen = new Map<string, string>();
    for (const { node, template } of paths) {
      if (template.includes('}{')) {
        report(node.keyPosition, `Parameters of ${template} have nothing between them.`);
      }
      if (/[?#]/.test(template)) {
        report(
          node.keyPosition,
          `${template} has a query or a fragment, which no path has; write a parameter.`,
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
