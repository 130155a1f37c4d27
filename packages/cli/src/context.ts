import { eraseLine } from '@adx/command/progress-bar';
import { escapeLines } from '@adx/command/unprintable';

/** The environment of a command: variables, standard streams, and the folder of the profiles. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  /** The stream for errors, questions and progress bars. */
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly profileFolder: string;
}

/** The options of all commands. */
export interface GlobalOptions {
  readonly json?: true;
  readonly profile?: string;
}

/** Leaves out the options that were not given. */
export function given<Options extends object>(options: Options) {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}

/**
 * Writes a text to standard output. Names come from other people, so control characters are
 * escaped.
 */
export function print({ stdout }: Context, text: string): void {
  stdout.write(escapeLines(text));
}

/** Writes a text to standard error. */
export function report({ stderr }: Context, text: string): void {
  stderr.write(escapeLines(text));
}

/** Writes a note for people and programs to standard error: with `--json` as JSON on one line. */
export function note(context: Context, { json }: GlobalOptions, text: string): void {
  // A progress bar, which is drawn again below the note.
  if (context.stderr.isTTY === true && json !== true) context.stderr.write(eraseLine);
  report(context, json === true ? `${JSON.stringify({ note: text })}\n` : `note: ${text}\n`);
}

/** Writes advice for people to standard error, and not with `--json`. */
export function hint(context: Context, { json }: GlobalOptions, text: string): void {
  if (json !== true) report(context, `${text}\n`);
}

/**
 * Prints a result as JSON with `--json`, and as text otherwise.
 *
 * @param indent of the JSON; 0, on one line, for each event of a command that goes on
 */
export function printResult(
  context: Context,
  { json }: GlobalOptions,
  result: unknown,
  toText: () => string,
  indent = 2,
): void {
  print(context, json === true ? `${JSON.stringify(result, null, indent)}\n` : toText());
}
