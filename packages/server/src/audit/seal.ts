import { hash } from 'node:crypto';
import type { NewAuditEntry } from './audit-entry.js';

/** A stored entry. Members without a value are null. */
export interface AuditEntry {
  readonly id: number;
  /** RFC 3339, in UTC with milliseconds. */
  readonly occurredOn: string;
  readonly actor: NewAuditEntry['actor'];
  readonly userId: string | null;
  readonly apiKeyId: string | null;
  readonly operator: string | null;
  readonly firmId: string | null;
  readonly customerId: string | null;
  readonly objectId: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** A link of the chain: the hash covers its entries and the hash of the seal before it. */
export interface AuditSeal {
  readonly number: number;
  /** RFC 3339, in UTC with milliseconds. */
  readonly sealedOn: string;
  readonly entryIds: readonly number[];
  /** The hash of the seal before; of the first one, that of {@link beforeFirstSeal}. */
  readonly previous: string;
  readonly hash: string;
}

export type SealPlace = Pick<AuditSeal, 'number' | 'hash'>;

export const beforeFirstSeal: SealPlace = { number: 0, hash: '0'.repeat(64) };

/**
 * Returns the SHA-256 in hexadecimal over JSON with the members of entries in the order of
 * `AuditEntry`. The format never changes, because old seals are verified with it.
 *
 * @param entries - in the order of their ids
 */
export function hashOfSeal(
  { number, sealedOn, previous }: Pick<AuditSeal, 'number' | 'sealedOn' | 'previous'>,
  entries: readonly AuditEntry[],
): string {
  const sealed = entries.map((each) => [
    ...[each.id, each.occurredOn, each.actor, each.userId, each.apiKeyId, each.operator],
    ...[each.firmId, each.customerId, each.objectId, each.action, each.outcome],
    ...[each.address, each.requestId],
  ]);
  const text = JSON.stringify([number, sealedOn, previous, sealed]);
  return hash('sha256', text, 'hex');
}

export interface SealFault {
  readonly seal: number;
  readonly fault: string;
}

/**
 * Returns what is wrong with a seal, or undefined: entries that are missing or were added; of a
 * changed one it can only say among which ones it is.
 *
 * @param before - the place of the seal before
 */
export function faultOfSeal(
  seal: AuditSeal,
  entries: readonly AuditEntry[],
  before: SealPlace,
): string | undefined {
  if (seal.number !== before.number + 1) return `the seal before it is ${before.number}`;
  if (seal.previous !== before.hash) return `it does not continue seal ${before.number}`;
  const sealed = new Set(seal.entryIds);
  const present = new Set(entries.map(({ id }) => id));
  const missing = seal.entryIds.filter((id) => !present.has(id));
  const added = [...present].filter((id) => !sealed.has(id));
  if (missing.length > 0) return `entries were removed: ${missing.join(', ')}`;
  if (added.length > 0) return `entries were added: ${added.join(', ')}`;
  if (hashOfSeal(seal, entries) === seal.hash) return undefined;
  return `it was changed, or one of its entries: ${seal.entryIds.join(', ')}`;
}
