import { runCommand } from './run-command.js';

/** Installs the Debian package of a program if it is missing; that needs root. */
export async function requireProgram(
  name: string,
  debian: string,
  showVersion = '-v',
): Promise<void> {
  try {
    await runCommand(name, [showVersion]);
  } catch {
    if (process.getuid?.() !== 0) throw new Error(`Install the Debian package ${debian}.`);
    await runCommand('apt-get', ['install', '-y', '--no-install-recommends', debian]);
  }
}
