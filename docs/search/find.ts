import MiniSearch, { type Query } from 'minisearch';
import { stemmer } from 'stemmer';

/** Something that the search finds: a page, a part of one under its heading, or an operation. */
export interface Entry {
  /** From the root of the site, with a fragment: `guide/files.html#the-safe-order`. */
  readonly path: string;
  readonly title: string;
  /** Where it is: the section of a page, the page of a part, method and path of an operation. */
  readonly place: string;
  readonly text: string;
  /** Words for it besides the title: an `operationId`, a message, a status. */
  readonly names: readonly string[];
  /** Words by which it is found too, and which no reader needs to see. */
  readonly words?: string;
}

/** Words that are in every page, and so say nothing about what a reader looks for. */
const stopWords = new Set(
  'a all an and any are as be by can do does for from get has have how i if in is it its me my no not of on or that the there this to was we what when where which why with you your'.split(
    ' ',
  ),
);

/** The words that readers type, by their stems, and those of this site for the same. */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wrong: 'invalid',
    bad: 'invalid',
    unknown: 'notFound',
    refused: 'rejected',
    pagination: 'paging',
    paginate: 'paging',
    cursor: 'paging',
    callback: 'webhooks',
    notification: 'webhooks',
    insomnia: 'postman',
    csharp: 'dotnet',
    timezone: 'time zone',
    log: 'sign',
    auth: 'sign',
    token: 'id token',
    swift: 'bic',
    vat: 'enterprise number',
    kbo: 'enterprise number',
    delete: 'archive',
    duplicate: 'exists',
    remove: 'archive',
    salary: 'payroll',
    wages: 'payroll',
    ack: 'acknowledge',
    mock: 'sandbox',
    test: 'sandbox',
    changelog: 'changes',
  }).map(([word, other]) => [stemmer(word), other]),
);

/** Returns the words of a text. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/c#/gi, 'csharp')
    .replaceAll(/\.net\b/gi, ' dotnet')
    .replaceAll(/node\.js/gi, 'nodejs')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the words of a text and, of one such as `createCustomer`, its parts. */
function wordsWithParts(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

const termOf = (word: string) => (stopWords.has(word.toLowerCase()) ? null : stemmer(word));

const hasDigit = (word: string) => /\d/.test(word);

/** How much more an entry counts by its path; the first that matches. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/^help\/glossary/, 1],
  [/^(?:guide|help)\//, 1.5],
  [/^reference\//, 0.6],
  [/^errors\//, 1.2],
];

function weightOf(path: string): number {
  return weights.find(([place]) => place.test(path))?.[1] ?? 1;
}

/**
 * Partners' pages come first, then single findings, journeys and changes, of which there are many,
 * then the pages of operators, and decisions and proofs last.
 */
function groupOf({ path }: Entry): number {
  if (/^(?:decisions\/|operators\/proofs)/.test(path)) return 3;
  if (path.startsWith('operators/')) return 2;
  return /^(?:findings\/cod|interface\/.*#)/.test(path) ? 1 : 0;
}

const byGroup = (one: Entry, other: Entry) => groupOf(one) - groupOf(other);

/**
 * Returns true for findings such as `balance`, and for parts of operators' pages whose title is one
 * word. Readers who search for such a word mostly mean another page.
 */
function isOfOrdinaryWord({ path, title }: Entry): boolean {
  return (
    /^findings\/.*#[a-z]+$/.test(path) || (/^operators\/.*#/.test(path) && !title.includes(' '))
  );
}

/** Returns a text as names are compared: `iban in use` like `ibanInUse`. */
function comparable(text: string): string {
  return wordsOf(text).map(stemmer).join('');
}

/**
 * Returns a function that finds entries by what a reader types, the best first: those of that title
 * or name, then those with all of its words, in partners' pages first.
 */
export function searchIn(entries: readonly Entry[]): (typed: string) => Entry[] {
  const index = new MiniSearch<Entry & { id: number }>({
    fields: ['title', 'names', 'place', 'text', 'words'],
    extractField: (entry, field) =>
      field === 'names' ? entry.names.join(' ') : String(entry[field as keyof typeof entry] ?? ''),
    tokenize: wordsWithParts,
    processTerm: termOf,
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  const named = new Map<string, Entry[]>();
  for (const entry of entries.filter((each) => !isOfOrdinaryWord(each))) {
    for (const name of new Set([entry.title, ...entry.names].map(comparable))) {
      named.set(name, [...(named.get(name) ?? []), entry]);
    }
  }

  return (typed) => {
    const words = queriedWords(typed);
    const found = ['AND' as const, 'OR' as const].map((combineWith) =>
      index.search(
        { combineWith, queries: words.map(alternativesOf) },
        {
          boost: { title: 8, names: 6, place: 3 },
          prefix: (word) => !hasDigit(word),
          fuzzy: (word) => (word.length > 4 && !hasDigit(word) ? 0.2 : false),
          boostDocument: (id) => weightOf(entries[Number(id)]?.path ?? ''),
        },
      ),
    );
    const results = (found[0]?.length ? found[0] : (found[1] ?? [])).flatMap(({ id }) => {
      const entry = entries[Number(id)];
      return entry ? [entry] : [];
    });
    const exact = exactly(typed);
    return [...new Set([...exact, ...results.toSorted(byGroup)])];
  };

  /** Returns the entries of this title or name; of partners' pages only, if there are any. */
  function exactly(typed: string): Entry[] {
    const words = queriedWords(typed);
    const telling = words.join(' ');
    const usual = words.map((word) => synonyms.get(stemmer(word)) ?? word).join(' ');
    const all =
      [typed, telling, usual].map((text) => named.get(comparable(text))).find(Boolean) ?? [];
    const isLiteral = ({ title, names }: Entry) =>
      [title, ...names].some((name) => name.toLowerCase() === typed.toLowerCase());
    const best = Math.min(...all.map(groupOf));
    return all
      .filter((entry) => groupOf(entry) === best)
      .toSorted(
        (one, other) =>
          weightOf(other.path) - weightOf(one.path) ||
          Number(isLiteral(other)) - Number(isLiteral(one)),
      );
  }
}

/** Returns the words that are searched: all if there are only those that say nothing. */
function queriedWords(typed: string): string[] {
  const all = wordsOf(typed).map((word) => word.toLowerCase());
  const telling = all.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : all;
}

/** Returns a query for a word or its synonym, which counts less. */
function alternativesOf(word: string): Query {
  const other = synonyms.get(stemmer(word));
  if (other === undefined) return word;
  const queries = other.split(' ');
  return {
    combineWith: 'OR',
    queries: [word, { combineWith: 'AND', queries, boostTerm: () => 0.5 }],
  };
}
