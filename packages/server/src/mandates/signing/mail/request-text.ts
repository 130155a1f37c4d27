import type { Language, Product } from '@adx/contract';
import { formatIban } from '../../../identifiers/iban.js';
import { validityDays } from '../../lifecycle.js';
import type { FirmContact, MandateSummary } from '../request-details.js';
import { textsIn } from '../texts/all-texts.js';
import type { SigningTexts } from '../texts/en.js';

/** The line length that mail programs do not break, even after a few levels of quoting. */
const WIDTH = 72;

type MailTexts = SigningTexts['mail'];

/** Returns the last day of the consents that a signature request renews: all mandates, or none. */
export function renewedUntil([first]: readonly MandateSummary[]): string | undefined {
  return first !== undefined && 'renewsUntil' in first ? first.renewsUntil : undefined;
}

/** Returns the texts of a request for these mandates. */
export function mailTexts(language: Language, mandates: readonly MandateSummary[]): MailTexts {
  const { mail } = textsIn[language];
  const lastDay = renewedUntil(mandates);
  return lastDay === undefined ? mail : { ...mail, ...mail.renewal(lastDay) };
}

/** A line of a paragraph: a text, or one that opens a URL. */
export type Line = string | Link;

interface Link {
  readonly text: string;
  readonly url: string;
}

export function textOf(lines: readonly Line[]): string {
  return lines
    .map((line) => wrapText(typeof line === 'string' ? line : line.text, WIDTH))
    .join('\n');
}

export function textOfSection({ heading, purpose, entries }: RequestSection): string[] {
  return [
    heading.toUpperCase(),
    entries
      .map(({ name, notes }) => wrapText(`- ${[name, ...notes].join(' – ')}`, WIDTH, '  '))
      .join('\n'),
    textOf([purpose]),
  ];
}

/** Returns the paragraph that says how to reach the firm, if the operator has entered that. */
export function questionsOf(firm: FirmContact, texts: MailTexts): Line[][] {
  const ways = waysToReach(firm);
  return ways.length === 0 ? [] : [[texts.questions(firm.firmName), ...ways]];
}

/** Returns the ways to reach a firm: the operator has entered them, so they may be hyperlinks. */
export function waysToReach({ firmEmail, firmPhone }: FirmContact): Link[] {
  return [
    ...(firmEmail === null ? [] : [{ text: firmEmail, url: `mailto:${firmEmail}` }]),
    ...(firmPhone === null
      ? []
      : [{ text: firmPhone, url: `tel:${firmPhone.replaceAll(/[ ./-]/g, '')}` }]),
  ];
}

/** The mandates of one product. */
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
  language: Language,
): RequestSection[] {
  const texts = mailTexts(language, mandates);
  return Object.entries(introductions).flatMap(([product, introduce]) => {
    const entries = mandates
      .filter((mandate) => mandate.product === product)
      .map((mandate) => entryOf(mandate, texts));
    return entries.length === 0 ? [] : { ...introduce(texts, entries.length), entries };
  });
}

const introductions: Readonly<
  Record<Product, (texts: MailTexts, count: number) => Omit<RequestSection, 'entries'>>
> = {
  CODA: (texts, count) => ({
    heading: texts.accountsHeading,
    purpose: texts.accountsPurpose(count),
  }),
  CODB: (texts, count) => ({ heading: texts.payrollHeading, purpose: texts.payrollPurpose(count) }),
};

function entryOf(mandate: MandateSummary, texts: MailTexts): RequestEntry {
  if (!('iban' in mandate)) return { name: mandate.payrollProviderName, notes: [] };
  const { iban, bankName, isLightConnector } = mandate;
  const notes = [
    ...(bankName === undefined ? [] : [bankName]),
    ...(isLightConnector ? [texts.consent(validityDays)] : []),
  ];
  return { name: formatIban(iban), notes };
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
