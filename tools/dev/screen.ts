/** The steps of the loop, in their order. */
export const steps = ['spec', 'generated', 'types', 'sandbox'] as const;
export type Step = (typeof steps)[number];

/** The state of a step. */
export interface State {
  readonly text: string;
  /** Mistakes, each with its place first, `file:line:column`, which terminals turn into a link. */
  readonly mistakes?: readonly string[];
  /** Further lines for the user. */
  readonly notes?: readonly string[];
}

export interface Screen {
  show(step: Step, state: State): void;
}

interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
}

/**
 * Creates a screen. A terminal shows all steps and the first mistakes, and is redrawn after a
 * change. Any other stream gets a line for each change of a step, with its mistakes and notes.
 */
export function createScreen(stream: OutputStream): Screen {
  const states = new Map<Step, State>();
  const isTerminal = stream.isTTY === true;
  const draw = () => {
    const lines = linesOf(states, stream.rows || 24);
    const width = stream.columns || 80;
    // A line as wide as the terminal would continue on the next one.
    stream.write(`\u001b[2J\u001b[H${lines.map((line) => line.slice(0, width - 1)).join('\n')}\n`);
  };
  if (isTerminal) stream.on('resize', draw);
  return {
    show(step, state) {
      if (JSON.stringify(states.get(step)) === JSON.stringify(state)) return;
      states.set(step, state);
      if (isTerminal) return draw();
      const lines = [`${step}: ${state.text}`, ...(state.mistakes ?? []), ...(state.notes ?? [])];
      stream.write(`${lines.join('\n')}\n`);
    },
  };
}

/** Returns the lines of a terminal with this many rows, one of which remains free. */
function linesOf(states: ReadonlyMap<Step, State>, rows: number): string[] {
  const all = steps.map((step) => ({ step, ...states.get(step) }));
  const table = all.map(({ step, text = '' }) => `${step.padEnd(11)}${text}`);
  const notes = all.flatMap((state) => state.notes ?? []);
  const mistakes = all.flatMap((state) => state.mistakes ?? []);
  const end = ['', ...notes, 'Ctrl+C stops everything.'];
  const room = Math.max(rows - table.length - end.length - 3, 1);
  const more = mistakes.length > room ? [`and ${mistakes.length - room} more`] : [];
  const shown = mistakes.length > 0 ? ['', ...mistakes.slice(0, room), ...more] : [];
  return [...table, ...shown, ...end];
}
