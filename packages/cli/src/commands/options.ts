import { Argument, InvalidArgumentError, Option } from 'commander';
import { productNames } from '../folder/listed-files.js';
import { compactIban, dotted, problemOfIban, problemOfNumber } from '../import/numbers.js';

/** Returns the option for a name of the interface or of a column: `--zip-code` for `zipCode`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll(/(?<=[a-z])-?([A-Z])/g, '-$1').toLowerCase()}`;
}

/** Returns the parser of values that are refused before any call. */
function checked(
  problemOf: (text: string) => string | undefined,
  toValue: (text: string) => string,
): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(`${problem}.`);
    return toValue(text);
  };
}

export const parseText = checked(
  () => undefined,
  (text) => text,
);
export const parseEnterpriseNumber = checked(problemOfNumber, dotted);
export const parseIban = checked(problemOfIban, compactIban);

const parseInstant = checked(
  (text) => {
    const [, day] =
      /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])(:\d\d){2}(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
    if (day === undefined || Number.isNaN(Date.parse(text))) {
      return `${text} is not an instant such as 2026-03-02T08:00:00+01:00, with Z or an offset`;
    }
    // `Date` reads 31 February as a day of March.
    const exists = new Date(`${day}T00:00Z`).toISOString().startsWith(day);
    return exists ? undefined : `${text} is not an instant: there is no day ${day}`;
  },
  (text) => text,
);

const isId = (text: string) => /^[\da-f]{24}$/i.test(text);

export const parseId = checked(
  (text) => (isId(text) ? undefined : `${text} is not an id such as 673f0c2a9b1d4e8f7a6c5b4d`),
  (text) => text,
);

/** The argument of commands about one customer. */
export function customerArgument(): Argument {
  const problemOf = (text: string) => {
    if (isId(text)) return undefined;
    if (/^[\d.\sBE]+$/i.test(text)) return problemOfNumber(text);
    return `${text} is neither an id nor an enterprise number`;
  };
  const toValue = (text: string) => (isId(text) ? text : dotted(text));
  return new Argument('<customer>', 'id or enterprise number').argParser(
    checked(problemOf, toValue),
  );
}

/** The option `--number` of commands that list what a customer has. */
export function numberOption(): Option {
  return new Option('--number <number>', 'of the customer with this enterprise number').argParser(
    parseEnterpriseNumber,
  );
}

/** The option `--iban` of commands that list what belongs to a bank account. */
export function ibanOption(): Option {
  return new Option('--iban <iban>', 'of this bank account').argParser(parseIban);
}

/** The option `--since` of commands that list what is new. */
export function sinceOption(meaning: string): Option {
  return new Option('--since <instant>', `${meaning}, such as 2026-03-02T08:00:00Z`).argParser(
    parseInstant,
  );
}

/** The option `--product` of commands that list files. */
export function productOption(): Option {
  return new Option('--product <product>', 'which files')
    .choices([...productNames, 'all'])
    .default('all');
}
