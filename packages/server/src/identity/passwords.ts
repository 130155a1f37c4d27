import { hash, verify } from '@node-rs/argon2';

/**
 * The parameters that OWASP recommends (Password Storage Cheat Sheet): 19 MiB of memory, two
 * passes, one thread. `algorithm` 2 is argon2id; the package's enum cannot be imported by itself.
 */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash that is verified for an unknown user, so that it takes as long as another (D-20). */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$BQmtnJj2bWqFI7YT4DIyDg$n5AIK+0taDuBio9EoufOsnMjrHqM23iqfZnVsLO/YO4';

/** The longest password that `POST /token` accepts: 1024 characters of Base64. */
const MAX_PASSWORD_BYTES = 768;
const MIN_PASSWORD_CHARACTERS = 12;
const MIN_DIFFERENT_CHARACTERS = 5;
const MIN_CHARACTERS_TO_GUESS = 7;

/** Shorter names are parts of many words. */
const MIN_NAME_CHARACTERS = 5;

export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), ARGON2ID);
}

/** Compares a password with a hash. Without a hash, it takes the same time and returns false. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? DECOY_HASH, normalize(password));
  return matches && passwordHash !== undefined;
}

/**
 * Decodes the password of a `POST /token` body; undefined if it is not Base64 (§4.1). Decoding is
 * strict, so that a plain-text password almost never passes.
 */
export function decodePassword(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface PasswordContext {
  readonly username: string;
  readonly firmName: string;
}

/**
 * Returns why a password is refused, as the end of a sentence that starts with "The password";
 * undefined if it is accepted (D-20).
 */
export function passwordWeakness(
  password: string,
  { username, firmName }: PasswordContext,
): string | undefined {
  if (password === '') return 'is empty';
  if ([...password].length < MIN_PASSWORD_CHARACTERS) {
    return `is shorter than ${MIN_PASSWORD_CHARACTERS} characters`;
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `is longer than ${MAX_PASSWORD_BYTES} bytes`;
  }
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) {
    return `has fewer than ${MIN_DIFFERENT_CHARACTERS} different characters`;
  }
  const contains = (name: string) =>
    squeezed(name).length >= MIN_NAME_CHARACTERS && squeezed(password).includes(squeezed(name));
  if (contains(username) || contains(username.replace(/@.*/s, ''))) return 'contains the username';
  if (contains(firmName)) return 'contains the name of the firm';
  if (charactersToGuess(password, [username, firmName]) < MIN_CHARACTERS_TO_GUESS) {
    return 'is easy to guess: it consists of common words, names, years, sequences or repetitions';
  }
  return undefined;
}

/** Makes accents the same, whether the keyboard enters them as one code point or two. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Common words, without accents: at most one of them is worth as much as one letter (NIST SP
 * 800-63B). Our own, because a library with the dictionaries of four languages has megabytes, and
 * twelve characters leave few common passwords to find.
 */
const COMMON_WORDS = `
  password passwort paswoord wachtwoord motdepasse pass secret geheim login welcome welkom bienvenue willkommen
  admin administrator beheerder root user test guest demo default changeme letmein master hello hallo bonjour
  iloveyou loveyou love dragon monkey football voetbal baseball superman batman princess prinses sunshine
  soleil zonneschijn shadow michael computer internet pokemon starwars liverpool manchester united anderlecht
  clubbrugge standard chocolate chocolat schatje liefde cherie doudou loulou marseille trustno freedom whatever
  correcthorsebatterystaple accounting accountant boekhouding boekhouder comptable comptabilite buchhaltung
  kantoor bureau fiduciaire bedrijf company data exchange adx bank coda
  belgie belgique belgien belgium antwerpen brussel brussels bruxelles gent brugge leuven mechelen luik liege
  namur charleroi hasselt mons
  januari februari maart april juni juli augustus september oktober november december january february march
  june july august october janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
  januar februar marz dezember maandag dinsdag woensdag donderdag vrijdag zaterdag zondag monday friday sunday
  lundi vendredi dimanche montag freitag sonntag
  spring summer autumn winter lente zomer herfst printemps automne hiver fruhling sommer herbst`
  .split(/\s+/)
  .filter(Boolean);

/** Rows and columns of keyboards, and what people count. */
const sequences = `
  01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm azertyuiop qsdfghjklm wxcvbn qwertzuiop
  yxcvbnm 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 1a2z3e4r5t6y7u8i9o0p a1z2e3r4t5y6u7i8o9p0
  1qaz2wsx3edc4rfv5tgb6yhn7ujm zaq1xsw2cde3vfr4bgt5nhy6mju7 qazwsxedcrfvtgbyhnujm aqwzsxedcrfvtgb a1b2c3d4e5f6
  !@#$%^&*() 1a2b3c4d5e6f`
  .split(/\s+/)
  .flatMap(bothWays);

const LETTERS_OF: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '€': 'e', '!': 'i' },
};

function bothWays(text: string): string[] {
  return [text, [...text].reverse().join('')];
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function squeezed(text: string): string {
  return plain(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns how much there is to guess, in characters: a common word or one of `context`, forwards or
 * backwards, a year, a sequence, and all separators count as one, repetitions once.
 */
function charactersToGuess(password: string, context: readonly string[]): number {
  const names = context.flatMap((each) => [
    ...plain(each).split(/[^\p{L}\p{N}]+/u),
    squeezed(each),
  ]);
  const words = [...COMMON_WORDS, ...names.filter((name) => name.length >= 3)].flatMap(bothWays);
  return Math.min(countIn(plain(password), words), countIn(squeezed(password), words) + 1);
}

function countIn(text: string, words: readonly string[]): number {
  const [asI, asL] = ['i', 'l'].map((one) =>
    text.replaceAll(/[013457@$€!]/g, (sign) => (sign === '1' ? one : (LETTERS_OF[sign] ?? sign))),
  );
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const known = words.filter((word) =>
      [text, asI, asL].some((each) => each?.startsWith(word, at)),
    );
    const [repeated = '', part = ''] = /^(.{1,12}?)\1+/u.exec(text.slice(at)) ?? [];
    const [year = ''] = /^(?:19|20)\d\d/.exec(text.slice(at)) ?? [];
    const length = Math.max(
      ...[1, year.length, lengthInSequence(text.slice(at)), ...known.map((word) => word.length)],
    );
    if (repeated.length >= 3 && repeated.length > length) {
      count += countIn(part, words) - 1;
      at += repeated.length;
    } else at += length;
  }
  return count;
}

/** Returns how many of the first characters stand in one sequence; 0 if fewer than three. */
function lengthInSequence(text: string): number {
  let length = 3;
  const isIn = () =>
    length <= text.length && sequences.some((each) => each.includes(text.slice(0, length)));
  while (isIn()) length += 1;
  return length === 3 ? 0 : length - 1;
}
