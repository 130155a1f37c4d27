import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const standIn = fileURLToPath(new URL('curl-stand-in.mjs', import.meta.url));

/** Defines a shell function `curl` if the machine has no curl. */
const ensureCurl = `command -v curl >/dev/null || curl() { "$NODE" "$STAND_IN" "$@"; }`;

/** Runs commands as if pasted into a shell; resolves with what they print. */
export async function pasteIntoShell(commands: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${ensureCurl}\n${commands}`], {
    env: { ...process.env, NODE: process.execPath, STAND_IN: standIn },
  });
  return stdout;
}
