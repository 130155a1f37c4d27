import { formatChecks } from '@adx/command/check';
import type { Command } from 'commander';
import { runChecks } from '../doctor/run-checks.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';

/** Adds `adx-server doctor`. */
export function addDoctorCommand(program: Command, context: OperatorContext): void {
  program
    .command('doctor')
    .description('check settings, database, storage and mail server, and say how to mend problems')
    .action(async () => {
      const checks = await runChecks(context);
      context.printResult(checks, () => formatChecks(checks));
      const problems = checks.filter(({ result }) => result === 'problem');
      if (problems.length === 0) return;
      throw new OperatorFailure(
        `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found.`,
        { exitCode: problems.some(({ exitCode }) => exitCode === 2) ? 2 : 1 },
      );
    });
}
