import type { Language } from '@adx/contract';
import type { ComponentChildren } from 'preact';
import { requestSections, waysToReach } from '../mail/request-text.js';
import type { FirmContact, MandateSummary } from '../request-details.js';
import { markUrl } from './palette.js';
import { styleSheet } from './style-sheet.js';
import { languages, textsIn } from './texts/all-texts.js';
import type { Fact, SigningPageTexts } from './texts/signing-page-texts.js';

interface PageLayoutProps {
  readonly language: Language;
  readonly title: string;
  readonly children: ComponentChildren;
  /** Shown below the card. */
  readonly footer?: ComponentChildren;
}

/** A page with the name of the service, links to the other languages, and one card (rendered with preact, L-07). */
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

/** The links are relative, so that they work behind a proxy that serves the service under a path. */
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

export function Paragraphs({ children }: { readonly children: readonly string[] }) {
  return children.map((paragraph) => <p>{paragraph}</p>);
}

interface QuestionsProps {
  readonly texts: SigningPageTexts;
  readonly firm: FirmContact;
}

/** How to reach the firm, as in the mail. */
export function Questions({ texts, firm }: QuestionsProps) {
  const ways = waysToReach(firm);
  if (ways.length === 0) return null;
  return (
    <p class="questions">
      {texts.mail.questions(firm.firmName)}
      {ways.map(({ text, url }) => (
        <a href={url}>{text}</a>
      ))}
    </p>
  );
}

/** A fact and its value. A fact without a value is omitted. */
export type KnownFact = readonly [fact: Fact, value: string | null];

interface FactsProps {
  readonly texts: SigningPageTexts;
  readonly facts: readonly KnownFact[];
}

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

interface MandateListProps {
  readonly texts: SigningPageTexts;
  readonly mandates: readonly MandateSummary[];
  /** True to show the purpose of the mandates, as before they are signed. */
  readonly withPurpose: boolean;
}

/** The mandates grouped by product, as in the mail. */
export function MandateList({ texts, mandates, withPurpose }: MandateListProps) {
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
