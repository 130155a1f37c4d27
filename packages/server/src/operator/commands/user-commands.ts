import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import { hashPassword, type PasswordContext, passwordWeakness } from '../../identity/passwords.js';
import { createAccountStore } from '../../identity/providers/bound-accounts.js';
import {
  type AccessLevel,
  type CustomerAccess,
  createUserStore,
  type UnknownCustomers,
  type User,
  type UserChanges,
} from '../../identity/users.js';
import { accessOption, parseCustomers, parseId, parseUsername } from '../arguments.js';
import {
  type OperatorContext,
  OperatorFailure,
  requireFirm,
  requireFound,
} from '../operator-context.js';

interface UserOptions {
  readonly access: AccessLevel;
  readonly customers: CustomerAccess;
  readonly passwordStdin?: true;
}

export function addUserCommands(program: Command, context: OperatorContext): void {
  const user = program.command('user').description('users of firms');

  user
    .command('create')
    .description(
      'register a user; without --password-stdin, a password is generated and shown only once, unless another identity provider has the passwords',
    )
    .requiredOption('--firm <id>', 'id of the firm', parseId)
    .requiredOption('--username <username>', 'username, unique in the service', parseUsername)
    .addOption(accessOption().makeOptionMandatory())
    .option('--customers <all|ids>', 'customers the user sees', parseCustomers, 'all')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options: UserOptions & { firm: string; username: string }) => {
      const { firm, username, access, customers } = options;
      const { hasPasswords } = context.readConfig('command');
      if (options.passwordStdin) requirePasswords(context);
      const generated = !hasPasswords || options.passwordStdin ? undefined : generatePassword();
      const chosen = options.passwordStdin ? await context.readStandardInput() : undefined;
      const created = await context.change(async (knex) => {
        const { name: firmName } = await requireFirm(knex, firm);
        if (chosen !== undefined) requireStrong(chosen, { username, firmName });
        const password = chosen ?? generated;
        const passwordHash = password === undefined ? undefined : await hashPassword(password);
        const user = { firmId: firm, username, passwordHash, accessLevel: access, customers };
        const stored = await createUserStore(knex).create(user);
        return stored === 'usernameTaken' ? stored : requireCustomers(stored);
      });
      if (created === 'usernameTaken') {
        throw new OperatorFailure(`There is already a user ${username}.`);
      }
      printUser(created, generated);
    });

  user
    .command('list')
    .description('list the users of all firms')
    .action(() =>
      context.printList({
        read: (knex) => createUserStore(knex).list(),
        cells: (each) => ({
          ID: each.id,
          USERNAME: each.username,
          FIRM: each.firmId,
          ACCESS: each.accessLevel,
          CUSTOMERS: each.customers === 'all' ? 'all' : `${each.customers.length} assigned`,
          DISABLED: each.disabledOn,
        }),
      }),
    );

  user
    .command('set')
    .description('change a user; a new password ends all tokens of the user')
    .argument('<id>', 'id of the user', parseId)
    .addOption(accessOption())
    .option('--customers <all|ids>', 'customers the user sees', parseCustomers)
    .option('--password-stdin', 'read a new password from standard input')
    .action(async (id: string, options: Partial<UserOptions>, command: Command) => {
      const { access, customers, passwordStdin } = options;
      if (access === undefined && customers === undefined && !passwordStdin) {
        command.error('error: nothing to change: give --access, --customers or --password-stdin');
      }
      if (passwordStdin) requirePasswords(context);
      const password = passwordStdin ? await context.readStandardInput() : undefined;
      const changed = await context.change(async (knex) => {
        const users = createUserStore(knex);
        const user = await users.find(id);
        if (user === undefined) return undefined;
        const { name: firmName } = await requireFirm(knex, user.firmId);
        if (password !== undefined) requireStrong(password, { username: user.username, firmName });
        const changes: UserChanges = {
          ...(access !== undefined && { accessLevel: access }),
          ...(customers !== undefined && { customers }),
          ...(password !== undefined && { passwordHash: await hashPassword(password) }),
        };
        const stored = await users.update(id, changes);
        return stored && requireCustomers(stored);
      });
      printUser(requireFound(changed, 'user', id));
    });

  user
    .command('disable')
    .description('disable a user permanently')
    .argument('<id>', 'id of the user', parseId)
    .action(async (id: string) => {
      const disabled = await context.change((knex) => createUserStore(knex).disable(id));
      printUser(requireFound(disabled, 'user', id));
    });

  user
    .command('sign-out')
    .description('end all sessions of a user, who can sign in again; ends all tokens')
    .argument('<user>', 'id or username of the user')
    .action(async (idOrName: string) => {
      const signedOut = await context.change((knex) => createUserStore(knex).signOut(idOrName));
      if (signedOut === undefined) throw new OperatorFailure(`There is no user ${idOrName}.`);
      printUser(signedOut);
    });

  user
    .command('release')
    .description(
      'let a user sign in with another account of the identity provider, as after it was created anew; ends all tokens',
    )
    .argument('<id>', 'id of the user', parseId)
    .action(async (id: string) => {
      const released = await context.change(async (knex) => {
        await createAccountStore(knex).release(id);
        return createUserStore(knex).find(id);
      });
      printUser(requireFound(released, 'user', id));
    });

  function printUser(shown: User, password?: string) {
    context.printResult(
      { ...shown, password },
      {
        id: shown.id,
        username: shown.username,
        firm: shown.firmId,
        access: shown.accessLevel,
        customers: shown.customers === 'all' ? 'all' : shown.customers.join(', '),
        account: shown.account && `${shown.account.subject} of ${shown.account.issuer}`,
        disabled: shown.disabledOn,
        ...(password !== undefined && {
          password: `${password}  (shown only once)`,
          'in Base64': `${Buffer.from(password).toString('base64')}  (for POST /token)`,
        }),
      },
    );
  }
}

/** @throws OperatorFailure if the built-in provider does not have the passwords (D-56) */
function requirePasswords(context: OperatorContext): void {
  if (context.readConfig('command').hasPasswords) return;
  throw new OperatorFailure(
    'The identity provider has the passwords (IDENTITY_PROVIDER): leave out --password-stdin.',
  );
}

function requireCustomers(stored: User | UnknownCustomers): User {
  if (!('unknownCustomers' in stored)) return stored;
  const ids = stored.unknownCustomers;
  const unknown = ids.length === 1 ? 'customer with the id' : 'customers with the ids';
  throw new OperatorFailure(`The firm has no ${unknown} ${ids.join(', ')}.`);
}

/** Letters and digits that are not easily confused when read aloud or copied by hand. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Generates a password of 115 random bits, in groups as in `h4Tqm-9xkPw-…`. */
function generatePassword(): string {
  const letter = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * Refuses a weak password (D-20). It is read from standard input: arguments are visible in the
 * shell's history and in the list of processes.
 *
 * @throws OperatorFailure
 */
function requireStrong(password: string, names: PasswordContext): void {
  const weakness = passwordWeakness(password, names);
  if (weakness !== undefined) throw new OperatorFailure(`The password ${weakness}.`);
}
