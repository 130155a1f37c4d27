import { join } from 'node:path';
import { inject } from 'vitest';
import type { Program } from './bundle-programs.js';

/** The path of a program that a test starts with Node as a process of its own. */
export function programPath(program: Program): string {
  return join(inject('programs'), `${program}.js`);
}
