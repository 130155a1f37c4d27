import type { FindingValues } from './finding.js';

/** The languages of findings. */
export const findingLanguages = ['en', 'fr', 'nl', 'de'] as const;
export type FindingLanguage = (typeof findingLanguages)[number];

/** A text per code of a catalogue. */
export type FindingTexts<Code extends string> = Readonly<Record<Code, string>>;

interface Wording {
  readonly colon: string;
  readonly blank: string;
  readonly both: (found: string, expected: string) => string;
  readonly expected: (expected: string) => string;
}

const wordings: Readonly<Record<FindingLanguage, Wording>> = {
  en: {
    colon: ': ',
    blank: 'blank',
    both: (found, expected) => `${found} instead of ${expected}`,
    expected: (expected) => `expected ${expected}`,
  },
  fr: {
    colon: '\u00A0: ',
    blank: 'vide',
    both: (found, expected) => `${found} au lieu de ${expected}`,
    expected: (expected) => `attendu ${expected}`,
  },
  nl: {
    colon: ': ',
    blank: 'leeg',
    both: (found, expected) => `${found} in plaats van ${expected}`,
    expected: (expected) => `verwacht ${expected}`,
  },
  de: {
    colon: ': ',
    blank: 'leer',
    both: (found, expected) => `${found} statt ${expected}`,
    expected: (expected) => `erwartet ${expected}`,
  },
};

/**
 * Adds the values of a finding to its text.
 *
 * @example describeValues('The sign is wrong', { found: '2' }, 'en') // 'The sign is wrong: 2'
 */
export function describeValues(
  text: string,
  { field, found, expected }: FindingValues,
  language: FindingLanguage,
): string {
  const { colon, blank, both, expected: alone } = wordings[language];
  const shown = (value: string) => (value.trim() === '' ? blank : value);
  const values: string[] = field === undefined ? [] : [field];
  if (found !== undefined) {
    values.push(expected === undefined ? shown(found) : both(shown(found), shown(expected)));
  } else if (expected !== undefined) {
    values.push(alone(shown(expected)));
  }
  return values.length === 0 ? text : text + colon + values.join(', ');
}
