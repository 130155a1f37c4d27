import { type StatementDraft, writeCoda } from '@adx/statements';

/** Returns the written lines of statements, without line ends. */
export function linesOf(...statements: readonly StatementDraft[]): string[] {
  const bytes = writeCoda(statements, { lineEnd: '\n', finalLineEnd: false });
  return new TextDecoder().decode(bytes).split('\n');
}

/** Replaces characters from a position on, from 1, in the first line that starts with a text. */
export function replaced(
  lines: readonly string[],
  start: string,
  position: number,
  characters: string,
): string[] {
  const index = lines.findIndex((line) => line.startsWith(start));
  const line = lines[index];
  if (line === undefined) throw new Error(`No record starts with ${start}`);
  const before = line.slice(0, position - 1);
  return lines.with(index, before + characters + line.slice(before.length + characters.length));
}

/** Replaces the digit at a position with the next one. */
export function counted(lines: readonly string[], start: string, position: number): string[] {
  const line = lines.find((each) => each.startsWith(start)) ?? '';
  const digit = (Number(line[position - 1]) + 1) % 10;
  return replaced(lines, start, position, String(digit));
}
