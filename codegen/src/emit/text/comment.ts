/** The first line of every generated file. */
export const header = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n';

/** A JSDoc comment of these lines. An empty line separates paragraphs. */
export function jsDoc(lines: readonly string[], indent = ''): string {
  const safe = lines.flatMap((line) => line.split('\n')).map(harmless);
  const [only = ''] = safe;
  if (safe.length === 1) return `${indent}/** ${only} */\n`;
  const body = safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`);
  return `${indent}/**\n${body.join('')}${indent} */\n`;
}

/** Keeps prose from ending the comment. */
function harmless(line: string): string {
  return line.trimEnd().replaceAll('*/', '*\\/');
}

/** The lines of prose from the spec, in which `@` does not start a tag. */
export function prose(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^(\s*)@/, '$1\\@'));
}

/** The width of the text in a method's comment. */
const width = 92;

/** Breaks a text at spaces into lines of at most 92 characters; a longer word is not broken. */
export function wrap(text: string, continuation = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = continuation + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
