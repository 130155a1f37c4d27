import { randomInt } from 'node:crypto';
import { OperatorFailure } from '../api/operator-failure.js';
import { passwordWeakness } from '../identity/passwords.js';
import type { OperatorContext } from './operator-context.js';

/** Letters and digits that are not taken for one another when read out or copied by hand. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A random password of 115 bits, in groups as in `h4Tqm-9xkPw-…`. */
export function generatePassword(): string {
  const letter = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * The password on standard input: an argument would stand in the shell's history and in the list of
 * processes.
 *
 * @throws OperatorFailure when it is weak or empty
 */
export async function readPassword(context: OperatorContext, username: string): Promise<string> {
  const password = await context.readStandardInput();
  const weakness = passwordWeakness(password, username);
  if (weakness !== undefined) throw new OperatorFailure(`The password ${weakness}.`);
  return password;
}
