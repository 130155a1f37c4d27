import type { Command } from 'commander';
import { escapeUnprintable } from '../../identifiers/unprintable.js';
import type { Check } from '../doctor/check.js';
import { runChecks } from '../doctor/run-checks.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';
import { type JsonOption, printResult } from '../print-result.js';

/** Adds `adx-server doctor`. */
export function addDoctorCommand(program: Command, context: OperatorContext): void {
  program
    .command('doctor')
    .description('check settings, database, storage and mail server, and say how to mend problems')
    .action(async (options: JsonOption) => {
      const checks = await runChecks(context);
      printResult(context, options, checks, () => formatChecks(checks));
      const problems = checks.filter(({ result }) => result === 'problem');
      if (problems.length === 0) return;
      const hasWrongSettings = problems.some(({ name }) => name === 'settings');
      throw new OperatorFailure(
        `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found.`,
        { exitCode: hasWrongSettings ? 2 : 1 },
      );
    });
}

function formatChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, result, found, advice }) => [
      `${result.padEnd(7)}  ${name.padEnd(width)}  ${found}`,
      ...(advice === undefined ? [] : [`${' '.repeat(9)}${' '.repeat(width)}  ${advice}`]),
    ])
    .map((line) => `${escapeUnprintable(line)}\n`)
    .join('');
}
