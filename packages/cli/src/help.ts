import type { Command } from 'commander';

/** An example of a command, and its page in the documentation. */
type Help = readonly [example: string, page: string];

const commandLine = 'tools/command-line.html';
const reference = 'reference/index.html';

/** The help of each command, which the words of its example name. */
const helps: readonly Help[] = [
  ['adx login --url https://adx.example.org/v1 --username els', 'guide/signing-in.html'],
  ['adx logout --profile staging', 'guide/signing-in.html'],
  ['adx hello', 'guide/signing-in.html'],
  ['adx doctor', 'guide/going-live.html'],
  ['adx customers list --search bakkerij', 'guide/customers.html'],
  ['adx customers show 0765.432.146', 'guide/customers.html'],
  [
    'adx customers create --enterprise-number 0765.432.146 --name "De Gouden Korst" --street "Veldstraat 12" --zip-code 9000 --municipality Gent --country België --contact-name "Jan Vermeulen" --contact-function Zaakvoerder --contact-email jan@goudenkorst.example --contact-language nl --bank-accounts BE71096123456769',
    'guide/customers.html',
  ],
  ['adx customers import customers.csv --create', `${commandLine}#import-customers`],
  [
    'adx customers update 0765.432.146 --contact-email an@goudenkorst.example',
    'guide/customers.html',
  ],
  ['adx customers archive 0765.432.146', 'guide/customers.html'],
  ['adx accounts add 0765.432.146 BE71096123456769', 'guide/customers.html'],
  ['adx accounts disable 0765.432.146 BE71096123456769', 'guide/customers.html'],
  ['adx mandates list --number 0765.432.146', 'guide/mandates.html'],
  ['adx mandates show 673f0d179b1d4e8f7a6c5b61', 'guide/mandates.html'],
  ['adx mandates watch --since 2026-03-02T08:00:00Z', 'guide/mandates.html'],
  ['adx mandates request 673f0d179b1d4e8f7a6c5b61', 'guide/mandates.html'],
  ['adx files list --product coda', 'guide/files.html'],
  ['adx missing --number 0765.432.146', 'guide/missing-statements.html'],
  ['adx push *.cod', 'guide/uploads.html'],
  ['adx uploads list --status rejected', 'guide/uploads.html'],
  ['adx uploads show 674052e5b8e3d2a9f1c47b11', 'findings/index.html'],
  ['adx pull statements --pdf --layout tree', `${commandLine}#pull`],
  ['adx banks', `${reference}#operation/listBanks`],
  ['adx payroll-providers', `${reference}#operation/listPayrollProviders`],
  ['adx call searchMandates --body request.json', `${commandLine}#call-any-operation`],
  ...['bash', 'zsh', 'fish', 'powershell'].map(
    (shell): Help => [`adx completion ${shell}`, `${commandLine}#completion`],
  ),
];

/** The documentation, where no service is known whose own it is. */
export const homepage = 'https://adx.example.org/docs/';

/** Returns the address of the documentation of the service at an address. */
export function documentationOf(address: string): string {
  return address.replace(/v1$/, 'docs/');
}

/**
 * Adds to the help of each command an example, and the address of its page.
 *
 * @param documentation its address
 */
export function addHelp(program: Command, documentation: string): void {
  program.addHelpText('after', `\nDocumentation:\n  ${documentation}${commandLine}`);
  const operations = program.commands.find((each) => each.name() === 'call')?.commands ?? [];
  const all = new Map<Command, Help>();
  for (const help of [...helps, ...operations.map(helpOfOperation)]) {
    const command = commandOf(program, help[0]);
    // A group of commands has the example of its first one.
    if (command.parent !== null && !all.has(command.parent)) all.set(command.parent, help);
    all.set(command, help);
  }
  all.delete(program);
  for (const group of [program, ...program.commands]) {
    if (group.commands.length > 0) addHelpCommand(group);
  }
  for (const [command, [example, page]] of all) {
    const text = `\nExample:\n  ${example}\n\nDocumentation:\n  ${documentation}${page}`;
    command.addHelpText('after', text);
  }
}

/** Adds `help` to a group of commands. That of commander accepts unknown commands. */
function addHelpCommand(group: Command): void {
  group
    .helpCommand(false)
    .command('help')
    .summary('show the help of a command')
    .argument('[command...]')
    .action((words: readonly string[]) => {
      let shown = group;
      for (const word of words) {
        if (shown.commands.length === 0) break;
        const below = shown.commands.find((each) => each.name() === word);
        // Parsing it throws an error that names the nearest command.
        if (below === undefined) shown.parse([word], { from: 'user' });
        else shown = below;
      }
      shown.help();
    });
}

/** Returns the command that the words of a command line name. */
function commandOf(program: Command, line: string): Command {
  const [, ...words] = line.split(' ');
  return words.reduce(
    (command, word) => command.commands.find((each) => each.name() === word) ?? command,
    program,
  );
}

const samples: Readonly<Record<string, string>> = {
  '--iban': 'BE71096123456769',
  '--code': 'sdworx',
  '--body': 'request.json',
};

/** Returns the help of an operation: all that it must have, and its place in the reference. */
function helpOfOperation(command: Command): Help {
  const given = command.options
    .filter(({ mandatory, long }) => mandatory || long === '--body')
    .map(({ long }) => `${long} ${samples[long ?? ''] ?? '673f0c2a9b1d4e8f7a6c5b4d'}`);
  const example = ['adx call', command.name(), ...given].join(' ');
  return [example, `${reference}#operation/${command.name()}`];
}
