import type { Command } from 'commander';
import { type Context, type GlobalOptions, printResult } from '../context.js';
import { WrongUse } from '../failure.js';
import { isTestKey } from '../settings/open-client.js';
import { profilePath, removeProfile, writeProfile } from '../settings/profile.js';
import { profileName } from '../settings/settings.js';
import { type LoginOptions, signIn } from '../settings/sign-in.js';

/** `adx login` (D-51): signs in, and stores the address, the key and the refresh token. */
export function addLoginCommand(program: Command, context: Context): void {
  program
    .command('login')
    .summary('sign in, and store the sign-in in a profile')
    .description(
      'Signs in and stores the address, the API key and the refresh token in a profile, which only you can read. Asks on the terminal for what is missing. The sign-in lasts 30 days; with --password-file it has no end.',
    )
    .option('--url <address>', 'address of the service, or ADX_URL')
    .option('--username <name>', 'user, or ADX_USERNAME')
    .option('--password-file <path>', 'read the password from this file, now and later')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<LoginOptions>();
      const name = profileName(context, options);
      const profile = await signIn(context, command, name);
      await writeProfile(context.profileFolder, name, profile);
      const path = profilePath(context.profileFolder, name);
      const { url, username } = profile;
      const testKey = isTestKey(profile.apiKey);
      printResult(context, options, { profile: name, path, url, username, testKey }, () =>
        [
          `Signed in as ${username} at ${url}${testKey ? ', with a test key' : ''}.`,
          `Stored in ${path}.`,
          profile.passwordFile === undefined
            ? 'The sign-in lasts 30 days; then run `adx login` again.\n'
            : `Each command reads the password from ${profile.passwordFile}.\n`,
        ].join('\n'),
      );
    });
}

/** `adx logout` (D-51): removes the profile, with the key and the refresh token in it. */
export function addLogoutCommand(program: Command, context: Context): void {
  program
    .command('logout')
    .summary('remove the profile, with the API key and the sign-in')
    .description(
      'Removes the profile, with the API key and the refresh token in it. A copy of the refresh token still works until 30 days after the sign-in, or until the password changes. A password file and variables stay.',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const name = profileName(context, options);
      const path = profilePath(context.profileFolder, name);
      if (!(await removeProfile(context.profileFolder, name))) {
        throw new WrongUse(`There is no profile "${name}".`);
      }
      printResult(context, options, { profile: name, path }, () => `Removed ${path}.\n`);
    });
}
