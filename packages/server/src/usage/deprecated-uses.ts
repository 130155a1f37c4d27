import { type Operation, operations } from '@adx/contract';
import { describeOperation } from '@adx/contract/requests';
import type { SpecDocument } from '@adx/contract/spec';
import type { UsageSum } from './usage-store.js';
import { createUseReader } from './used-elements.js';

/**
 * Returns a sentence for each deprecated operation and field that API keys used (D-40).
 *
 * @example
 * // `listCustomers` is deprecated since 2026-12-01. Used by Ledger (last 2027-01-20).
 */
export function deprecatedUses(
  uses: readonly UsageSum[],
  table: Readonly<Record<string, Operation>> = operations,
  document?: SpecDocument,
): string[] {
  return Object.values(table).flatMap((operation) => {
    const described = describeOperation(operation, document);
    const { operationId, deprecation, isDeprecated } = described;
    const { deprecatedFields } = createUseReader(described);
    const deprecated = [
      ...(isDeprecated ? [{ field: '', text: `\`${operationId}\` ${endOf(deprecation)}` }] : []),
      ...[...deprecatedFields].map(([name, { field }]) => ({
        field,
        text: `\`${name}\` of \`${operationId}\` is deprecated`,
      })),
    ];
    return deprecated.flatMap(({ field, text }) => {
      const those = uses.filter(
        (use) =>
          use.operation === operationId && (use.field ?? '') === field && use.value === undefined,
      );
      const users = lastDays(those).map(([partner, day]) => `${partner} (last ${day})`);
      return users.length === 0 ? [] : [`${text}. Used by ${users.join(', ')}.`];
    });
  });
}

/** Returns each partner's last day of use, whichever of its API keys it used. */
function lastDays(uses: readonly UsageSum[]): [partner: string, day: string][] {
  const days = new Map<string, string>();
  for (const { partner, lastUsed } of uses) {
    if (lastUsed > (days.get(partner) ?? '')) days.set(partner, lastUsed);
  }
  return [...days];
}

function endOf(deprecation: Operation['deprecation']): string {
  const { since, sunset, replacedBy } = deprecation ?? {};
  const parts = [
    since === undefined ? 'is deprecated' : `is deprecated since ${since}`,
    ...(sunset === undefined ? [] : [`may be gone from ${sunset} on`]),
    ...(replacedBy === undefined ? [] : [`is replaced by \`${replacedBy}\``]),
  ];
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
}
