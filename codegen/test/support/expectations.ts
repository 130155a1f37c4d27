/** Rules that pass on the words of a library. */
const quoting = ['yaml', 'openapi'];

/**
 * A finding as the corpus writes it: `line:column rule`, and behind it the message if it is ours.
 */
export function expectationOf(line: number, column: number, rule: string, message: string): string {
  return `${line}:${column} ${rule}${quoting.includes(rule) ? '' : ` ${message}`}`;
}

/**
 * The findings a specification states itself: `# expect: rule@column message` at the end of the
 * offending line, several with ` | ` between them.
 */
export function expectationsOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [, list] = /# expect: (.*)$/.exec(line) ?? [];
    return (list?.split(' | ') ?? []).map((finding) => {
      const [, rule = '', column, message = ''] = /^([a-z-]+)@(\d+) ?(.*)$/.exec(finding) ?? [];
      return expectationOf(index + 1, Number(column), rule, message);
    });
  });
}
