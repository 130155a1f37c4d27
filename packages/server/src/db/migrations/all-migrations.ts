import { baseline } from './0001-baseline.js';
import type { Migration } from './migration.js';

/** All migrations, in order. */
export const allMigrations: readonly Migration[] = [baseline];
