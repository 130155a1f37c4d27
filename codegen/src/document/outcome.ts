import type { Finding } from './finding.js';

/** Either the thing asked for, or everything that stands in its way. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: readonly Finding[] };
