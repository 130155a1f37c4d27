import type { Command } from 'commander';
import { type Context, type JsonOption, printResult } from '../context.js';
import { openClient } from '../settings/open-client.js';
import type { ProfileOption } from '../settings/settings.js';

/** `adx hello` (§4.2): checks the API key and the sign-in. */
export function addHelloCommand(program: Command, context: Context): void {
  program
    .command('hello')
    .summary('check that the API key and the sign-in are accepted')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<JsonOption & ProfileOption>();
      const client = await openClient(context, options);
      const confirmation = await client.auth.hello();
      printResult(context, options, confirmation, () => `${confirmation.message}\n`);
    });
}
