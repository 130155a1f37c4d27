import type { Brand } from './brand.js';

/** A BIC as it is stored: 8 characters, or 11 with a branch. */
export type Bic = Brand<string, 'Bic'>;

const FORM = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}([A-Z\d]{3})?$/;

/**
 * Parses a BIC, and leaves out `XXX`, the head office; undefined for any other text.
 *
 * @example parseBic('ATMNBE32XXX') // 'ATMNBE32'
 */
export function parseBic(text: string): Bic | undefined {
  if (!FORM.test(text)) return undefined;
  return (text.endsWith('XXX') && text.length === 11 ? text.slice(0, 8) : text) as Bic;
}

/**
 * Formats a BIC in the groups of §2.2.
 *
 * @example formatBic('ABNABE2AIPC') // 'ABNA BE 2A IPC'
 */
export function formatBic(bic: string): string {
  return [bic.slice(0, 4), bic.slice(4, 6), bic.slice(6, 8), bic.slice(8)]
    .filter((group) => group !== '')
    .join(' ');
}
