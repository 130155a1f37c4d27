import type { CreateCustomerRequest, Language } from '@adx/client';
import { CsvError, parse } from 'csv-parse/sync';
import { isValidIBAN } from 'ibantools';
import { decodeText } from '../decode-text.js';
import { WrongUse } from '../failure.js';
import { readInput } from '../read-input.js';
import { dotted, problemOfNumber } from './enterprise-number.js';

/** A line of a CSV file with customers. */
export interface CustomerRow {
  /** From 1, with the headings. */
  readonly line: number;
  readonly enterpriseNumber: string;
  /** Undefined if there are problems. */
  readonly request: CreateCustomerRequest | undefined;
  readonly problems: readonly string[];
}

/** The columns of an import, with their descriptions. */
export const customerColumns: Readonly<Record<string, string>> = {
  enterpriseNumber: 'enterprise number, such as 0765.432.146',
  name: 'name of the company',
  accountingRef: 'your reference for the customer',
  street: 'street and number',
  street2: 'second line of the address',
  zipCode: 'postal code',
  municipality: 'municipality',
  country: 'country',
  contactName: 'name of the contact, who is asked to sign',
  contactFunction: 'function of the contact',
  contactEmail: 'e-mail address of the contact',
  contactLanguage: 'fr, nl, de or en',
  bankAccounts: 'IBANs, separated by commas',
  payrollProviders: 'codes of payroll providers, separated by commas',
};

/** The columns that may be absent. */
export const optionalColumns = ['accountingRef', 'street2', 'bankAccounts', 'payrollProviders'];
const required = Object.keys(customerColumns).filter((column) => !optionalColumns.includes(column));
const languages: readonly Language[] = ['fr', 'nl', 'de', 'en'];

/**
 * Reads customers from a CSV file as Belgian spreadsheets write it: with semicolons, and UTF-8 with or without a
 * byte order mark, or windows-1252. Commas and tabs are read too.
 *
 * @throws WrongUse if it is no CSV file, or if a column is missing or unknown
 */
export async function readCustomerRows(path: string): Promise<CustomerRow[]> {
  const records = parseCsv(path, decode(await readInput(path)));
  const [headings = [], ...lines] = records.map(({ record }) => record);
  const columns = headings.map((heading) => heading.trim());
  checkColumns(path, columns);
  const rows = lines.map((cells, index) => {
    const cell = (column: string) => cells[columns.indexOf(column)]?.trim() ?? '';
    const line = records[index + 1]?.info.lines ?? 0;
    const enterpriseNumber = dotted(cell('enterpriseNumber'));
    if (cells.length > columns.length) {
      const tooMany = `the line has ${cells.length} cells for ${columns.length} columns: put quotes around texts with separators`;
      return { line, enterpriseNumber, request: undefined, problems: [tooMany] };
    }
    return { line, enterpriseNumber, ...toRequest(cell) };
  });
  return rows.map((row, index) => {
    const first = rows.findIndex(
      ({ enterpriseNumber }) => enterpriseNumber === row.enterpriseNumber,
    );
    if (first === index) return row;
    const problems = [...row.problems, `the same number as in line ${rows[first]?.line}`];
    return { ...row, request: undefined, problems };
  });
}

/**
 * Returns a new customer from the values of columns, or what is wrong with them.
 *
 * @param nameOf returns the name by which the user knows a column
 */
export function toRequest(
  cell: (column: string) => string,
  nameOf: (column: string) => string = (column) => column,
): Pick<CustomerRow, 'request' | 'problems'> {
  const enterpriseNumber = dotted(cell('enterpriseNumber'));
  const language = languages.find((each) => each === cell('contactLanguage').toLowerCase());
  const ibans = listOf(cell('bankAccounts')).map((iban) => iban.replaceAll(' ', '').toUpperCase());
  const missing = required.filter((column) => cell(column) === '');
  const problems = [
    ...(missing.length > 0 ? [`missing: ${missing.map(nameOf).join(', ')}`] : []),
    ...(cell('enterpriseNumber') === ''
      ? []
      : [problemOfNumber(cell('enterpriseNumber')) ?? []].flat()),
    ...(cell('contactLanguage') !== '' && language === undefined
      ? [`${nameOf('contactLanguage')} has to be one of ${languages.join(', ')}`]
      : []),
    ...(cell('contactEmail') !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(cell('contactEmail'))
      ? [`${cell('contactEmail')} is not an e-mail address`]
      : []),
    ...ibans.filter((iban) => !isValidIBAN(iban)).map((iban) => `${iban} is not an IBAN`),
  ];
  if (problems.length > 0 || language === undefined) return { request: undefined, problems };
  const street2 = cell('street2');
  const request: CreateCustomerRequest = {
    enterpriseNumber,
    name: cell('name'),
    accountingRef: cell('accountingRef'),
    address: {
      street: cell('street'),
      ...(street2 !== '' && { street2 }),
      zipCode: cell('zipCode'),
      municipality: cell('municipality'),
      country: cell('country'),
    },
    contact: {
      name: cell('contactName'),
      function: cell('contactFunction'),
      email: cell('contactEmail'),
      language,
    },
    bankAccounts: ibans.map((iban) => ({ iban })),
    payrollProviders: listOf(cell('payrollProviders')).map((code) => ({ code })),
  };
  return { request, problems };
}

/** Decodes Unicode, or otherwise windows-1252, in which spreadsheets write "CSV". */
function decode(bytes: Uint8Array): string {
  return decodeText(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

/** A line, and where it ends. */
interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

function parseCsv(path: string, text: string): CsvRecord[] {
  const [headings = ''] = text.split('\n', 1);
  const delimiter = [';', '\t', ','].find((each) => headings.includes(each)) ?? ';';
  try {
    return parse(text, {
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new WrongUse(`${path} is not a CSV file: ${error.message}.`, { cause: error });
  }
}

function checkColumns(path: string, columns: readonly string[]): void {
  const missing = required.filter((column) => !columns.includes(column));
  const unknown = columns.filter((column) => ![...required, ...optionalColumns].includes(column));
  const problems = [
    ...(missing.length > 0 ? [`lacks the columns ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has unknown columns ${unknown.join(', ')}`] : []),
  ];
  if (problems.length === 0) return;
  const known = `${required.join(', ')}; if you like also ${optionalColumns.join(', ')}`;
  throw new WrongUse(`${path} ${problems.join(', and ')}. The columns are ${known}.`);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
