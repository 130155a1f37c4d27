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
    .option('--now', 'end the old keys and all tokens of them, as when a key has leaked')
    .option('--json', 'print JSON')
    .action(async ({ now = false, ...options }: JsonOption & { now?: boolean }) => {
      const outOfUse = new Date(Date.now() - SUPERSEDED_KEY_SECONDS * 1000);
      const { kid, createdOn } = await context.withDatabase((knex) => {
        const keys = createSigningKeyStore(knex);
        return now ? keys.replaceAll() : keys.rotate(outOfUse);
      });
      printResult(context, options, { kid, createdOn }, () =>
        now
          ? `Running services accept tokens of key ${kid} alone within a minute.\n`
          : `Running services sign with key ${kid} within a minute.\n`,
      );
    });
}
