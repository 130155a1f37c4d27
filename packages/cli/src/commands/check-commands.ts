import { formatChecks } from '@adx/command/check';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, printResult } from '../context.js';
import { runChecks } from '../doctor/doctor.js';
import { exitCodes, PartFailure } from '../failure.js';
import { messageOf, showing } from './showing.js';

/** `adx hello` (§4.2): checks the API key and the sign-in. */
export function addHelloCommand(program: Command, context: Context): void {
  program
    .command('hello')
    .summary('check that the API key and the sign-in are accepted')
    .action(showing(context, (client) => client.auth.hello(), messageOf));
}

/** `adx doctor` (D-51): finds out why something does not work. */
export function addDoctorCommand(program: Command, context: Context): void {
  program
    .command('doctor')
    .summary('check settings, proxy, address, clock, key, sign-in, scopes and storage')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const checks = await runChecks(context, options);
      printResult(context, options, checks, () => formatChecks(checks));
      const problems = checks.filter(({ result }) => result === 'problem');
      if (problems.length > 0) {
        throw new PartFailure(
          `Problems were found: ${problems.map(({ name }) => name).join(', ')}.`,
          problems.map(({ exitCode }) => exitCode ?? exitCodes.failed),
        );
      }
    });
}
