import { decimalsOf } from '../amount.js';
import { calendarDate } from '../coda/format/calendar-date.js';
import { noFixedTerm } from '../coda/format/communication-layout.js';
import type { InformationCommunication } from '../coda/format/information-layouts.js';
import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { categoryNames } from '../coda/names/category-names.js';
import { reasonNames } from '../coda/names/reason-names.js';
import type { Information } from '../coda/statement.js';
import {
  formatAccount,
  formatAmount,
  formatDate,
  formatDecimal,
  formatStructuredReference,
} from './belgian-format.js';
import type { PrintedField, PrintedTexts } from './printed-texts.js';

type Communication = MovementCommunication | InformationCommunication;

/** The printed texts of a communication. */
export interface CommunicationTexts {
  /** Free texts and names, one by one. */
  readonly own: readonly string[];
  /** Values with their label. */
  readonly labelled: readonly string[];
}

/**
 * Returns the texts of a communication: a free text as it is, a structured one by its fields.
 *
 * @param amount that of the movement, which is left out
 * @param isElsewhere true for a field whose value is written elsewhere
 */
export function communicationTexts(
  communication: Communication,
  texts: PrintedTexts,
  amount?: bigint,
  isElsewhere: (name: string, value: unknown) => boolean = () => false,
): CommunicationTexts {
  if (communication.kind !== 'structured') {
    return { own: givenTexts([communication.text]), labelled: [] };
  }
  const { type } = communication;
  if (type === '100' || type === '101' || type === '102') {
    const { reference, remainder = '' } = communication;
    const format = type === '100' ? formatAccount : formatStructuredReference;
    return { own: [format(reference), ...givenTexts([remainder])], labelled: [] };
  }
  const own: string[] = [];
  const labelled: string[] = [];
  if ('terminalName' in communication) {
    const { terminalName, terminalTown } = communication;
    const hasTown = terminalName.endsWith(terminalTown);
    own.push(...givenTexts([hasTown ? terminalName : `${terminalName} ${terminalTown}`]));
  }
  for (const [name, value] of Object.entries(fieldsOf(communication))) {
    const isKnown = ignored.has(name) || (value === amount && isRepeated(name, communication));
    const text = isKnown || isElsewhere(name, value) ? '' : formatField(name, value, texts);
    if (text === '') continue;
    if (!isPrintedField(name, texts)) {
      if (ownText.test(name)) own.push(text);
    } else {
      labelled.push(`${texts.fields[name]} ${text}${unitOf(name, communication)}`);
    }
  }
  return { own, labelled: labelled.map(unbroken) };
}

/** Returns the fields of a communication, also those that cannot be read, as their texts. */
function fieldsOf(
  communication: Communication,
): Readonly<Record<string, string | bigint | undefined>> {
  if (communication.kind !== 'structured') return {};
  const { unread, ...fields } = communication;
  return { ...fields, ...unread };
}

/**
 * Returns the unit of a field, after a space: a percent sign, or the currency if the communication
 * has it.
 */
function unitOf(name: string, communication: Communication): string {
  if (name === 'interestRate' || name === 'percentage') return ' %';
  if (name === 'originalAmount' && 'originalCurrency' in communication) {
    return ` ${communication.originalCurrency}`;
  }
  if (name === 'price' && 'priceCurrency' in communication) {
    return ` ${communication.priceCurrency}`;
  }
  return name === 'amount' && 'currency' in communication ? ` ${communication.currency}` : '';
}

/** Separates the entries of a list. It stays on the line of the entry before it. */
export const separator = '\u00A0· ';

/**
 * Returns the lines of pieces of information. Consecutive free texts are one line. A structured one
 * is whole, or left out: without one of its fields, it would say something else.
 *
 * @param once removes texts that are on the page already
 */
export function informationLines(
  information: readonly Information[],
  texts: PrintedTexts,
  once: (parts: readonly string[]) => string[] = givenTexts,
): string[] {
  const shown = (text: string, communication: InformationCommunication) =>
    countsMoney(communication) ? text : once([text]).join('');
  const lines: string[] = [];
  let isOpen = false;
  for (const { communication } of information) {
    const { own, labelled } = communicationTexts(communication, texts);
    const isFree = communication.kind === 'free';
    const label = partyLabel(communication, texts);
    const content = givenTexts([own.join(' '), ...labelled]).join(separator);
    const isText = labelled.length === 0 && label === '';
    const text = isText
      ? once(own).join(' ')
      : shown(content === '' ? '' : label + content, communication);
    if (text !== '') {
      if (isFree && isOpen) lines.push(`${lines.pop()} ${text}`);
      else lines.push(text);
      isOpen = isFree;
    }
  }
  return lines;
}

/**
 * Returns true for an amount, such as that of a fee or of counted notes, of which there can be two.
 */
function countsMoney(communication: InformationCommunication): boolean {
  return 'amount' in communication;
}

function partyLabel(communication: InformationCommunication, texts: PrintedTexts): string {
  if (communication.kind !== 'structured') return '';
  const { type } = communication;
  return type === '001' || type === '008' || type === '009'
    ? `${texts.parties[type]}${texts.colon}`
    : '';
}

/** Keeps a short label and its value on one line. */
export function unbroken(text: string): string {
  return text.length > 40 ? text : text.replaceAll(' ', '\u00A0');
}

const ignored: ReadonlySet<string> = new Set(['kind', 'type']);
/** Fields that often have the amount of the movement. */
const repeated: ReadonlySet<string> = new Set(['amount', 'amountInEuro', 'originalAmount']);

/** Returns true if a field is the amount of the movement again, and not one of another currency. */
function isRepeated(name: string, communication: Communication): boolean {
  if (name !== 'originalAmount') return repeated.has(name);
  // Nearly all accounts are in euro.
  if (!('originalCurrency' in communication)) return true;
  const { originalCurrency, rate = noExchange } = communication;
  return /^(?:EUR)?$/.test(originalCurrency) && (rate === noExchange || rate === 0n);
}

/** A rate of 1, with its eight decimals. */
const noExchange = 100_000_000n;

const ownText =
  /^(?:text|line\d|name|street|locality|description|category|remainder|nature|securityName|market)$/;

function isPrintedField(name: string, texts: PrintedTexts): name is PrintedField {
  return Object.hasOwn(texts.fields, name);
}

function formatField(
  name: string,
  value: string | bigint | undefined,
  { language, noFixedTerm: endless }: PrintedTexts,
): string {
  if (value === undefined || value === 0n) return '';
  if (value === noFixedTerm) return endless;
  if (name === 'rate' && value === noExchange) return '';
  if (typeof value === 'string') {
    const given = givenText(value);
    if (name === 'count' || name === 'days') return given.replace(/^0+/, '');
    if (name === 'basis') return formatBasis(given);
    if (name === 'period') return formatDays(given);
    if (name === 'category') return categoryNames[language].get(given) ?? given;
    if (name === 'reason') return reasonNames[language].get(given) ?? given;
    return /^\d{4}-\d\d-\d\d$/.test(given) ? formatDate(given) : given;
  }
  const places = decimalsOf(name);
  if (places === 3) return formatAmount(value);
  return formatDecimal(value, places).replace(/(,\d\d\d*?)0+$/, '$1');
}

/** Formats the basis of the interest of an account (type 108): an amount, or a text. */
function formatBasis(text: string): string {
  return /^\d{15}$/.test(text) ? formatAmount(BigInt(text)) : text;
}

/** The last year of a period, which is past or near: from 80 on, years are of the last century. */
const lastYear = 2079;

/**
 * Formats the first and the last day of a period (type 108), DDMMYYDDMMYY. Periods of terminals are
 * numbers.
 */
function formatDays(text: string): string {
  const [, ...days] = /^(\d{6})(\d{6})$/.exec(text) ?? [];
  const dates = days.map((digits) => {
    const date = calendarDate(Number(digits), lastYear);
    return date === undefined ? digits : formatDate(date);
  });
  return dates.join(' – ');
}
