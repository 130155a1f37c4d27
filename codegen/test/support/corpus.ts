import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface CorpusCase {
  readonly name: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('../specs/', import.meta.url));

/** The parts that several specs have in common, by name. */
const parts = new Map(
  readFileSync(`${root}parts.yaml`, 'utf8')
    .split(/^# part: /m)
    .map((part): [name: string, text: string] => {
      const [name = '', ...lines] = part.trimEnd().split('\n');
      return [name, lines.join('\n')];
    }),
);

/** Returns every file of a folder of `test/specs`. A new case is a new file. */
export function corpus(folder: 'valid' | 'invalid' | 'ordinary'): CorpusCase[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ name, text: withParts(readFileSync(`${root}${folder}/${name}`, 'utf8')) }));
}

/** Replaces each line `# include: <name>` by a part, which is indented as far as the line. */
function withParts(text: string): string {
  return text.replace(/^( *)# include: (.+)$/gm, (_line, indent: string, name: string) => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`There is no part ${name} in parts.yaml`);
    return withParts(part).replace(/^/gm, indent);
  });
}

export function validSpec(name: string): string {
  const found = corpus('valid').find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no spec ${name}`);
  return found.text;
}

export const things = validSpec('things.yaml');

/** Returns true for a rule whose messages come from a library. */
export function isQuoting(rule: string): boolean {
  return ['yaml', 'openapi'].includes(rule);
}

/** Returns `line:column rule`, and the message unless a library wrote it. */
export function expectationOf(line: number, column: number, rule: string, message: string): string {
  return `${line}:${column} ${rule}${isQuoting(rule) ? '' : ` ${message}`}`;
}

/**
 * Returns the findings that a spec of the corpus expects: `# expect: rule@column message` at the
 * end of the line, several of them separated by ` | `.
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
