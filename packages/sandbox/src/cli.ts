import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createProcessContext, runProgram, version } from '@adx/server';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { keptSecret, makeDataFolder } from './data-folder.js';
import type { Settings } from './operator.js';
import { startPostgres } from './postgres/start-postgres.js';
import { runDemo } from './run-demo.js';
import { createDatabases, readRunning } from './start-sandbox.js';
import { startStorage } from './storage/storage-server.js';

interface DataOption {
  readonly data: string;
}

interface StartOptions extends DataOption {
  readonly port: number;
  readonly storagePort: number;
  readonly empty: boolean;
}

interface PartOptions extends DataOption {
  readonly temporary: boolean;
  readonly port: number;
  readonly json: boolean;
}

const program = new Command('adx-sandbox')
  .description(
    'The Accounting Data Exchange on one machine, for trying it out and developing against it',
  )
  .version(version, '-V, --version', 'print the version')
  .exitOverride();

const withData = (command: Command) =>
  command.option(
    '--data <folder>',
    'folder of everything that is stored',
    (path) => resolve(path),
    resolve('.data'),
  );

withData(program.command('start', { isDefault: true }))
  .description('start the service with demo firms, until Ctrl+C')
  .option('--port <port>', 'port of the interface', parsePort, 3000)
  .option('--storage-port <port>', 'port of the object storage', parsePort, 3001)
  .option('--empty', 'without demo firms', false)
  .action(({ data, port, storagePort, empty }: StartOptions) =>
    runDemo({ dataDir: data, port, storagePort, isEmpty: empty, environment: process.env }),
  );

withData(program.command('database'))
  .description('start PostgreSQL alone, and print the settings that lead to it')
  .option('--temporary', 'in a folder that is removed at the end', false)
  .option('--json', 'print the settings as JSON', false)
  .action((options: PartOptions) =>
    runPart(options, async (dataDir) => {
      const postgres = await startPostgres({ dataDir, isDurable: !options.temporary });
      await createDatabases(postgres.url('postgres'), ['adx']);
      return { settings: { DATABASE_URL: postgres.url('adx') }, close: () => postgres.stop() };
    }),
  );

withData(program.command('storage'))
  .description('start the object storage alone, and print the settings that lead to it')
  .option('--port <port>', 'port; 0 takes a free one', parsePort, 3001)
  .option('--temporary', 'in a folder that is removed at the end', false)
  .option('--json', 'print the settings as JSON', false)
  .action((options: PartOptions) =>
    runPart(options, async (dataDir) => {
      // Objects are kept in PostgreSQL: in that of DATABASE_URL, or in one of its own.
      const given = process.env['DATABASE_URL'];
      const postgres = given
        ? undefined
        : await startPostgres({ dataDir, isDurable: !options.temporary });
      const databaseUrl = new URL(given ?? postgres?.url('postgres') ?? '');
      await createDatabases(databaseUrl.href, ['adx_storage']);
      databaseUrl.pathname = '/adx_storage';
      const storage = await startStorage({
        databaseUrl: databaseUrl.href,
        secret: await keptSecret(dataDir, 'sandbox-secret'),
        port: options.port,
      });
      return {
        settings: storage.settings,
        async close() {
          await storage.close();
          await postgres?.stop();
        },
      };
    }),
  );

/** A part of the sandbox that runs by itself. */
interface Part {
  readonly settings: Settings;
  close(): Promise<void>;
}

async function runPart(
  { data, temporary, json }: PartOptions,
  start: (dataDir: string) => Promise<Part>,
) {
  const folder = temporary ? await mkdtemp(join(tmpdir(), 'adx-sandbox-')) : data;
  const stopped = stopRequested();
  try {
    const part = await start(await makeDataFolder(folder));
    const lines = Object.entries(part.settings).map(([name, value]) => `${name}=${value}\n`);
    process.stdout.write(json ? `${JSON.stringify(part.settings)}\n` : lines.join(''));
    await stopped;
    await part.close();
  } finally {
    if (temporary) await rm(folder, { recursive: true, force: true });
  }
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    // Waiting for a signal alone does not keep a process running.
    const running = setInterval(() => {}, 3_600_000);
    const stop = () => {
      clearInterval(running);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It is not a port.');
}

/** Runs an operator command with the settings of the sandbox that runs on the data folder. */
async function operate(dataDir: string, parameters: readonly string[]): Promise<number> {
  const settings = await readRunning(dataDir);
  if (settings === undefined) {
    process.stderr.write(
      `error: No sandbox runs on ${dataDir}: start one with \`adx-sandbox start\`, or name another folder with \`adx-sandbox --data <folder> <command>\`\n`,
    );
    return 1;
  }
  const { stdin, stdout, stderr } = process;
  return runProgram(parameters, createProcessContext({ env: settings, stdin, stdout, stderr }));
}

/** The operator command of a command line, and the folder before it; undefined for a command of the sandbox. */
function readOperation([first, ...rest]: readonly string[]) {
  const [dataDir, parameters] =
    first === '--data'
      ? [resolve(rest[0] ?? ''), rest.slice(1)]
      : [resolve('.data'), first === undefined ? [] : [first, ...rest]];
  const [command] = parameters;
  const isOwn = program.commands.some((each) => each.name() === command);
  return command === undefined || command.startsWith('-') || isOwn
    ? undefined
    : { dataDir, parameters };
}

const operation = readOperation(process.argv.slice(2));
try {
  if (operation === undefined) await program.parseAsync();
  else process.exitCode = await operate(operation.dataDir, operation.parameters);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
