import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The members of the spec that no code depends on. A property of such a name is an object. */
const prose = new Set(['title', 'summary', 'description']);

/** Reads the generated files of the packages, without their prose. */
export async function readGeneratedCode(root: string): Promise<string> {
  const packages = join(root, 'packages');
  const folders = (await readdir(packages)).map((name) => join(packages, name, 'src/generated'));
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.sort().map((name) => join(folder, name));
    }),
  );
  const texts = paths.flat().map(async (path) => codeIn(path, await readFile(path, 'utf8')));
  return (await Promise.all(texts)).join('\n');
}

function codeIn(path: string, text: string): string {
  // This is the spec as it is written, which `openapi.gen.json` has as a value.
  if (path.endsWith('openapi-lines.gen.json')) return '';
  if (!path.endsWith('.json')) return text.replaceAll(/^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm, '');
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    prose.has(key) && typeof value === 'string' ? undefined : value,
  );
}
