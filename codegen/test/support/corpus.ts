import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A specification of the corpus. */
export interface CorpusCase {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Every file of a folder of `test/specs`: a new case is only a new file. */
export function corpus(folder: 'valid' | 'invalid'): CorpusCase[] {
  const root = fileURLToPath(new URL(`../specs/${folder}/`, import.meta.url));
  return readdirSync(root)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ name, path: root + name, text: readFileSync(root + name, 'utf8') }));
}
