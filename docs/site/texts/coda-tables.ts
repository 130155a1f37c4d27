import { formatOf, inWords } from '../../../packages/statements/src/coda/explain-lines.js';
import type {
  Field,
  Layouts,
} from '../../../packages/statements/src/coda/format/communication-layout.js';
import {
  informationLayouts,
  informationSubjects,
} from '../../../packages/statements/src/coda/format/information-layouts.js';
import {
  movementLayouts,
  movementSubjects,
} from '../../../packages/statements/src/coda/format/movement-layouts.js';
import {
  accountFields,
  type RecordField,
  recordFields,
} from '../../../packages/statements/src/coda/format/record-fields.js';
import { categoryNames } from '../../../packages/statements/src/coda/names/category-names.js';
import type { CodeNames } from '../../../packages/statements/src/coda/names/code-table.js';
import {
  commonOperationNames,
  operationNames,
} from '../../../packages/statements/src/coda/names/operation-names.js';
import { purposeNames } from '../../../packages/statements/src/coda/names/purpose-names.js';
import { reasonNames } from '../../../packages/statements/src/coda/names/reason-names.js';

const recordNames: Readonly<Record<keyof typeof recordFields, string>> = {
  '0': 'Record 0: header',
  '1': 'Record 1: old balance',
  '21': 'Record 2.1: movement or detail',
  '22': 'Record 2.2: movement, continued',
  '23': 'Record 2.3: movement, continued',
  '31': 'Record 3.1: information on a movement',
  '32': 'Record 3.2: information, continued',
  '33': 'Record 3.3: information, continued',
  '8': 'Record 8: new balance',
  '4': 'Record 4: message of the bank',
  '9': 'Record 9: trailer',
};

/** The order in which records stand in a file. */
const recordOrder = ['0', '1', '21', '22', '23', '31', '32', '33', '8', '4', '9'] as const;

const tables: Readonly<Record<string, () => string>> = {
  records: () => recordOrder.map(recordTable).join('\n\n'),
  accounts: () => accountNames.map(accountTable).join('\n\n'),
  communications: () => layoutTables(movementLayouts, movementSubjects),
  information: () => layoutTables(informationLayouts, informationSubjects),
  operations: () => codeTable(operationNames.en),
  commonOperations: () => codeTable(commonOperationNames.en),
  categories: () => codeTable(categoryNames.en),
  reasons: () => codeTable(reasonNames.en),
  purposes: () => codeTable(purposeNames.en),
};

/**
 * Returns the records, communications or codes of CODA as the reader knows them, in Markdown.
 *
 * @throws if there is no such table
 */
export function codaTable(name: string): string {
  const table = tables[name];
  if (table === undefined) throw new Error(`There is no table of CODA ${name}`);
  return table();
}

function recordTable(type: keyof typeof recordFields): string {
  return `### ${recordNames[type]}\n\n${fieldTable(recordFields[type])}`;
}

/** The structures of accounts, by their digits. */
const accountNames = ['Belgian number', 'foreign number', 'Belgian IBAN', 'foreign IBAN'] as const;

function accountTable(name: string, structure: number): string {
  const fields = Object.values(accountFields)[structure] ?? [];
  return `### Structure ${structure}: ${name}\n\n${fieldTable(fields)}`;
}

function fieldTable(fields: readonly RecordField[]): string {
  const rows = fields.map(([name, from, to]) => [positions(from, to), name]);
  return markdownTable(['Positions', 'Field'], rows);
}

/** Writes the fields of each type of communication, with their positions after the type. */
function layoutTables(layouts: Layouts, subjects: Readonly<Record<string, string>>): string {
  return Object.entries(layouts)
    .map(([type, fields]) => `### Type ${type}: ${subjects[type]}\n\n${layoutTable(fields)}`)
    .join('\n\n');
}

function layoutTable(fields: readonly Field[]): string {
  let from = 1;
  const rows = fields.map(([name, kind, length]) => {
    const format = formatOf(name, kind) || 'text';
    const row = [positions(from, from + length - 1), inWords(name), format];
    from += length;
    return row;
  });
  return markdownTable(['Positions', 'Field', 'Format'], rows);
}

function codeTable(names: CodeNames): string {
  return markdownTable(['Code', 'Name'], [...names]);
}

function positions(from: number, to: number): string {
  return from === to ? `${from}` : `${from}–${to}`;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
