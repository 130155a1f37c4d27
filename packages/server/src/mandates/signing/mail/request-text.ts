import { longDate } from '../../../dates/brussels-day.js';
import { formatIban } from '../../../identifiers/iban.js';
import { validityDays } from '../../lifecycle.js';
import type { FirmContact, MailedRequest, MandateSummary } from '../request-details.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

/** The line length that mail programs do not break, even after a few levels of quoting. */
export const WIDTH = 72;

/**
 * Returns the mail as plain text: the content of its HTML, with the signing URL on a separate line.
 */
export function requestText(request: MailedRequest, texts: RequestMailTexts, link: string): string {
  const { contactName, firmName, mandates, expiresOn, language } = request;
  const paragraph = (text: string) => wrapText(text, WIDTH);
  const blocks = [
    paragraph(texts.greeting(contactName)),
    paragraph(askOf(request, texts)),
    ...notAnswered(request, texts).map(paragraph),
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
    paragraph(unexpectedOf(firmName, mandates, texts)),
    ...questionsText(request, texts),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Returns the subject of a signature request or of a reminder. */
export function subjectOf(request: MailedRequest, texts: RequestMailTexts): string {
  const { subject: subjectOfRequest } = isRenewal(request.mandates) ? texts.renewal : texts;
  const subject = subjectOfRequest(request);
  return request.askedOn === undefined ? subject : texts.reminder.subject(subject);
}

/**
 * Returns the last day of the consents that a signature request renews, or undefined. It renews all
 * of its mandates.
 */
export function renewedUntil([first]: readonly MandateSummary[]): string | undefined {
  return first?.product === 'CODA' ? first.renewsUntil : undefined;
}

const isRenewal = (mandates: readonly MandateSummary[]) => renewedUntil(mandates) !== undefined;

/** Returns what a mail asks for. */
export function askOf(request: MailedRequest, texts: RequestMailTexts): string {
  const { mandates } = request;
  const lastDay = renewedUntil(mandates);
  return lastDay === undefined
    ? texts.ask(request, mandates.length)
    : texts.renewal.ask(request, mandates.length, lastDay);
}

/** Returns what a contact can do who did not expect the request. */
export function unexpectedOf(
  firmName: string,
  mandates: readonly MandateSummary[],
  texts: RequestMailTexts,
): string {
  const lastDay = renewedUntil(mandates);
  return lastDay === undefined
    ? texts.unexpected(firmName)
    : texts.renewal.unexpected(firmName, lastDay);
}

/** Returns the paragraph of a reminder that a request does not have. */
export function notAnswered(
  { askedOn, language }: MailedRequest,
  { reminder }: RequestMailTexts,
): string[] {
  return askedOn === undefined ? [] : [reminder.notAnswered(longDate(askedOn, language))];
}

/** How to reach the firm, if the operator has entered that. */
export function questionsText(firm: FirmContact, texts: RequestMailTexts): string[] {
  const ways = waysToReach(firm).map(({ text }) => text);
  if (ways.length === 0) return [];
  return [[wrapText(texts.questions(firm.firmName), WIDTH), ...ways].join('\n')];
}

/** An e-mail address or a phone number, with the URL that opens it. */
interface WayToReach {
  readonly text: string;
  readonly url: string;
}

/** Returns the ways to reach a firm. The operator has entered them, so they may be hyperlinks. */
export function waysToReach({ firmEmail, firmPhone }: FirmContact): WayToReach[] {
  return [
    ...(firmEmail === null ? [] : [{ text: firmEmail, url: `mailto:${firmEmail}` }]),
    ...(firmPhone === null
      ? []
      : [{ text: firmPhone, url: `tel:${firmPhone.replaceAll(/[ ./-]/g, '')}` }]),
  ];
}

/** The mandates of one product, and their purpose. */
export interface RequestSection {
  readonly heading: string;
  readonly purpose: string;
  readonly entries: readonly RequestEntry[];
}

interface RequestEntry {
  /** The IBAN, or the name of the payroll provider. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** Groups mandates: accounts first, then payroll providers. Omits a product without mandates. */
export function requestSections(
  mandates: readonly MandateSummary[],
  texts: RequestMailTexts,
): RequestSection[] {
  const accounts = mandates.filter((mandate) => mandate.product === 'CODA');
  const providers = mandates.filter((mandate) => mandate.product === 'CODB');
  return [
    {
      heading: texts.accountsHeading,
      purpose: (isRenewal(accounts) ? texts.renewal : texts).accountsPurpose(accounts.length),
      entries: accounts.map(({ iban, bankName, isLightConnector, renewsUntil }) => ({
        name: formatIban(iban),
        notes: [
          ...(bankName === undefined ? [] : [bankName]),
          ...(isLightConnector ? [consentOf(renewsUntil, texts)] : []),
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

function consentOf(renewsUntil: string | undefined, texts: RequestMailTexts): string {
  return renewsUntil === undefined
    ? texts.consent(validityDays)
    : texts.renewal.consent(renewsUntil, validityDays);
}

/**
 * Breaks a paragraph into lines of at most `width` characters and indents all but the first. A
 * longer word stays whole on a separate line.
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
