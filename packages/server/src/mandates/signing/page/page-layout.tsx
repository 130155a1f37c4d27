import type { Language } from '@adx/contract';
import type { ComponentChildren } from 'preact';
import { requestSections } from '../mail/request-text.js';
import type { AskedMandate } from '../request-details.js';
import { markUrl } from './palette.js';
import { styleSheet } from './style-sheet.js';
import { languages, textsIn } from './texts/all-texts.js';
import type { Fact, SigningPageTexts } from './texts/signing-page-texts.js';

interface PageLayoutProps {
  readonly language: Language;
  readonly title: string;
  readonly children: ComponentChildren;
  /** Below the card. */
  readonly footer?: ComponentChildren;
}

/** A page: who it is from, the other languages, and one card. */
export function PageLayout({ language, title, children, footer }: PageLayoutProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={markUrl} />
        <style>{styleSheet}</style>
      </head>
      <body>
        <header>
          <p class="brand">
            <img src={markUrl} width="28" height="28" alt="" />
            <span lang="en">Accounting Data Exchange</span>
          </p>
          <LanguageLinks current={language} />
        </header>
        <main>
          <div class="card">{children}</div>
        </main>
        {footer && <footer>{footer}</footer>}
      </body>
    </html>
  );
}

/** Relative, so that they hold wherever a proxy has put the service. */
function LanguageLinks({ current }: { readonly current: Language }) {
  return (
    <nav aria-label={textsIn[current].languages}>
      <ul>
        {languages.map((language) => (
          <li>
            <a
              href={`?lang=${language}`}
              lang={language}
              hreflang={language}
              {...(language === current && { 'aria-current': 'true' as const })}
            >
              {textsIn[language].language}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Texts, one below the other. */
export function Paragraphs({ children }: { readonly children: readonly string[] }) {
  return children.map((paragraph) => <p>{paragraph}</p>);
}

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

interface AskedListProps {
  readonly texts: SigningPageTexts;
  readonly mandates: readonly AskedMandate[];
  /** Whether to say what the mandates are for, which is of use before they are signed. */
  readonly withPurpose: boolean;
}

/** The mandates by product, as the mail lists them. */
export function AskedList({ texts, mandates, withPurpose }: AskedListProps) {
  return requestSections(mandates, texts.mail).map(({ heading, purpose, entries }) => (
    <>
      <h2>{heading}</h2>
      <ul class="entries">
        {entries.map(({ name, notes }) => (
          <li>
            <strong>{name}</strong>
            {notes.map((note) => (
              <span>{note}</span>
            ))}
          </li>
        ))}
      </ul>
      {withPurpose && <p>{purpose}</p>}
    </>
  ));
}
