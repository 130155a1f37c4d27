import type { Language } from '@adx/contract';
import type { ComponentChildren } from 'preact';
import { type RequestSection, waysToReach } from '../mail/request-text.js';
import type { FirmContact } from '../request-details.js';
import type { ShownFact, ShownText } from '../shown-request.js';
import { languages, textsIn } from '../texts/all-texts.js';
import type { SigningTexts } from '../texts/en.js';
import { markUrl } from './palette.js';
import { styleSheet } from './style-sheet.js';

interface PageLayoutProps {
  readonly language: Language;
  readonly title: string;
  readonly children: ComponentChildren;
  /** The content below the card. */
  readonly footer?: ComponentChildren;
}

/** A page with links to the other languages and one card, rendered with preact (L-07). */
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

/** The links are relative, because a proxy may serve the service under a path. */
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
  readonly texts: SigningTexts;
  readonly firm: FirmContact;
}

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

export function Facts({ facts }: { readonly facts: readonly ShownFact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface MandateListProps {
  readonly sections: readonly RequestSection[];
  /** Returns what stands below a mandate; their places count from 1 through all sections. */
  readonly below?: ((place: number) => ComponentChildren) | undefined;
}

function MandateList({ sections, below }: MandateListProps) {
  let place = 0;
  return sections.map(({ heading, purpose, entries }, section) => (
    <>
      <h2>{heading}</h2>
      <ul class="entries" {...(below && section === 0 && { id: 'mandates' })}>
        {entries.map(({ name, notes }) => (
          <li>
            <strong>{name}</strong>
            {notes.map((note) => (
              <span>{note}</span>
            ))}
            {below?.(++place)}
          </li>
        ))}
      </ul>
      <p>{purpose}</p>
    </>
  ));
}

interface ShownContentProps {
  readonly text: ShownText;
  /** Facts that nobody signs, after the others. */
  readonly furtherFacts?: readonly ShownFact[];
  readonly below?: MandateListProps['below'];
}

/** The shown text without its title, consent and refusal. */
export function ShownContent({ text, furtherFacts = [], below }: ShownContentProps) {
  const { lead, facts, sections, meaning } = text;
  return (
    <>
      <p>{lead}</p>
      <Facts facts={[...facts, ...furtherFacts]} />
      <MandateList sections={sections} below={below} />
      <h2>{meaning.title}</h2>
      <ul class="meaning">
        {meaning.paragraphs.map((paragraph) => (
          <li>{paragraph}</li>
        ))}
      </ul>
    </>
  );
}
