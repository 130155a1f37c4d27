import { resolve } from 'node:path';
import { version } from '@adx/server/version';
import { Command, CommanderError, Option } from 'commander';
import type { PartOptions } from './run-part.js';
import { requireSettings } from './settings-file.js';
import { parsePort, type StartOptions, withData, withStartOptions } from './start-options.js';

// Each command loads what it needs: everything together takes a second of processor time.

interface StorageOptions extends PartOptions {
  readonly port: number;
  readonly database?: string;
}

const program = new Command('adx-sandbox')
  .description(
    'The Accounting Data Exchange on one machine, for trying it out and developing against it',
  )
  .version(version, '-V, --version', 'print the version')
  .addHelpText(
    'after',
    `
Operator commands run on the sandbox that has been started:
  adx-sandbox mandate list
  adx-sandbox --data <folder> firm list`,
  )
  .exitOverride();

withStartOptions(program.command('start', { isDefault: true }))
  .description('start the service with demo firms, until Ctrl+C')
  .action(async (options: StartOptions) => {
    const { runSandbox } = await import('./run-sandbox.js');
    await runSandbox(options);
  });

withData(program.command('database'))
  .description('start only PostgreSQL, and print the settings that point the service to it')
  .option('--temporary', 'keep the data in a folder that is removed at the end', false)
  .option('--json', 'print the settings as JSON', false)
  .action(async (options: PartOptions) => {
    const { runPart, startDatabase } = await import('./run-part.js');
    await runPart(options, startDatabase);
  });

withData(program.command('storage'))
  .description('start only the object storage, and print the settings that point the service to it')
  .option('--port <port>', 'port; 0 picks a free port', parsePort, 3001)
  .addOption(
    // Other users of the machine can see the options of a process, but not its environment.
    new Option(
      '--database <url>',
      'PostgreSQL server that keeps the objects; by default one of its own',
    ).env('STORAGE_DATABASE_URL'),
  )
  .option('--temporary', 'keep the data in a folder that is removed at the end', false)
  .option('--json', 'print the settings as JSON', false)
  .action(async (options: StorageOptions) => {
    const { runPart, startStorageWithDatabase } = await import('./run-part.js');
    const { port, database } = options;
    if (database !== undefined) checkDatabaseUrl(database);
    await runPart(options, (folder) => startStorageWithDatabase(folder, port, database));
  });

program
  .command('scenario')
  .description(
    'make something happen in the running sandbox, such as a refused mandate or a missing statement',
  )
  // The scenarios have options of their own.
  .argument('[parameters...]')
  .allowUnknownOption()
  .helpOption(false)
  .action(async (parameters: readonly string[]) => {
    const { runScenarioCommand } = await import('./scenarios/scenario-command.js');
    await runScenarioCommand(parameters);
  });

/** Checks the URL here, because commander would print it for a wrong option, with its password. */
function checkDatabaseUrl(text: string): void {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return;
  throw new Error('--database is not the URL of a PostgreSQL server');
}

/** Reads `[--data <folder>] <operator command>`; undefined for a command of the sandbox itself. */
function readOperatorCommand([first = '', ...others]: readonly string[]) {
  const [, option, folder] = /^(--data)(?:=(.*))?$/s.exec(first) ?? [];
  const words = folder === undefined ? [first, ...others] : ['--data', folder, ...others];
  const dataDir = resolve((option && words[1]) ?? '.data');
  const parameters = option ? words.slice(2) : words;
  const [command = ''] = parameters;
  const isOwn = command === 'help' || program.commands.some((each) => each.name() === command);
  return command === '' || command.startsWith('-') || isOwn ? undefined : { dataDir, parameters };
}

// After Ctrl+C in a pipe, nobody may read the output any more. The parts must still be stopped.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const operatorCommand = readOperatorCommand(process.argv.slice(2));
try {
  if (operatorCommand === undefined) await program.parseAsync();
  else {
    const settings = await requireSettings(operatorCommand.dataDir);
    const { runProcess } = await import('@adx/server/commands');
    await runProcess(operatorCommand.parameters, settings);
  }
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
