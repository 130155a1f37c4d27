/**
 * A paragraph in lines of at most `width` characters, each after the first begun with `indent`. A
 * word that is longer has a line of its own.
 */
export function wrapText(paragraph: string, width: number, indent = ''): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(lines.length === 0 ? word : `${indent}${word}`);
    }
  }
  return lines.join('\n');
}
