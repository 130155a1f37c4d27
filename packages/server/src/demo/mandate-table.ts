const requestWords = [
  ...(['created', 'waiting', 'expired', 'declined'] as const),
  ...(['signed', 'refused', 'undelivered'] as const),
] as const;
const mandateWords = ['waiting', 'confirmed', 'refused', 'active', 'ended', '-'] as const;

/** What has become of a mandate that was signed. */
export type DemoOutcome = (typeof mandateWords)[number];

/** What has become of the mandates of a customer of the demo. */
export interface DemoMandates {
  readonly request: (typeof requestWords)[number];
  /** Of each mandate in the order in which they were linked, once they are signed. */
  readonly outcomes: readonly DemoOutcome[];
}

/** Reads the table of `demo-mandates.ts`, by the reference of the customer. */
export function readMandateTable(table: string): ReadonlyMap<string, DemoMandates> {
  return new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [reference = '', request = '', outcomes = ''] = line.split('|');
        const words = outcomes.split(' ').filter((word) => word !== '');
        return [
          reference.trim(),
          {
            request: oneOf(requestWords, request.trim()),
            outcomes: words.map((word) => oneOf(mandateWords, word)),
          },
        ];
      }),
  );
}

function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new Error(`The demo has no ${text}`);
  return found;
}
