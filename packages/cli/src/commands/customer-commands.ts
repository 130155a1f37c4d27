import type { Client, CreateCustomerRequest, Customer, UpdateCustomerRequest } from '@adx/client';
import { formatLines, formatRecords } from '@adx/command/print-lines';
import { createProgressBar } from '@adx/command/progress-bar';
import { type Command, Option } from 'commander';
import { type Context, type GlobalOptions, given, hint, printResult } from '../context.js';
import { interruptible, WrongUse } from '../failure.js';
import { type ImportOutcome, importCustomers } from '../import/import-customers.js';
import {
  customerColumns,
  languages,
  readCustomerRows,
  toRequest,
} from '../import/read-customer-rows.js';
import { openClient } from '../settings/open-client.js';
import { customerArgument, ibanOption, numberOption, optionOf, parseText } from './options.js';
import { all, messageOf, showing } from './showing.js';

/** `adx customers` (§4.3 to §4.8). */
export function addCustomerCommands(program: Command, context: Context): void {
  const customers = program
    .command('customers')
    .summary('list, show, create, import, update and archive customers');
  customers
    .command('list')
    .summary('list customers')
    .option('--search <text>', 'a part of the name, number or reference')
    .addOption(numberOption())
    .addOption(ibanOption())
    .action(
      showing(
        context,
        (client, { search, number, iban }: GlobalOptions & Filters) => {
          const filters = given({ search, enterpriseNumber: number, iban });
          return all(client.customers.search({ ...filters, limit: 200 }));
        },
        customerTable,
      ),
    );
  customers
    .command('show')
    .summary('show a customer')
    .addArgument(customerArgument())
    .action(showing(context, (client, _, name) => findCustomer(client, name), customerText));
  addCreate(customers, context);
  addImport(customers, context);
  addUpdate(customers, context);
  customers
    .command('archive')
    .summary('archive a customer, which closes its accounts and mandates')
    .description(
      'Archives a customer: it is no longer listed, its accounts and payroll providers are closed, and its number and IBANs are free again. If it is created again, its contact has to sign again.',
    )
    .addArgument(customerArgument())
    .action(
      showing(
        context,
        async (client, _, name) => client.customers.archive(await customerId(client, name)),
        messageOf,
      ),
    );
}

type Filters = Partial<Record<'search' | 'number' | 'iban', string>>;

function columnOption(column: string, meaning: string): Option {
  const option = new Option(`${optionOf(column)} <value>`, meaning);
  return column === 'contactLanguage' ? option.choices(languages) : option;
}

function addCreate(customers: Command, context: Context): void {
  const create = customers
    .command('create')
    .summary('create a customer, and ask its contact to sign the mandates');
  for (const [column, { meaning, isOptional }] of customerColumns) {
    create.addOption(columnOption(column, isOptional ? `${meaning} (optional)` : meaning));
  }
  create.action(async (_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions & Record<string, string>>();
    const { request, problems } = toRequest((column) => options[column] ?? '', optionOf);
    if (request === undefined) throw new WrongUse(`${problems.join('. ')}.`);
    const client = await openClient(context, options);
    const customer = await client.customers.create(request);
    printResult(context, options, customer, () => customerText(customer));
  });
}

/** The fields of a customer that do not change, or have commands of their own. */
const fixed: Readonly<
  Record<Exclude<keyof CreateCustomerRequest, keyof UpdateCustomerRequest>, true>
> = { enterpriseNumber: true, bankAccounts: true, payrollProviders: true };

function addUpdate(customers: Command, context: Context): void {
  const columns = [...customerColumns].filter(([column]) => !(column in fixed));
  const update = customers
    .command('update')
    .summary('change a customer')
    .description(
      'Changes what the options name, and nothing else. An empty text ("") clears a value that may be absent. Accounts are changed by `adx accounts`.',
    )
    .addArgument(customerArgument());
  for (const [column, { meaning, isOptional }] of columns) {
    const option = columnOption(column, meaning);
    update.addOption(isOptional || option.argChoices ? option : option.argParser(parseText));
  }
  update.action(async (name: string, _, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions & Record<string, string>>();
    const changes: Record<string, string | Record<string, string>> = {};
    for (const [column, { path }] of columns) {
      const [field, part] = path;
      const value = options[column];
      if (value === undefined) continue;
      const before = changes[field];
      const parts = typeof before === 'object' ? before : {};
      changes[field] = part === undefined ? value : { ...parts, [part]: value };
    }
    if (Object.keys(changes).length === 0) {
      throw new WrongUse('No option says what to change. Add --help for help.');
    }
    const client = await openClient(context, options);
    const customer = await client.customers.update(await customerId(client, name), changes);
    printResult(context, options, customer, () => customerText(customer));
  });
}

function addImport(customers: Command, context: Context): void {
  customers
    .command('import')
    .summary('create customers from a CSV file')
    .description(
      'Checks a CSV file, and shows what --create would do. With --create it creates the customers that your firm does not have yet, and asks their contacts to sign. Run it again after an interruption: nothing is created twice.',
    )
    .argument('<csv>', 'columns separated by semicolons, commas or tabs; UTF-8 or windows-1252')
    .option('--create', 'create the customers')
    .action(async (path: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { create?: true }>();
      const rows = await readCustomerRows(path);
      const client = await openClient(context, options);
      const create = options.create === true;
      const bar = createProgressBar(context.stderr, options.json === true);
      const { outcomes, error } = await interruptible((signal) =>
        importCustomers(client, rows, create, signal, bar.show),
      ).finally(bar.clear);
      printResult(context, options, outcomes, () => outcomeTable(outcomes, options.create));
      if (error !== undefined) {
        const tried = `${outcomes.length} of ${rows.length} lines were tried.`;
        hint(context, options, `${tried} Run it again to go on: nothing is created twice.`);
        throw error;
      }
      const failed = outcomes.filter(({ outcome }) => outcome === 'error').length;
      if (failed > 0) throw new WrongUse(`${failed} of ${outcomes.length} lines have errors.`);
    });
}

/** Finds a customer by its id or enterprise number. */
async function findCustomer(client: Client, name: string): Promise<Customer> {
  if (!name.includes('.')) return client.customers.get(name);
  const { records } = await client.customers.search({ enterpriseNumber: name });
  const [customer] = records;
  if (customer === undefined) throw new WrongUse(`There is no customer with number ${name}.`);
  return customer;
}

/** Returns the id of a customer, given by its id or enterprise number. */
export async function customerId(client: Client, name: string): Promise<string> {
  return name.includes('.') ? (await findCustomer(client, name)).id : name;
}

function customerTable(customers: readonly Customer[]): string {
  return formatRecords(customers, ({ id, enterpriseNumber, accountingRef, name }) => ({
    ...{ ID: id, NUMBER: enterpriseNumber, REFERENCE: accountingRef, NAME: name },
  }));
}

/** Shows every field; one that is new comes last in its line, or in a line of its own. */
function customerText({ address, contact, ...customer }: Customer): string {
  const { id, enterpriseNumber: number, name, accountingRef: reference, ...fields } = customer;
  const { bankAccounts, payrollProviders, isConfidential, createdOn, updatedOn, ...others } =
    fields;
  const { street, street2, zipCode, municipality, ...place } = address;
  const { name: contactName, email, ...person } = contact;
  return formatLines({
    ...{ id, number, name, reference },
    address: listed([street, street2, `${zipCode} ${municipality}`, ...Object.values(place)]),
    contact: listed([`${contactName} <${email}>`, ...Object.values(person)]),
    accounts: listed(bankAccounts.map(({ iban }) => iban)),
    payroll: listed(payrollProviders.map(({ code }) => code)),
    confidential: isConfidential ? 'yes' : 'no',
    ...{ created: createdOn, updated: updatedOn },
    ...others,
  });
}

const listed = (texts: readonly (string | undefined)[]) =>
  texts.filter(Boolean).join(', ') || undefined;

function outcomeTable(outcomes: readonly ImportOutcome[], create: true | undefined): string {
  const table = formatRecords(outcomes, ({ line, enterpriseNumber, outcome, name, problems }) => ({
    ...{ LINE: line, NUMBER: enterpriseNumber, OUTCOME: outcome, NAME: name },
    PROBLEMS: problems.join('; '),
  }));
  if (create === true) return table;
  const count = outcomes.filter(({ outcome }) => outcome === 'new').length;
  const advice =
    count === 0 ? 'None is new.' : 'Run it with --create to create those that are new.';
  return `${table}\nNothing was created. ${advice}\n`;
}
