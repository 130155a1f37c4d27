import { basename, extname } from 'node:path';
import type { Path } from './json.js';

/**
 * Returns the last part of the pointer or the name of the file, in PascalCase for schemas and
 * files.
 *
 * @param taken with one of these names, the name gets a number
 */
export function componentName(
  file: string,
  path: Path,
  section: string,
  taken: ReadonlySet<string>,
): string {
  const ofFile = pascalCase(basename(file, extname(file)));
  const last = String(path.at(-1) ?? '');
  const isNamed = section !== 'schemas' && /^[a-z]\w*$/i.test(last);
  const own = isNamed ? last : pascalCase(last);
  const candidates = [own, `${ofFile}${own}`, `${pascalCase(section)}${ofFile}${own}`];
  const name = candidates.find((each) => /^[a-z]/i.test(each)) ?? own;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}${number}`)) number += 1;
  return `${name}${number}`;
}

/** Returns letters and digits of ASCII, as OpenAPI requires of components. */
export function pascalCase(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[a-z0-9]+/gi) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
