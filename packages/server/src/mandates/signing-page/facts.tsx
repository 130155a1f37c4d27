import type { Fact, SigningPageTexts } from './texts/signing-page-texts.js';

/** What is known of something; without a value it is left out. */
export type KnownFact = readonly [fact: Fact, value: string | null];

interface FactsProps {
  readonly texts: SigningPageTexts;
  readonly facts: readonly KnownFact[];
}

/** Who asks, for whom, and what else is known in a few words. */
export function Facts({ texts, facts }: FactsProps) {
  const known = facts.filter(([, value]) => value !== null);
  return (
    <dl class="facts">
      {known.map(([fact, value]) => (
        <div>
          <dt>{texts.facts[fact]}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
