import { longDate } from '../../../dates/brussels-day.js';
import { groupedIban } from '../../../identifiers/iban.js';
import { validityDays } from '../../lifecycle.js';
import type { AskedMandate, MailedRequest } from '../request-details.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

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

/** The mandates of one product: what they are for, and each of them. */
export interface RequestSection {
  readonly heading: string;
  readonly purpose: string;
  readonly entries: readonly RequestEntry[];
}

interface RequestEntry {
  /** The account, or the payroll provider. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** What is asked: accounts first, then payroll providers; nothing of a product that is not asked for. */
export function requestSections(
  mandates: readonly AskedMandate[],
  texts: RequestMailTexts,
): RequestSection[] {
  const accounts = mandates.filter((mandate) => mandate.product === 'CODA');
  const providers = mandates.filter((mandate) => mandate.product === 'CODB');
  return [
    {
      heading: texts.accountsHeading,
      purpose: texts.accountsPurpose(accounts.length),
      entries: accounts.map(({ iban, bankName, isLightConnector }) => ({
        name: groupedIban(iban),
        notes: [
          ...(bankName === undefined ? [] : [bankName]),
          ...(isLightConnector ? [texts.consent(validityDays)] : []),
        ],
      })),
    },
    {
      heading: texts.payrollHeading,
      purpose: texts.payrollPurpose(providers.length),
      entries: providers.map(({ payrollProviderName: name }) => ({ name, notes: [] })),
    },
  ].filter(({ entries }) => entries.length > 0);
}

/**
 * A paragraph in lines of at most `width` characters, each after the first begun with `indent`. A
 * word that is longer has a line of its own.
 */
export function wrapText(paragraph: string, width: number, indent = ''): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(lines.length === 0 ? word : `${indent}${word}`);
    }
  }
  return lines.join('\n');
}
