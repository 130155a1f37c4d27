import type { MailedRequest } from '../asked-mandate.js';
import { longDate } from '../brussels-date.js';
import { requestSections } from './request-sections.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';
import { wrapText } from './wrap-text.js';

/** What mail programs show unbroken, quoted a few times too. */
const WIDTH = 72;

/** The mail as plain text: all that its HTML says, the link on a line of its own. */
export function requestText(request: MailedRequest, texts: RequestMailTexts, link: string): string {
  const { contactName, firmName, mandates, expiresOn, language } = request;
  const paragraph = (text: string) => wrapText(text, WIDTH);
  const blocks = [
    paragraph(texts.greeting(contactName)),
    paragraph(texts.ask(request, mandates.length)),
    ...requestSections(mandates, texts).flatMap(({ heading, purpose, entries }) => [
      heading.toUpperCase(),
      entries
        .map(({ name, notes }) => wrapText(`- ${[name, ...notes].join(' – ')}`, WIDTH, '  '))
        .join('\n'),
      paragraph(purpose),
    ]),
    `${texts.sign}\n${link}`,
    paragraph(texts.deadline(longDate(expiresOn, language))),
    paragraph(texts.personal),
    paragraph(texts.unexpected(firmName)),
  ];
  return `${blocks.join('\n\n')}\n`;
}
