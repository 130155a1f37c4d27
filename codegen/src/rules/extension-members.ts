import type { SpecNode } from '../document/spec-document.js';
import type { Report } from './rule.js';

/** Checks that an extension has these members as texts, and no others but the optional ones. */
export function checkMembers(
  place: SpecNode,
  texts: readonly string[],
  optional: readonly string[],
  report: Report,
): void {
  const missing = texts.filter((name) => place.get(name)?.text === undefined);
  if (missing.length > 0) report(place, `${place.key} lacks ${missing.join(', ')}.`);
  for (const { key, keyPosition } of place.members) {
    if (!texts.includes(key) && !optional.includes(key)) {
      report(keyPosition, `${place.key} knows no ${key}.`);
    }
  }
}
