import { fileURLToPath } from 'node:url';
import { startSchemaTypesThread } from './emit/contract/schema-types-thread.js';
import { generate, type Output } from './generate.js';
import { type Options, parseOptions, UsageError, usage } from './options.js';
import { watchFile } from './watch.js';

const output: Output = {
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
};

/** Exit codes: 0 all is well, 1 findings or drift, 2 the command line makes no sense. */
async function main(args: readonly string[]): Promise<number> {
  // The bundle of this file is codegen/dist/cli.js.
  const repository = fileURLToPath(new URL('../../', import.meta.url));
  const options = parse(args, repository);
  if (options === undefined) return 2;
  if (options.mode === 'help') {
    process.stdout.write(usage);
    return 0;
  }

  const thread = startSchemaTypesThread(new URL('./schema-types-worker.js', import.meta.url));
  try {
    const run = () => generate(options, thread.render, output);
    if (options.mode === 'watch') return await watch(options, run);
    return (await run()) ? 0 : 1;
  } finally {
    await thread.stop();
  }
}

function parse(args: readonly string[], repository: string): Options | undefined {
  try {
    return parseOptions(args, repository);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return undefined;
  }
}

async function watch({ spec }: Options, run: () => Promise<unknown>): Promise<number> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  await watchFile(spec, interrupt.signal, async () => {
    try {
      await run();
    } catch (error) {
      // Such as a folder that cannot be written to. The next save is another chance.
      output.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  });
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
