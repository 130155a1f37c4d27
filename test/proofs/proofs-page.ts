/** The results of a file of proofs. */
export interface ProofRun {
  /** The file, relative to the repository. */
  readonly file: string;
  readonly startedAt: Date;
  readonly minutes: number;
  /** Such as `Node 20.20.2, 2 cores, load 0.1`. */
  readonly machine: string;
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
  sections.set(run.file, describe(run));
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

function describe({ file, startedAt, minutes, machine, tests }: ProofRun): string {
  const lines = tests.flatMap(({ title, state, results }) => [
    `- ${state === 'passed' ? '' : `**${state}:** `}${title}`,
    ...results.map((result) => `  - ${result}`),
  ]);
  const day = startedAt.toISOString().slice(0, 10);
  return `### \`${file}\`\n\n${day}, ${minutes.toFixed(1)} minutes; ${machine}.\n\n${lines.join('\n')}`;
}
