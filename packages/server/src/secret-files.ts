import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { explainFileError } from '@adx/command/file-error';
import { fileVariable, secretSettings } from './settings.js';

/** The variables of an environment, with the secrets that are in files. */
interface WithSecrets {
  /**
   * The variables by name. A secret whose file cannot be read is empty, so it is not missing as
   * well.
   */
  readonly given: ReadonlyMap<string, string>;
  /** A message for each file that cannot be used. It names the variable and the file. */
  readonly findings: readonly string[];
}

/**
 * Replaces each variable that names the file of a secret by that secret: the first line of the file
 * (D-59).
 */
export function readSecretFiles(variables: ReadonlyMap<string, string>): WithSecrets {
  const given = new Map(variables);
  const findings: string[] = [];
  for (const name of secretSettings) {
    const variable = fileVariable(name);
    const file = variables.get(variable);
    if (file === undefined) continue;
    given.delete(variable);
    try {
      if (variables.has(name)) throw new UnusableFile(`cannot be set together with ${name}`);
      given.set(name, readSecret(file));
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      findings.push(`${variable}: ${error.message}`);
      given.set(name, '');
    }
  }
  return { given, findings };
}

/** The reason why a file cannot be used, without any of its content. */
class UnusableFile extends Error {}

function readSecret(file: string): string {
  // The path is repeated in messages, so it must not be a secret that was set by mistake.
  if (!isAbsolute(file)) throw new UnusableFile('is not the absolute path of a file');
  const [value = ''] = readText(file).split(/\r?\n/, 1);
  if (value.trim() === '') throw new UnusableFile(`the first line of ${file} is empty`);
  return value;
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = explainFileError(error) ?? 'it is not a readable file';
    throw new UnusableFile(`${file} cannot be read: ${reason}`, { cause: error });
  }
  try {
    // Random bytes would lose most of their entropy if those that are not UTF-8 were replaced.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnusableFile(`${file} is not text in UTF-8`);
  }
}
