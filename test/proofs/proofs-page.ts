/** The results of a file of proofs. */
export interface ProofRun {
  /** The file, relative to the repository. */
  readonly file: string;
  readonly startedAt: Date;
  readonly minutes: number;
  /** Such as `Node 20.20.2, 2 cores`; it is written only if the introduction has another. */
  readonly machine: string;
  /** The load of the minute before. */
  readonly load: number;
  readonly tests: readonly ProofOutcome[];
}

interface ProofOutcome {
  readonly title: string;
  readonly state: string;
  /** The results that it printed. */
  readonly results: readonly string[];
}

/**
 * Returns the page of the proofs with the section of a run in place of the former one of its file,
 * and with the sum of their hours.
 *
 * @param exists - returns false for a file that is gone, whose section is removed
 */
export function withRun(page: string, run: ProofRun, exists: (file: string) => boolean): string {
  const [introduction = '', ...before] = page.split(/^(?=### )/m);
  const sections = new Map(before.map((section) => [fileOf(section), section]));
  sections.set(run.file, describe(run, introduction.includes(run.machine)));
  const kept = [...sections]
    .filter(([file]) => exists(file))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = [introduction, ...kept.map(([, section]) => section)];
  const text = all.map((part) => part.trim()).join('\n\n');
  return `${text.replace(hours, hoursOf(text).toFixed(1))}\n`;
}

/** The place of the introduction that says how long all runs took. */
const hours = /(?<=\bThey took )[\d.]+(?= hours\b)/;

/** Returns how long the runs of a page took together. */
function hoursOf(page: string): number {
  const minutes = [...page.matchAll(/(?<=^\d{4}-\d\d-\d\d, )[\d.]+(?= minutes;)/gm)];
  return minutes.reduce((sum, [each]) => sum + Number(each) / 60, 0);
}

/** Returns the files that have a section, in the order of the page. */
export function filesIn(page: string): string[] {
  return page
    .split(/^(?=### )/m)
    .slice(1)
    .map(fileOf);
}

function fileOf(section: string): string {
  return /^### `(.*)`/.exec(section)?.[1] ?? '';
}

function describe(run: ProofRun, isUsualMachine: boolean): string {
  const { file, startedAt, minutes, machine, load, tests } = run;
  const lines = tests.map(({ title, state, results }) =>
    [`- ${state === 'passed' ? '' : `**${state}:** `}${title}`]
      .concat(results.map((result) => `  - ${result}`))
      .join('\n'),
  );
  const day = startedAt.toISOString().slice(0, 10);
  const list = foldTitles(lines.join('\n'));
  const how = [...(isUsualMachine ? [] : [machine]), `load ${load.toFixed(1)}`].join(', ');
  return `### \`${file}\`\n\n${day}, ${minutes.toFixed(1)} minutes; ${how}.\n\n${list}`;
}

/** The fewest titles that are folded. */
const fewest = 3;
/** The most differences that are listed. */
const longestList = 25;

interface Item {
  readonly words: readonly string[];
  readonly results: readonly string[];
}

/**
 * Folds titles in a list of Markdown that follow on each other and differ in one place: the title
 * has `…` in this place, and below it what stands there. Of titles with results, only those that
 * differ in a number are folded: the seed, which their results name. Results that differ in numbers
 * are one, with the least and the greatest of them.
 */
export function foldTitles(list: string): string {
  const items = list.split(/\n(?=- )/).map((item): Item => {
    const [title = '', ...results] = item.split('\n');
    return { words: title.split(' '), results };
  });
  const lines: string[] = [];
  for (let start = 0; start < items.length; ) {
    let end = start + 1;
    while (end < items.length && fold(items.slice(start, end + 1)) !== undefined) end += 1;
    const folded = end - start < fewest ? undefined : fold(items.slice(start, end));
    if (folded === undefined) end = start + 1;
    const [{ words, results } = { words: [], results: [] }] = items.slice(start);
    lines.push(...(folded ?? [words.join(' '), ...results]));
    start = end;
  }
  return lines.join('\n');
}

/** Returns the lines for titles that share at least half of their words; undefined for others. */
function fold(items: readonly Item[]): string[] | undefined {
  const all = items.map(({ words }) => words);
  const lengths = all.map((words) => words.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const isSame = (place: number) => new Set(all.map((words) => words.at(place))).size === 1;
  let [before, after] = [0, 0];
  while (before < shortest && isSame(before)) before += 1;
  while (after < shortest - before && isSame(-after - 1)) after += 1;
  if (before < 2 || 2 * (before + after) < longest) return undefined;
  const values = all.map((words) => words.slice(before, words.length - after).join(' '));
  const [, end = ''] = /([:,]?)$/.exec(values[0] ?? '') ?? [];
  const different = [...new Set(values.map((value) => value.replace(/[:,]$/, '')))];
  const results = items.flatMap((each) => each.results);
  const areNumbers = different.every((value) => /^\d+$/.test(value));
  if (results.length > 0 && !areNumbers) return undefined;
  const [first = []] = all;
  const title = [...first.slice(0, before), `…${end}`, ...first.slice(first.length - after)];
  if (results.length > 0) return [title.join(' '), ...foldNumbers(results)];
  const listed = areNumbers ? `${different[0]} to ${different.at(-1)}` : different.join('; ');
  const isLong = different.length > longestList && !areNumbers;
  return [title.join(' '), `  - ${isLong ? `${different.length} of them` : listed}`];
}

/** Returns `seed 7 to 9` for `seed 7`, `seed 8` and `seed 9`; lines of other words as they are. */
function foldNumbers(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines;
  const shapes = new Set(lines.map((line) => line.replaceAll(number, '0')));
  if (shapes.size !== 1 || lines.length < fewest) return lines;
  const rows = lines.map((line) => (line.match(number) ?? []).map(Number));
  let place = 0;
  const folded = first.replaceAll(number, () => {
    const values = rows.map((row) => row[place] ?? 0);
    place += 1;
    const [least, greatest] = [Math.min(...values), Math.max(...values)];
    return least === greatest ? `${least}` : `${least} to ${greatest}`;
  });
  return [folded];
}

const number = /\d+/g;
