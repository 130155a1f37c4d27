import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Runs a module in a separate process and returns its output. */
export async function runScript(source: string, parameters: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--conditions=adx-source', '--import', typescript],
    ...['--input-type=module', '--eval', source, ...parameters],
  ]);
  return stdout;
}
