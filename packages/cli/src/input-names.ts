import type { Command } from 'commander';

/** The options and arguments that are named otherwise than the field that they are sent as. */
const otherNames: Readonly<Record<string, string>> = {
  enterpriseNumber: 'number',
  updatedSince: 'since',
  receivedSince: 'since',
};

/**
 * Returns the names that a field of the service may have where a user gives it: `contactEmail` for
 * `contact.email`, `zipCode` for `address.zipCode`, `bankAccounts` for `bankAccounts[0].iban`.
 */
export function inputNamesOf(path: string): string[] {
  const parts = path.split(/[.[\]-]+/).filter((part) => !/^\d*$/.test(part));
  const whole = parts
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .replace(/^./, (letter) => letter.toLowerCase());
  return [whole, parts.at(-1) ?? '', parts[0] ?? ''].flatMap((name) => [
    name,
    ...[otherNames[name] ?? []].flat(),
  ]);
}

/**
 * Returns the option or the argument of a command that is sent as a field of the service, such as
 * `--contact-email`; undefined if none is.
 */
export function inputOf(command: Command | undefined, path: string): string | undefined {
  const inputs = new Map([
    ...(command?.options ?? []).map((option) => [option.attributeName(), option.long] as const),
    ...(command?.registeredArguments ?? []).map(
      (each) => [each.name(), `<${each.name()}>`] as const,
    ),
  ]);
  return (
    inputNamesOf(path)
      .map((name) => inputs.get(name))
      .find((input) => input != null) ?? undefined
  );
}
