import { distance } from 'fastest-levenshtein';

/** Returns the candidate that differs in at most a quarter of the letters, or two, in any case. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 4));
  const ranked = [...candidates]
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
}

/** Returns the end of a message on a misspelt word: `; did you mean summary?`, or a full stop. */
export function orMeant(word: string, candidates: Iterable<string>): string {
  const meant = closest(word, candidates);
  return meant === undefined ? '.' : `; did you mean ${meant}?`;
}
