import type { Language } from '@adx/contract';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Message } from '../../../mail/message.js';
import type { Line, RequestSection } from './request-text.js';

interface MailContent {
  readonly language: Language;
  readonly subject: string;
  /** The paragraphs of the text. */
  readonly text: readonly string[];
  /** The same content as HTML. */
  readonly html: ComponentChildren;
}

/** Renders a mail. Its HTML is for old mail programs too, and loads nothing. */
export function renderMail({
  language,
  subject,
  text,
  html,
}: MailContent): Pick<Message, 'language' | 'subject' | 'text' | 'html'> {
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styleSheet}</style>
      </head>
      <body class="ground" style={styles.body}>
        <Card>{html}</Card>
      </body>
    </html>
  );
  return {
    language,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!DOCTYPE html>${render(page)}`,
  };
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

interface LinesProps {
  readonly lines: readonly Line[];
  readonly look?: 'paragraph' | 'strong' | 'small';
}

export function Lines({ lines, look = 'paragraph' }: LinesProps) {
  return (
    <p class={look === 'small' ? 'faint' : 'ink'} style={styles[look]}>
      {lines.map((line, place) => (
        <>
          {place > 0 && <br />}
          {typeof line === 'string' ? (
            line
          ) : (
            <a class="link" href={line.url} style={styles.link}>
              {line.text}
            </a>
          )}
        </>
      ))}
    </p>
  );
}

export function Section({ heading, purpose, entries }: RequestSection) {
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
      <Lines lines={[purpose]} />
    </>
  );
}

export function Button({ link, text }: { readonly link: string; readonly text: string }) {
  return (
    <Table style={styles.buttonRow}>
      <td class="button" style={styles.buttonCell}>
        <a class="button-link" href={link} style={styles.button}>
          {text}
        </a>
      </td>
    </Table>
  );
}

interface TableProps {
  readonly class?: string;
  readonly style: string;
  /** The width; by default that of the content. */
  readonly width?: string;
  /** The cell of the table. */
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
const styles = {
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
 * The styles for mail programs with a dark mode; others only use the inline styles. It contains no
 * quotes, `<` or `&`, which JSX would escape.
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
