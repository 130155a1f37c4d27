import type { Command } from 'commander';
import { SUPERSEDED_KEY_SECONDS } from '../identity/key-ring.js';
import { createSigningKeyStore } from '../identity/signing-keys.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';

/** `adx-server signing-key …`: the keys that sign ID tokens. */
export function addSigningKeyCommands(program: Command, context: OperatorContext): void {
  const signingKey = program.command('signing-key').description('keys that sign ID tokens');

  signingKey
    .command('rotate')
    .description('sign with a new key; tokens of the old one stay valid until they expire')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const outOfUse = new Date(Date.now() - SUPERSEDED_KEY_SECONDS * 1000);
      const { kid, createdOn } = await context.withDatabase((knex) =>
        createSigningKeyStore(knex).rotate(outOfUse),
      );
      printResult(
        context,
        options,
        { kid, createdOn },
        () => `Running services sign with key ${kid} within a minute.\n`,
      );
    });
}
