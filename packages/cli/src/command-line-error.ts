import type { CommanderError } from 'commander';
import { distance } from 'fastest-levenshtein';

/** The messages of commander, and the sentences that say the same. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^error: /, ''],
  [/^unknown option '(.+?)'/, 'There is no option $1.'],
  [/^unknown command '(.+?)'/, 'There is no command $1.'],
  [/^missing required argument '(.+?)'/, 'The argument <$1> is missing.'],
  [/^required option '(-\S+).*' not specified/, 'The option $1 is missing.'],
  [
    /^too many arguments for '(.+?)'.*Expected (\d+) .* got (\d+)/,
    'There are too many arguments for $1: $3 instead of $2',
  ],
  [/^\(outputHelp\)/, 'The command is not complete.'],
  [/^option '(-\S+).*?' argument missing/, 'The option $1 needs a value.'],
  [/^option '(-\S+).*?' argument '(.*?)' is invalid\. /s, '$1 cannot be "$2". '],
  [/^command-argument value '(.*?)' is invalid for argument '(.+?)'\. /s, '<$2> cannot be "$1". '],
  [/Allowed choices are/, 'Give one of'],
  [/\n\((Did you mean .*)\)$/, ' $1'],
  [
    /^There is no command (list|ls)\.$/,
    '$& Did you mean customers list, files list, mandates list or uploads list?',
  ],
  [/^There is no command (sync|download|fetch)\.$/, '$& Did you mean pull?'],
  [/^There is no command (configure|config|init|signin)\.$/, '$& Did you mean login?'],
  [
    /^(There (is no|are)|The argument|The option \S+ is missing|The command is).*/,
    '$& Add --help for help.',
  ],
];

/** Returns what is wrong with a command line, and where help is. */
export function commandLineMessage({ message }: CommanderError): string {
  const text = sentences.reduce((all, [pattern, told]) => all.replace(pattern, told), message);
  // Commander compares only the names of commands and options.
  const [, given = '', choices = ''] = / cannot be "(.*)"\. Give one of (.*)\.$/.exec(text) ?? [];
  const edits = (choice: string) => distance(choice.toLowerCase(), given.toLowerCase());
  const [meant] = choices
    .split(', ')
    // Two edits turn a word of two letters into any other.
    .filter((choice) => edits(choice) <= Math.min(2, choice.length / 2))
    .sort((a, b) => edits(a) - edits(b));
  return meant ? `${text} Did you mean ${meant}?` : text;
}
