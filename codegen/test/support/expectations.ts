/** A finding a specification of the corpus expects, as `line:column rule`. */
export type Expectation = string;

/**
 * The findings a specification states itself: `# expect: rule@column` at the end of the offending
 * line, several with spaces between them.
 */
export function expectationsOf(text: string): Expectation[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [, list = ''] = /# expect: (.*)$/.exec(line) ?? [];
    return [...list.matchAll(/([a-z-]+)@(\d+)/g)].map(
      ([, rule, column]) => `${index + 1}:${column} ${rule}`,
    );
  });
}
