import { parsePointer } from '../../document/json.js';
import type { SpecDocument, SpecNode } from '../../document/spec-document.js';

/** Returns true if an element is written as before, and so is everything that it refers to. */
export type IsUnchanged = (before: SpecNode | undefined, after: SpecNode | undefined) => boolean;

/** Most operations do not change. To recognize them takes less time than to compare them. */
export function unchangedBetween(before: SpecDocument, after: SpecDocument): IsUnchanged {
  const texts = new Map(targetsIn(after).map((reference) => [reference, textAt(after, reference)]));
  const changed = new Set(
    [...texts].flatMap(([reference, text]) =>
      text === textAt(before, reference) ? [] : reference,
    ),
  );
  const reachesChange = (text: string) => referencesIn(text).some((each) => changed.has(each));
  for (let size = -1; size < changed.size; ) {
    size = changed.size;
    for (const [reference, text] of texts) if (reachesChange(text)) changed.add(reference);
  }
  return (old, now) => {
    const text = JSON.stringify(now?.value);
    return JSON.stringify(old?.value) === text && !(text && reachesChange(text));
  };
}

function targetsIn({ value }: SpecDocument): string[] {
  return [...new Set(referencesIn(JSON.stringify(value)))];
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
}

function textAt(document: SpecDocument, reference: string): string {
  return JSON.stringify(document.find(parsePointer(reference))?.value) ?? '';
}
