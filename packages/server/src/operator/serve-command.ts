import type { Command } from 'commander';
import type { OperatorContext } from './operator-context.js';

/** `adx-server serve`: runs the service until it is asked to stop. */
export function addServeCommand(program: Command, context: OperatorContext): void {
  program
    .command('serve')
    .description('run the service until it gets SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('service');
      const stopped = context.stopRequested();
      // Express and the validators take half of the time that a command needs to start: only this one loads them.
      const { startService } = await import('../service.js');
      const service = await startService(config);
      context.print(`The Accounting Data Exchange listens on ${service.url}/v1\n`);
      await stopped;
      await service.close();
    });
}
