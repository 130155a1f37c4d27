import type { Fact, SigningPageTexts } from './texts/signing-page-texts.js';

interface FactsProps {
  readonly texts: SigningPageTexts;
  /** In their order; those without a value are left out. */
  readonly facts: Partial<Record<Fact, string | null>>;
}

/** Who asks, for whom, and what else is known in a few words. */
export function Facts({ texts, facts }: FactsProps) {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return (
    <dl class="facts">
      {known.map(([fact, value]) => (
        <div>
          <dt>{texts.facts[fact as Fact]}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
