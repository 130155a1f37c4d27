import type { Command } from 'commander';
import type { OperatorContext } from './operator-context.js';

/** `adx-server worker`: works on jobs until it is told to stop. */
export function addWorkerCommand(program: Command, context: OperatorContext): void {
  program
    .command('worker')
    .description('work on jobs (uploads, mail, periods that end) until it gets SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('worker');
      const stopped = context.stopRequested();
      // Only this command needs what the tasks are made of.
      const { startWorkerService } = await import('../worker.js');
      const worker = await startWorkerService(config);
      context.print('The worker of the Accounting Data Exchange looks for jobs.\n');
      await stopped;
      await worker.close();
    });
}
