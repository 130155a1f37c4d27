import { inspect } from 'node:util';
import { type CommandLine, parseCommandLine, WrongUse } from './command-line.js';
import { conversions, jsonArray } from './convert-parts.js';
import { findingsJson, findingsText } from './findings-report.js';
import { isAccepted, isDoubtful, type ReadPart, readParts } from './read-parts.js';
import { shownPart } from './shown-part.js';
import { checkFiles, writeOutput } from './statement-files.js';

/** The streams and files that a command reads and writes. */
export interface CommandStreams {
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output. */
  readonly write: (text: string) => Promise<void>;
  /** Writes to standard error. */
  readonly warn: (text: string) => Promise<void>;
}

/**
 * Runs `adx-statements`. Returns the exit code: 0, 1 if something is refused or doubtful (D-70), 2
 * for any failure (D-46).
 */
export async function runCommand(
  args: readonly string[],
  streams: CommandStreams,
): Promise<number> {
  try {
    return await run(args, streams);
  } catch (error) {
    const text =
      error instanceof WrongUse
        ? `error: ${error.message}\nadx-statements --help shows how it is used.`
        : inspect(error);
    await streams.warn(`${text}\n`);
    return 2;
  }
}

async function run(
  args: readonly string[],
  { input, write, warn }: CommandStreams,
): Promise<number> {
  const command = parseCommandLine(args);
  if (command.action === 'print') {
    await write(command.text);
    return 0;
  }
  const { action, files, language } = command;
  const out = action === 'convert' ? command.out : undefined;
  await checkFiles(files, out);
  let exitCode = 0;
  const parts = (async function* () {
    for await (const part of readParts(files, input, language)) {
      const isStrict = action === 'convert' || (action === 'check' && command.strict);
      const isWrong = !isAccepted(part) || (isStrict && isDoubtful(part));
      if (isWrong) {
        exitCode = 1;
        if (action !== 'check') await warn(findingsText(part, language));
      }
      yield part;
    }
  })();
  const pieces = outputOf(command, parts);
  if (out === undefined) for await (const piece of pieces) await write(piece);
  else await writeOutput(out, pieces);
  return exitCode;
}

/**
 * Returns the output of a command, piece by piece, so that only one statement is held in memory.
 */
function outputOf(
  command: Exclude<CommandLine, { readonly action: 'print' }>,
  parts: AsyncIterable<ReadPart>,
): AsyncIterable<string> {
  const { action, language } = command;
  if (action === 'convert') return conversions[command.to](parts, command.version);
  if (action === 'show') return each(parts, (part) => shownPart(part, language));
  if (command.json) return jsonArray(each(parts, findingsJson));
  return each(parts, (part) => findingsText(part, language));
}

async function* each<From, To>(
  values: AsyncIterable<From>,
  to: (value: From) => To,
): AsyncGenerator<To, void> {
  for await (const value of values) yield to(value);
}
