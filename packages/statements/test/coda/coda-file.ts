import {
  type CodaResult,
  type ReadCodaOptions,
  readCoda,
  type StatementDraft,
  writeCoda,
} from '../../src/index.js';

/** Reads all results of a file. */
export async function readAll(
  source: Parameters<typeof readCoda>[0],
  options?: ReadCodaOptions,
): Promise<CodaResult[]> {
  const results: CodaResult[] = [];
  for await (const result of readCoda(source, options)) results.push(result);
  return results;
}

/** Returns the codes of all findings, in file order. */
export function codesOf(results: readonly CodaResult[]): string[] {
  return results.flatMap(({ findings }) => findings.map(({ code }) => code));
}

/** Returns the written lines of statements, without line ends. */
export function linesOf(...statements: StatementDraft[]): string[] {
  return text(writeCoda(statements, { lineEnd: '\n', finalLineEnd: false })).split('\n');
}

/** Returns the bytes of these lines. */
export function fileOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${lines.join('\r\n')}\r\n`);
}

/** Decodes UTF-8. */
export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Changes the characters from a position on, in the first line that starts with `start`. */
export function changed(
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

/**
 * Returns a record with these fields, and `filler` in all other positions. A field is its first
 * position and its text (`6 BE71`), or a range that is filled with a character (`2-4 0`) or blank
 * (`17-24`). ` | ` separates fields; a later one overwrites an earlier one.
 */
export function recordOf(fields: string, filler: (index: number) => string = () => ' '): string {
  const characters = Array.from({ length: 128 }, (_, index) => filler(index));
  for (const field of fields.split(' | ')) {
    const [, from, to, text = ''] = /^(\d+)(?:-(\d+))? ?(.*)$/s.exec(field) ?? [];
    const length = Number(to) - Number(from) + 1;
    const content = to === undefined ? text : (text || ' ').repeat(length);
    characters.splice(Number(from) - 1, content.length, ...content);
  }
  return characters.join('');
}
