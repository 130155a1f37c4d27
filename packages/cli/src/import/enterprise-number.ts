import { isEnterpriseNumber } from '@adx/statements';
import { WrongUse } from '../failure.js';

/**
 * Writes an enterprise number with dots. Spreadsheets leave out the first 0; pages have blanks that
 * do not break.
 */
export function dotted(text: string): string {
  const digits = text.trim().replace(/^BE/i, '').replaceAll(/[.\s]/g, '').padStart(10, '0');
  return digits.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

/** Returns why a text is not an enterprise number, undefined if it is one. */
export function problemOfNumber(text: string): string | undefined {
  const digits = dotted(text).replaceAll('.', '');
  if (!/^[01]\d{9}$/.test(digits)) return `${text} is not an enterprise number`;
  if (isEnterpriseNumber(digits)) return undefined;
  return `${text} is not an enterprise number: its check digits are wrong`;
}

/**
 * Parses an enterprise number of the command line, and returns it with dots.
 *
 * @throws WrongUse if it is none
 */
export function parseEnterpriseNumber(text: string): string {
  const problem = problemOfNumber(text);
  if (problem !== undefined) throw new WrongUse(`${problem}.`);
  return dotted(text);
}
