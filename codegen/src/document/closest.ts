import { distance } from 'fastest-levenshtein';

/** Returns the candidate that differs in at most a quarter of the letters, or two, in any case. */
export function closest(
  word: string,
  candidates: Iterable<string>,
  limit = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 4)),
): string | undefined {
  const ranked = [...candidates]
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
}

/** Readers of YAML 1.1 take these words for booleans. */
const booleans: ReadonlyMap<string, string> = new Map([
  ...['yes', 'on', 'true'].map((word) => [word, 'true'] as const),
  ...['no', 'off', 'false'].map((word) => [word, 'false'] as const),
]);

/** Returns the end of a message on a value that is not of this type. */
export function orBoolean(type: unknown, value: unknown): string {
  const meant = type === 'boolean' ? booleans.get(String(value).toLowerCase()) : undefined;
  return meant === undefined ? '.' : `; write ${meant}, without quotes.`;
}

/** Returns the end of a message on a misspelt word: `; did you mean summary?`, or a full stop. */
export function orMeant(word: string, candidates: Iterable<string>): string {
  const meant = closest(word, candidates);
  return meant === undefined ? '.' : `; did you mean ${meant}?`;
}
