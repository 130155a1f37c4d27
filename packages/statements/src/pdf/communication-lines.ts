import type { InformationCommunication } from '../coda/format/information-layouts.js';
import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import {
  formatAccount,
  formatAmount,
  formatDate,
  formatDecimal,
  formatStructuredReference,
} from './belgian-format.js';
import type { PrintedField, PrintedTexts } from './printed-texts.js';

type Communication = MovementCommunication | InformationCommunication;

/** The decimals of numbers that are not amounts, which are in thousandths. */
const decimals: Readonly<Record<string, number>> = {
  rate: 8,
  percentage: 8,
  interestRate: 8,
  volume: 2,
};

/** Prints a communication as lines: free text unchanged, a structured one by its fields. */
export function communicationLines(communication: Communication, texts: PrintedTexts): string[] {
  if (communication.kind !== 'structured') return [communication.text];
  const { type } = communication;
  if (type === '100') return [formatAccount(communication.reference)];
  if (type === '101' || type === '102') return [formatStructuredReference(communication.reference)];
  if (type === '001') {
    const { name, street, locality, identification } = communication;
    return [[name, street, locality, identification].filter((part) => part !== '').join(', ')];
  }
  return fieldLines(communication, texts);
}

/** The fields without a label on one line, those with a label on the next. */
function fieldLines(communication: Communication, texts: PrintedTexts): string[] {
  const own: string[] = [];
  const labelled: string[] = [];
  for (const [name, value] of Object.entries(communication)) {
    const text = Object.hasOwn(ignored, name) ? '' : formatField(name, value);
    if (text === '') continue;
    if (!isPrintedField(name, texts)) {
      if (ownText.test(name)) own.push(text);
    } else if (name === 'originalAmount' && 'originalCurrency' in communication) {
      labelled.push(`${texts.fields[name]} ${text} ${communication.originalCurrency}`);
    } else {
      labelled.push(`${texts.fields[name]} ${text}`);
    }
  }
  const list = labelled.map(unbroken).join(' · ');
  return [own.join(' '), list].filter((line) => line !== '');
}

/** Keeps a short label and its value on one line. */
function unbroken(text: string): string {
  return text.length > 40 ? text : text.replaceAll(' ', '\u00A0');
}

const ignored: Readonly<Record<string, true>> = { kind: true, type: true };
const ownText = /^(?:text|line\d|name|description|terminalName|terminalTown|remainder)$/;

function isPrintedField(name: string, texts: PrintedTexts): name is PrintedField {
  return Object.hasOwn(texts.fields, name);
}

function formatField(name: string, value: string | bigint | undefined): string {
  if (value === undefined || value === 0n) return '';
  if (typeof value === 'string') {
    if (/^0*$/.test(value)) return '';
    return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : value;
  }
  const places = decimals[name];
  if (places === undefined) return formatAmount(value);
  return formatDecimal(value, places).replace(/(,\d\d\d*?)0+$/, '$1');
}
