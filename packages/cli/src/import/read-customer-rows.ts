import { readFile } from 'node:fs/promises';
import type { CreateCustomerRequest, Language } from '@adx/client';
import { CsvError, parse } from 'csv-parse/sync';
import { isValidIBAN } from 'ibantools';
import { WrongUse } from '../failure.js';

/** A line of a CSV file with customers. */
export interface CustomerRow {
  /** From 1, with the headings. */
  readonly line: number;
  readonly enterpriseNumber: string;
  /** Undefined if there are problems. */
  readonly request: CreateCustomerRequest | undefined;
  readonly problems: readonly string[];
}

const required = [
  ...['enterpriseNumber', 'name', 'street', 'zipCode', 'municipality', 'country'],
  ...['contactName', 'contactFunction', 'contactEmail', 'contactLanguage'],
];
const optional = ['accountingRef', 'street2', 'bankAccounts', 'payrollProviders'];
const languages: readonly Language[] = ['fr', 'nl', 'de', 'en'];

/**
 * Reads customers from a CSV file as Belgian spreadsheets write it: with semicolons, and UTF-8 with or without a
 * byte order mark, or windows-1252. Commas and tabs are read too.
 *
 * @throws WrongUse if it is no CSV file, or if a column is missing or unknown
 */
export async function readCustomerRows(path: string): Promise<CustomerRow[]> {
  const records = parseCsv(path, decode(await readFile(path)));
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

/** Returns a new customer from the values of columns, or what is wrong with them. */
export function toRequest(
  cell: (column: string) => string,
): Pick<CustomerRow, 'request' | 'problems'> {
  const enterpriseNumber = dotted(cell('enterpriseNumber'));
  const language = languages.find((each) => each === cell('contactLanguage').toLowerCase());
  const ibans = listOf(cell('bankAccounts')).map((iban) => iban.replaceAll(' ', '').toUpperCase());
  const missing = required.filter((column) => cell(column) === '');
  const problems = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(cell('enterpriseNumber') !== '' && !isEnterpriseNumber(enterpriseNumber)
      ? [`${cell('enterpriseNumber')} is not an enterprise number`]
      : []),
    ...(cell('contactLanguage') !== '' && language === undefined
      ? [`contactLanguage has to be one of ${languages.join(', ')}`]
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

/** Decodes UTF-8 if it is that, otherwise windows-1252, in which spreadsheets write "CSV". */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
      ...{ delimiter, info: true, skip_empty_lines: true, relax_column_count: true },
      skip_records_with_empty_values: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new WrongUse(`${path} is not a CSV file: ${error.message}.`, { cause: error });
  }
}

function checkColumns(path: string, columns: readonly string[]): void {
  const missing = required.filter((column) => !columns.includes(column));
  const unknown = columns.filter((column) => ![...required, ...optional].includes(column));
  const problems = [
    ...(missing.length > 0 ? [`lacks the columns ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has unknown columns ${unknown.join(', ')}`] : []),
  ];
  if (problems.length === 0) return;
  const known = `${required.join(', ')}; if you like also ${optional.join(', ')}`;
  throw new WrongUse(`${path} ${problems.join(', and ')}. The columns are ${known}.`);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Writes an enterprise number with dots. Spreadsheets leave out the first 0. */
function dotted(text: string): string {
  const digits = text.replace(/^BE/i, '').replaceAll(/[. ]/g, '').padStart(10, '0');
  return digits.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3');
}

/** Checks the digits of an enterprise number with dots: the last two are 97 minus the first eight modulo 97. */
function isEnterpriseNumber(number: string): boolean {
  const digits = number.replaceAll('.', '');
  const base = Number(digits.slice(0, 8));
  return /^[01]\d{9}$/.test(digits) && base > 0 && Number(digits.slice(8)) === 97 - (base % 97);
}
