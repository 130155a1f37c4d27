import { isUtf8 } from 'node:buffer';
import type { CreateCustomerRequest, Language } from '@adx/client';
import { CsvError, parse } from 'csv-parse/sync';
import { WrongUse } from '../failure.js';
import { decodeText, readInput } from '../read-input.js';
import { compactIban, dotted, problemOfIban, problemOfNumber } from './numbers.js';

/** A line of a CSV file with customers. */
export interface CustomerRow {
  /** The number of the line from 1, with the headings. */
  readonly line: number;
  readonly enterpriseNumber: string;
  readonly name: string;
  /** Undefined if there are problems. */
  readonly request: CreateCustomerRequest | undefined;
  readonly problems: readonly string[];
}

/** A column of an import, and option of `customers create`. */
interface Column {
  readonly meaning: string;
  readonly isOptional?: true;
}

/** A column for each field, which may be absent if the field may. */
type ColumnsOf<Fields> = {
  readonly [Name in keyof Required<Fields>]: Record<never, never> extends Pick<Fields, Name>
    ? Column & { readonly isOptional: true }
    : Column;
};

const columns = {
  enterpriseNumber: { meaning: 'enterprise number, such as 0765.432.146, with or without dots' },
  name: { meaning: 'name of the company' },
  accountingRef: { meaning: 'your reference for the customer', isOptional: true },
  address: {
    street: { meaning: 'street and number' },
    street2: { meaning: 'second line of the address', isOptional: true },
    zipCode: { meaning: 'postal code' },
    municipality: { meaning: 'municipality' },
    country: { meaning: 'country' },
  },
  contact: {
    name: { meaning: 'name of the contact, who is asked to sign' },
    function: { meaning: 'function of the contact' },
    email: { meaning: 'e-mail address of the contact' },
    language: { meaning: 'language of the contact: fr, nl, de or en' },
  },
  bankAccounts: { meaning: 'IBANs, separated by commas', isOptional: true },
  payrollProviders: {
    meaning: 'codes of payroll providers, separated by commas',
    isOptional: true,
  },
} as const satisfies ColumnsOf<Omit<CreateCustomerRequest, 'address' | 'contact'>> & {
  readonly address: ColumnsOf<CreateCustomerRequest['address']>;
  readonly contact: ColumnsOf<CreateCustomerRequest['contact']>;
};

/** A column with the fields of the request that lead to its value. */
type PlacedColumn = Column & { readonly path: readonly [field: string, part?: string] };

/** The columns by their names; that of the contact's language is `contactLanguage`. */
export const customerColumns = new Map(
  Object.entries(columns).flatMap(([name, part]): [string, PlacedColumn][] => {
    if ('meaning' in part) return [[name, { ...part, path: [name] }]];
    const columnOf = (field: string) =>
      name === 'contact' ? `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}` : field;
    return Object.entries<Column>(part).map(([field, column]) => [
      columnOf(field),
      { ...column, path: [name, field] },
    ]);
  }),
);

const required = [...customerColumns].flatMap(([name, { isOptional }]) =>
  isOptional === true ? [] : name,
);
/**
 * The maximum number of accounts, and of payroll providers, with which a customer can be created.
 */
const longestList = 100;
const languageNames: Readonly<Record<Language, true>> = { fr: true, nl: true, de: true, en: true };
export const languages = Object.keys(languageNames) as readonly Language[];

/**
 * Reads customers from a CSV file as Belgian spreadsheets write it: with semicolons, and UTF-8 with
 * or without a byte order mark, or windows-1252. Commas and tabs are read too, a line `sep=` before
 * the headings, and empty columns at the end.
 *
 * @throws WrongUse if it is no CSV file, if a character is damaged, or if a column is missing,
 *   unknown or there twice
 */
export async function readCustomerRows(path: string): Promise<CustomerRow[]> {
  const records = parseCsv(path, decode(path, await readInput(path)));
  const [headings = [], ...lines] = records.map(({ record }) => record);
  const columns = withoutEmptyEnd(headings.map((heading) => heading.trim()));
  checkColumns(path, columns);
  const rows = lines.map((cells, index) => {
    const cell = (column: string) => cells[columns.indexOf(column)]?.trim() ?? '';
    const line = records[index + 1]?.line ?? 0;
    const known = { line, enterpriseNumber: dotted(cell('enterpriseNumber')), name: cell('name') };
    const isShifted = cells.slice(columns.length).some((each) => each.trim() !== '');
    if (isShifted || cells.length > headings.length) {
      const tooMany = `the line has ${cells.length} cells for ${columns.length} columns: put quotes around texts with separators`;
      return { ...known, request: undefined, problems: [tooMany] };
    }
    return { ...known, ...toRequest(cell) };
  });
  /** The first line of each number and of each IBAN. */
  const firstLines = new Map<string, number>();
  return rows.map((row) => {
    const { line, enterpriseNumber, request } = row;
    const ibans = request?.bankAccounts?.map(({ iban }) => iban) ?? [];
    const repeated = [enterpriseNumber, ...ibans].flatMap((text, index) => {
      const first = firstLines.get(text) ?? line;
      firstLines.set(text, first);
      if (first === line) return [];
      return [`the same ${index === 0 ? 'number' : `account ${text}`} as in line ${first}`];
    });
    if (repeated.length === 0) return row;
    return { ...row, request: undefined, problems: [...row.problems, ...repeated] };
  });
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
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
  const ibans = listOf(cell('bankAccounts')).map(compactIban);
  const missing = required.filter((column) => cell(column) === '');
  const problems = [
    ...(missing.length > 0
      ? [`${missing.map(nameOf).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`]
      : []),
    ...(cell('enterpriseNumber') === ''
      ? []
      : [problemOfNumber(cell('enterpriseNumber')) ?? []].flat()),
    ...(cell('contactLanguage') !== '' && language === undefined
      ? [`${nameOf('contactLanguage')} has to be one of ${languages.join(', ')}`]
      : []),
    ...(cell('contactEmail') !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(cell('contactEmail'))
      ? [`${cell('contactEmail')} is not an e-mail address`]
      : []),
    ...ibans.flatMap((iban) => problemOfIban(iban) ?? []),
    ...['bankAccounts', 'payrollProviders']
      .filter((column) => listOf(cell(column)).length > longestList)
      .map((column) => `${nameOf(column)} has more than ${longestList} entries`),
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

/**
 * The letters of Western Europe and curly quotes in UTF-8, byte by byte. As windows-1252 they are
 * pairs such as `Ã©` and `â€™`, which no name has. Others, such as `É’`, are in French capitals.
 */
const multibyte = /[\xc2\xc3][\x80-\xbf]|\xe2\x80[\x80-\xbf]/;

/**
 * Decodes Unicode, or otherwise windows-1252, in which spreadsheets write "CSV".
 *
 * @throws WrongUse if there is UTF-8 with a damaged character, which would turn all names into
 *   those of windows-1252
 */
function decode(path: string, bytes: Buffer): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  const lines = bytes.toString('latin1').split('\n');
  if (lines.some((line) => multibyte.test(line))) {
    const damaged = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
    throw new WrongUse(
      `Line ${damaged} of ${path} has a character that is not UTF-8, but others are. Correct it, and save the file as UTF-8.`,
    );
  }
  // With `stream`, because without it some releases of Node 20 and 22 decode the bytes as
  // ISO-8859-1, and curly quotes and `€` are lost.
  return new TextDecoder('windows-1252').decode(bytes, { stream: true });
}

/** A line, and where it ends. */
interface CsvRecord {
  readonly record: string[];
  readonly line: number;
}

function parseCsv(path: string, text: string): CsvRecord[] {
  // A spreadsheet reads a first line with `sep=` as its separator, and so do we.
  const [directive = '', named] = /^"?sep=(.)"?[;,\t ]*\r?\n/i.exec(text) ?? [];
  const [headings = ''] = text.slice(directive.length).split('\n', 1);
  const delimiter = named ?? [';', '\t', ','].find((each) => headings.includes(each)) ?? ';';
  try {
    const records = parse(text.slice(directive.length), {
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    const before = directive === '' ? 0 : 1;
    return records.map(({ record, info }) => ({ record, line: info.lines + before }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new WrongUse(`${path} is not a CSV file: ${error.message}.`, { cause: error });
  }
}

function checkColumns(path: string, columns: readonly string[]): void {
  const missing = required.filter((column) => !columns.includes(column));
  const unknown = columns.filter((column) => !customerColumns.has(column));
  const twice = columns.filter((column, index) => columns.indexOf(column) < index);
  const problems = [
    ...(twice.length > 0 ? [`has more than once ${twice.join(', ')}`] : []),
    ...(missing.length > 0 ? [`lacks the columns ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has unknown columns ${unknown.join(', ')}`] : []),
  ];
  if (problems.length === 0) return;
  const optional = [...customerColumns.keys()].filter((column) => !required.includes(column));
  const known = `${required.join(', ')}; if you like also ${optional.join(', ')}`;
  throw new WrongUse(`${path} ${problems.join(', and ')}. The columns are ${known}.`);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
