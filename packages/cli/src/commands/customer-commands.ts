import type { Client, Customer } from '@adx/client';
import { formatLines, formatTable } from '@adx/command/print-lines';
import { createProgressBar } from '@adx/command/progress-bar';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, given, hint, printResult } from '../context.js';
import { interruptible, WrongUse } from '../failure.js';
import { type ImportOutcome, importCustomers } from '../import/import-customers.js';
import { customerColumns, readCustomerRows, toRequest } from '../import/read-customer-rows.js';
import { openClient } from '../settings/open-client.js';
import { customerArgument, ibanOption, numberOption } from './options.js';

/** `adx customers` (§4.3 to §4.6). */
export function addCustomerCommands(program: Command, context: Context): void {
  const customers = program.command('customers').summary('list, show, create and import customers');
  addList(customers, context);
  addShow(customers, context);
  addCreate(customers, context);
  addImport(customers, context);
}

function addList(customers: Command, context: Context): void {
  customers
    .command('list')
    .summary('list customers')
    .option('--search <text>', 'a part of the name, number or reference')
    .addOption(numberOption())
    .addOption(ibanOption())
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { search?: string; number?: string; iban?: string }
      >();
      const client = await openClient(context, options);
      const { search, number, iban } = options;
      const filters = given({ search, enterpriseNumber: number, iban });
      const found: Customer[] = [];
      for await (const customer of client.customers.search({ ...filters, limit: 200 })) {
        found.push(customer);
      }
      printResult(context, options, found, () => customerTable(found));
    });
}

function addShow(customers: Command, context: Context): void {
  customers
    .command('show')
    .summary('show a customer')
    .addArgument(customerArgument())
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const customer = await findCustomer(await openClient(context, options), name);
      printResult(context, options, customer, () => customerText(customer));
    });
}

/** Returns the option of `customers create` that stands for a column of an import. */
function optionOf(column: string): string {
  return `--${column.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function addCreate(customers: Command, context: Context): void {
  const create = customers
    .command('create')
    .summary('create a customer, and ask its contact to sign the mandates');
  for (const [column, { meaning, isOptional }] of customerColumns) {
    create.option(`${optionOf(column)} <value>`, isOptional ? `${meaning} (optional)` : meaning);
  }
  create.action(async (_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions & Record<string, string>>();
    const { request, problems } = toRequest((column) => options[column] ?? '', optionOf);
    if (request === undefined) throw new WrongUse(`${problems.join('.\n       ')}.`);
    const client = await openClient(context, options);
    const customer = await client.customers.create(request);
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

function customerTable(customers: readonly Customer[]): string {
  return formatTable(
    ['ID', 'NUMBER', 'REFERENCE', 'NAME'],
    customers.map((each) => [each.id, each.enterpriseNumber, each.accountingRef, each.name]),
  );
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
  const rows = outcomes.map((each) => [
    each.line,
    each.enterpriseNumber,
    each.outcome,
    each.name,
    each.problems.join('; '),
  ]);
  const table = formatTable(['LINE', 'NUMBER', 'OUTCOME', 'NAME', 'PROBLEMS'], rows);
  if (create === true) return table;
  const count = outcomes.filter(({ outcome }) => outcome === 'new').length;
  const advice =
    count === 0 ? 'None is new.' : 'Run it with --create to create those that are new.';
  return `${table}\nNothing was created. ${advice}\n`;
}
