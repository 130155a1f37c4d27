import type { Command } from 'commander';
import type { Config } from '../config.js';
import { OperatorFailure } from '../operator-failure.js';
import type { OperatorContext } from './operator-context.js';

/** `adx-server serve`: runs the service until it is told to stop. */
export function addServeCommand(program: Command, context: OperatorContext): void {
  program
    .command('serve')
    .description('run the service until it gets SIGTERM or SIGINT')
    .option(
      '--demo',
      'fill an empty embedded database with demo firms, and print their credentials',
    )
    .action(async ({ demo }: { demo?: true }) => {
      const config = context.readConfig();
      const stopped = context.stopRequested();
      const service = demo ? await startDemo(config, context) : await startPlain(config, context);
      await stopped;
      await service.close();
    });
}

/** What runs until the process is asked to end. */
interface Running {
  close(): Promise<void>;
}

/* Express and the validators take half of the time a command needs to start: only `serve` loads them. */

async function startPlain(config: Config, context: OperatorContext): Promise<Running> {
  const { startService } = await import('../main.js');
  const service = await startService(config);
  context.print(`The Accounting Data Exchange listens on ${service.url}/v1\n`);
  return service;
}

async function startDemo(config: Config, context: OperatorContext): Promise<Running> {
  refuseUnlessLocal(config);
  const demo = await import('../demo/start-demo.js');
  const service = await demo.startDemo(config);
  context.print(service.banner);
  return service;
}

/** Demo data and its printed credentials belong on one machine, never in a database of your own. */
function refuseUnlessLocal({ databaseUrl, host }: Config): void {
  if (databaseUrl !== undefined) {
    throw new OperatorFailure(
      '--demo never writes to a database of your own: unset DATABASE_URL, or start without --demo.',
    );
  }
  if (!/^(localhost|127(\.\d+){3}|::1)$/.test(host)) {
    throw new OperatorFailure(
      `--demo listens on this machine only, not on ${host}: unset HOST, or start without --demo.`,
    );
  }
}
