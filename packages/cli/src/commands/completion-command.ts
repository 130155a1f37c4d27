import type { Command } from 'commander';
import type { Context } from '../context.js';

/**
 * `adx completion`: prints a script by which a shell completes commands, options and their values.
 */
export function addCompletionCommand(program: Command, context: Context): void {
  const completion = program
    .command('completion')
    .summary('print the completion script of a shell')
    .description('Prints a completion script. Add to ~/.bashrc: eval "$(adx completion bash)"');
  for (const shell of ['bash', 'zsh'] as const) {
    completion
      .command(shell)
      .summary(`for ${shell}`)
      .action(() => void context.stdout.write(completionScript(program, shell)));
  }
}

/**
 * Returns a script with all commands, so that completing needs no process. zsh runs that of bash.
 */
function completionScript(program: Command, shell: 'bash' | 'zsh'): string {
  const words = casesOf(program, program.name(), []);
  const values = [...new Map(valuesOf(program))];
  const inZsh =
    'autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n';
  const commands = words.map(({ command }) => `'${command}'`).join('|');
  const following = words.map(
    ({ command, options }) => `    '${command}') choices='${options.join(' ')}' ;;`,
  );
  const choices = values.map(([option, choice]) => `    '${option}') choices='${choice}' ;;`);
  return `${shell === 'zsh' ? inZsh : ''}_adx() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=adx choices= each
  for each in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$command $each" in ${commands}) command="$command $each" ;; esac
  done
  case "$command" in
${following.join('\n')}
  esac
  case "$previous" in
${choices.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o default -F _adx adx
`;
}

/** A command, and the words that may come after it. */
interface Case {
  readonly command: string;
  readonly options: readonly string[];
}

function casesOf(command: Command, name: string, inherited: readonly string[]): Case[] {
  const own = command.options.map(({ long }) => long ?? '').filter((long) => long !== '');
  const options = [...own, ...inherited];
  const below = command.commands.map((each) => each.name());
  return [
    { command: name, options: [...below, ...options, '--help'] },
    ...command.commands.flatMap((each) => casesOf(each, `${name} ${each.name()}`, options)),
  ];
}

/** Returns the options with a choice of values. */
function valuesOf(command: Command): [option: string, choices: string][] {
  const own = command.options.flatMap(({ long, argChoices }): [string, string][] =>
    argChoices === undefined || long === undefined || long === null
      ? []
      : [[long, argChoices.join(' ')]],
  );
  return [...own, ...command.commands.flatMap(valuesOf)];
}
