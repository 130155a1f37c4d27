import { baseline } from './0001-baseline.js';
import type { Migration } from './migration.js';

/** In order. */
export const allMigrations: readonly Migration[] = [baseline];
