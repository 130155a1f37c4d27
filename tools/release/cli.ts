import { SourceError } from '../../codegen/src/diff/releases.js';
import { UsageError } from '../../codegen/src/options.js';
import { release } from './release.js';
import { parseOptions, usage } from './release-options.js';
import { CommandError, Refusal } from './run.js';

const complain = (message: string) => process.stderr.write(`${message}\n`);
const say = (line: string) => process.stdout.write(`${line}\n`);

// The running command gets the interrupt too, and ends; the release then puts back what it changed.
const interrupt = new AbortController();
process.on('SIGINT', () => interrupt.abort(new Refusal('The release was interrupted.')));

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const options = parseOptions(process.argv.slice(2), process.env);
    if (options === undefined) {
      say(usage);
      return 0;
    }
    const today = new Date().toISOString().slice(0, 10);
    await release(options, process.cwd(), today, say, interrupt.signal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\n\n${usage}`);
      return 2;
    }
    const isExpected = [Refusal, SourceError, CommandError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    complain(`\n${(error as Error).message}`);
    return 1;
  }
}
