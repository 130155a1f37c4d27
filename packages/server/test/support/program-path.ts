import { join } from 'node:path';
import { inject } from 'vitest';
import type { Program } from './bundle-programs.js';

/** Returns the path of a program that a test starts with Node as a separate process. */
export function programPath(program: Program): string {
  return join(inject('programs'), `${program}.js`);
}
