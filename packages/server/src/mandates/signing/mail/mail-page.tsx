import type { Language } from '@adx/contract';
import type { ComponentChildren } from 'preact';
import { longDate } from '../../../dates/brussels-day.js';
import type { FirmContact, MailedRequest } from '../request-details.js';
import {
  askOf,
  notAnswered,
  type RequestSection,
  requestSections,
  subjectOf,
  unexpectedOf,
  waysToReach,
} from './request-text.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

interface MailPageProps {
  readonly request: MailedRequest;
  readonly texts: RequestMailTexts;
  readonly link: string;
}

/** The mail with a signature request as HTML. */
export function MailPage({ request, texts, link }: MailPageProps) {
  const { firmName, contactName, mandates, expiresOn, language } = request;
  return (
    <MailFrame language={language} title={subjectOf(request, texts)}>
      <p class="ink" style={styles.paragraph}>
        {texts.greeting(contactName)}
      </p>
      <p class="ink" style={styles.paragraph}>
        {askOf(request, texts)}
      </p>
      {notAnswered(request, texts).map((text) => (
        <p class="ink" style={styles.paragraph}>
          {text}
        </p>
      ))}
      {requestSections(mandates, texts).map((section) => (
        <Section {...section} />
      ))}
      <Button link={link}>{texts.sign}</Button>
      <p class="ink" style={styles.strong}>
        {texts.deadline(longDate(expiresOn, language))}
      </p>
      <p class="ink" style={styles.paragraph}>
        {unexpectedOf(firmName, mandates, texts)}
      </p>
      <Questions firm={request} texts={texts} />
      <p class="faint" style={styles.small}>
        {texts.personal}
      </p>
      <p class="faint" style={styles.small}>
        {texts.orOpen}
        <br />
        <a class="link" href={link} style={styles.link}>
          {link}
        </a>
      </p>
    </MailFrame>
  );
}

interface MailFrameProps {
  readonly language: Language;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A mail as HTML for old mail programs too: tables, inline styles, no external resources. */
export function MailFrame({ language, title, children }: MailFrameProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{styleSheet}</style>
      </head>
      <body class="ground" style={styles.body}>
        <Card>{children}</Card>
      </body>
    </html>
  );
}

/** One centred column, as wide as the screen on a phone. */
function Card({ children }: { readonly children: ComponentChildren }) {
  return (
    <Table width="100%" class="ground" style={styles.ground}>
      <td align="center" style={styles.margin}>
        <Table width="100%" class="card" style={styles.card}>
          <td style={styles.inside}>{children}</td>
        </Table>
      </td>
    </Table>
  );
}

/** How to reach the firm, if the operator has entered that. */
export function Questions({
  firm,
  texts,
}: {
  readonly firm: FirmContact;
  readonly texts: RequestMailTexts;
}) {
  const ways = waysToReach(firm);
  if (ways.length === 0) return null;
  return (
    <p class="ink" style={styles.paragraph}>
      {texts.questions(firm.firmName)}
      {ways.map(({ text, url }) => (
        <>
          <br />
          <a class="link" href={url} style={styles.link}>
            {text}
          </a>
        </>
      ))}
    </p>
  );
}

function Section({ heading, purpose, entries }: RequestSection) {
  return (
    <>
      <h2 class="ink" style={styles.heading}>
        {heading}
      </h2>
      {entries.map(({ name, notes }) => (
        <Table width="100%" class="entry" style={styles.entry}>
          <td class="ink" style={styles.entryText}>
            <strong>{name}</strong>
            {notes.map((note) => (
              <>
                <br />
                {note}
              </>
            ))}
          </td>
        </Table>
      ))}
      <p class="ink" style={styles.paragraph}>
        {purpose}
      </p>
    </>
  );
}

interface ButtonProps {
  readonly link: string;
  readonly children: ComponentChildren;
}

function Button({ link, children }: ButtonProps) {
  return (
    <Table style={styles.buttonRow}>
      <td class="button" style={styles.buttonCell}>
        <a class="button-link" href={link} style={styles.button}>
          {children}
        </a>
      </td>
    </Table>
  );
}

interface TableProps {
  readonly class?: string;
  readonly style: string;
  /** By default as wide as its content. */
  readonly width?: string;
  /** One cell. */
  readonly children: ComponentChildren;
}

/** HTML 4 attributes for the layout in old mail programs. */
const bare = { role: 'presentation', border: '0', cellpadding: '0', cellspacing: '0' } as const;

/** A layout table with one row and no borders. */
function Table({ class: name, style, width, children }: TableProps) {
  return (
    <table {...bare} {...(width && { width })} {...(name && { class: name })} style={style}>
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

const font = 'font-family:Arial,Helvetica,sans-serif;';
const ink = '#1c2733';
const faint = '#51606f';
const accent = '#0b5cad';

/** Inline styles, which all mail programs support. */
export const styles = {
  body: 'margin:0;padding:0;background-color:#eef1f4;',
  ground: 'background-color:#eef1f4;',
  margin: 'padding:24px 12px;',
  card: 'max-width:600px;background-color:#ffffff;border:1px solid #d5dbe1;border-radius:8px;',
  inside: 'padding:28px 24px;text-align:left;word-break:break-word;',
  paragraph: `margin:0 0 16px;${font}font-size:16px;line-height:24px;color:${ink};`,
  strong: `margin:0 0 16px;${font}font-size:16px;line-height:24px;font-weight:bold;color:${ink};`,
  small: `margin:0 0 12px;${font}font-size:14px;line-height:20px;color:${faint};`,
  heading: `margin:24px 0 8px;${font}font-size:18px;line-height:26px;color:${ink};`,
  entry: `margin:0 0 8px;background-color:#f4f6f8;border-left:4px solid ${accent};`,
  entryText: `padding:10px 14px;${font}font-size:16px;line-height:24px;color:${ink};`,
  buttonRow: 'margin:28px 0;',
  buttonCell: `background-color:${accent};border-radius:6px;`,
  button: `display:inline-block;padding:14px 28px;${font}font-size:17px;line-height:22px;font-weight:bold;color:#ffffff;text-decoration:none;`,
  link: `color:${accent};word-break:break-all;`,
};

/**
 * For mail programs with a dark mode; others only use the inline styles. Contains no quotes, `<` or
 * `&`, which JSX would escape.
 */
const styleSheet = `
@media (prefers-color-scheme: dark) {
  .ground { background-color: #12171c !important; }
  .card { background-color: #1c242c !important; border-color: #36424e !important; }
  .entry { background-color: #26313b !important; }
  .ink { color: #e8edf2 !important; }
  .faint { color: #aab6c2 !important; }
  .link { color: #8cc4ff !important; }
}
`;
