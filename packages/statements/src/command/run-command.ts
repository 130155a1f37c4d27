import { writeFile } from 'node:fs/promises';
import { parseCommandLine, usage, WrongUse } from './command-line.js';
import { convertFiles } from './convert-files.js';
import { findingsJson, findingsText } from './findings-report.js';
import { type ReadFile, readStatementFile } from './read-file.js';
import { shownFile } from './shown-file.js';

/** What a command reads and writes. */
export interface CommandStreams {
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly warn: (text: string) => void;
}

/** Runs `adx-statements`. Returns the exit code: 0, 1 if something is refused, 2 for wrong use (D-46). */
export async function runCommand(
  args: readonly string[],
  streams: CommandStreams,
): Promise<number> {
  try {
    return await run(args, streams);
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    streams.warn(`error: ${error.message}\nadx-statements --help shows how it is used.\n`);
    return 2;
  }
}

async function run(
  args: readonly string[],
  { input, write, warn }: CommandStreams,
): Promise<number> {
  const command = parseCommandLine(args);
  if (command.action === 'help') {
    write(usage);
    return 0;
  }
  const files: ReadFile[] = [];
  for (const name of command.files) {
    files.push(await readStatementFile(name, input, command.language));
  }
  const report = (file: ReadFile) => findingsText(file, command.language);
  const refused = files.filter(({ isAccepted }) => !isAccepted);
  if (command.action === 'check') {
    write(command.json ? findingsJson(files) : files.map(report).join(''));
  } else {
    if (command.action === 'show') {
      write(files.map((file) => shownFile(file, command.language)).join('\n'));
    } else {
      const converted = convertFiles(files, command.to);
      if (command.out === undefined) write(converted);
      else if (converted !== '') await writeOutput(command.out, converted);
    }
    warn(refused.map(report).join(''));
  }
  return refused.length > 0 ? 1 : 0;
}

/** @throws WrongUse if the file cannot be written */
async function writeOutput(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: Error) => {
    throw new WrongUse(`${path} cannot be written: ${error.message}`);
  });
}
