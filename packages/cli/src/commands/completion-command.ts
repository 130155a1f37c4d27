import type { Command, Option } from 'commander';
import { type Context, print } from '../context.js';

const bash = `_adx() {
  local IFS=$'\\n'
  COMPREPLY=($(COMP_LINE="\${COMP_LINE:0:$COMP_POINT}" adx completion words))
}
complete -o default -F _adx adx
`;

/** The scripts of the shells: each asks the command for the words that may come next. */
const scripts: Readonly<Record<string, string>> = {
  bash,
  zsh: `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bash}`,
  fish: `function __adx_complete
    set -lx COMP_LINE (commandline -cp)
    set -l words (adx completion words)
    if test (count $words) -gt 0
        printf '%s\\n' $words
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c adx -f -a '(__adx_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName adx -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $line = $commandAst.Extent.Text
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    if ($length -lt $line.Length) { $line = $line.Substring(0, $length) }
    $env:COMP_LINE = $line.PadRight($length)
    try {
        adx completion words | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    } finally {
        Remove-Item Env:COMP_LINE
    }
}
`,
};

/**
 * `adx completion`: prints a script by which a shell completes commands, options and their values.
 */
export function addCompletionCommand(program: Command, context: Context): void {
  const completion = program
    .command('completion')
    .summary('print the completion script of a shell')
    .description(
      'Prints a completion script. Add to ~/.bashrc: eval "$(adx completion bash)". The page below has the line for each shell.',
    )
    // The error of commander names only the shells that are spelt alike.
    .on('command:*', ([shell]: string[]) => {
      const known = Object.keys(scripts).join(', ');
      completion.error(`There is no script for ${shell}. Give one of ${known}.`);
    });
  for (const [shell, script] of Object.entries(scripts)) {
    completion
      .command(shell)
      .summary(`for ${shell}`)
      .action(() => print(context, script));
  }
  completion
    .command('words', { hidden: true })
    .summary('print the words that may come next in COMP_LINE, which ends at the cursor')
    .action(() => {
      const words = nextWords(program, context.env['COMP_LINE'] ?? '');
      print(context, words.map((word) => `${word}\n`).join(''));
    });
}

/** Returns the words that may come next in a command line: none where it may be a file. */
function nextWords(program: Command, line: string): string[] {
  const words = line.match(/"[^"]*"?|'[^']*'?|\S+/g) ?? [];
  const begun = /\S$/.test(line) ? (words.pop() ?? '') : '';
  const chain = [program];
  const options = [...program.options];
  /** The option whose value comes next. */
  let open: Option | undefined;
  for (const word of words.slice(1)) {
    const isValue = open !== undefined;
    open = isValue ? undefined : options.find(({ long, required }) => required && long === word);
    const below = isValue ? undefined : chain[0]?.commands.find((each) => each.name() === word);
    // The words after `help` are those of the group that has it.
    if (below === undefined || word === 'help') continue;
    chain.unshift(below);
    options.unshift(...below.options);
  }
  if (open !== undefined) return startingWith(begun, open.argChoices ?? []);
  const [command = program] = chain;
  const below = command.createHelp().visibleCommands(command);
  const mayBeFile = command.registeredArguments.length > 0;
  if (!begun.startsWith('-') && (below.length > 0 || mayBeFile)) {
    return startingWith(
      begun,
      below.map((each) => each.name()),
    );
  }
  return startingWith(begun, [...options.map(({ long }) => long ?? ''), '--help']);
}

function startingWith(begun: string, words: readonly string[]): string[] {
  return words.filter((word) => word !== '' && word.startsWith(begun));
}
