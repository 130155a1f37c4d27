import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { makeFolder } from '../data-folder.js';
import { requireSettings } from '../settings-file.js';
import { withData } from '../start-options.js';
import {
  listScenarios,
  type Scenario,
  type ScenarioOption,
  unknownScenario,
} from './descriptions.js';

interface Answer {
  /** Why the scenario is refused. */
  readonly error?: string;
  readonly files?: readonly { readonly name: string; readonly contentBase64: string }[];
}

interface CommonOptions {
  readonly data: string;
  readonly json: boolean;
}

/** @throws Error in one sentence if it is refused; CommanderError for wrong parameters */
export async function runScenarioCommand(parameters: readonly string[]): Promise<void> {
  const scenarios = listScenarios();
  const program = new Command('adx-sandbox scenario')
    .description(
      'make something happen in the running sandbox, such as a refused mandate or a missing statement',
    )
    .exitOverride()
    .argument('[name]', 'a scenario; without one they are listed')
    .usage('[name] [options]');
  withData(program)
    .option('--json', 'print JSON', false)
    .action((name: string | undefined, options: CommonOptions) => {
      if (name !== undefined) program.error(`error: ${unknownScenario(name)}`);
      process.stdout.write(options.json ? `${JSON.stringify({ scenarios })}\n` : listOf(scenarios));
    });
  for (const scenario of scenarios) addScenario(program, scenario);
  await program.parseAsync(parameters, { from: 'user' });
}

function addScenario(program: Command, scenario: Scenario): void {
  const { name, description, options } = scenario;
  const command = withData(program.command(name).description(description));
  for (const option of options) command.addOption(optionOf(option));
  if (name === 'file') {
    const out = new Option('--out <folder>', 'folder for the files; it implies --via answer');
    command.addOption(out.implies({ via: 'answer' }));
  }
  command
    .option('--json', 'print the answer as JSON', false)
    .action(async (given: CommonOptions & Record<string, unknown>) => {
      const { data, json, out, ...body } = given;
      if (out !== undefined && body['via'] !== 'answer') {
        throw new Error('--out is for --via answer: files that are sent come back as a list');
      }
      // Both are also options of the command above, which takes those that stand before the name.
      const common = program.opts<CommonOptions>();
      const folder = command.getOptionValueSource('data') === 'cli' ? data : common.data;
      // Before anything happens in the sandbox: it may be refused.
      if (typeof out === 'string') await makeFolder(out);
      const called = await callScenario(folder, scenario, body);
      const answer = typeof out === 'string' ? await written(called, out) : called;
      process.stdout.write(json || common.json ? `${JSON.stringify(answer)}\n` : linesOf(answer));
    });
}

function flagOf({ name }: ScenarioOption): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns a message with options in the place of fields, except those that are also words. */
function withOptions(message: string, options: readonly ScenarioOption[]): string {
  return options
    .filter(({ name }) => /[A-Z]/.test(name))
    .reduce((text, option) => text.replaceAll(option.name, flagOf(option)), message);
}

function optionOf(described: ScenarioOption) {
  const { type, description, required, values, default: preset } = described;
  const value = type === 'integer' ? 'number' : 'value';
  const option = new Option(`${flagOf(described)} <${value}>`, description);
  if (required) option.makeOptionMandatory();
  if (preset !== undefined) option.default(preset);
  if (values !== undefined) option.choices(values);
  if (type === 'integer') {
    option.argParser((text) => {
      if (/^\d{1,9}$/.test(text)) return Number(text);
      throw new InvalidArgumentError('It is not a whole number.');
    });
  }
  return option;
}

async function callScenario(
  dataDir: string,
  { name, options }: Scenario,
  body: object,
): Promise<Answer> {
  const { PUBLIC_URL: url } = await requireSettings(dataDir);
  const response = await fetch(`${url}/sandbox/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(({ cause }: Error) => {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const log = join(dataDir, 'service.log');
    throw new Error(`The sandbox at ${url} does not answer${code}: see ${log}`, { cause });
  });
  const answer = (await response.json()) as Answer;
  if (response.ok) return answer;
  const { error = `The sandbox answered ${response.status}` } = answer;
  throw new Error(withOptions(error, options));
}

/** Writes the files of an answer into a folder, and returns the answer with their paths. */
async function written(answer: Answer, folder: string): Promise<object> {
  const files: string[] = [];
  for (const { name, contentBase64 } of answer.files ?? []) {
    const path = join(folder, name);
    await writeFile(path, contentBase64, 'base64');
    files.push(path);
  }
  return { ...answer, files };
}

function listOf(scenarios: readonly Scenario[]): string {
  const lines = scenarios.map(({ name, description }) => `${name.padEnd(8)}  ${description}\n`);
  return `${lines.join('')}\nadx-sandbox scenario <name> --help lists the options of one.\n`;
}

/** Returns a line for each property; lists and objects are JSON. */
function linesOf(answer: object): string {
  const width = Math.max(...Object.keys(answer).map((name) => name.length));
  return Object.entries(answer)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return `${name.padEnd(width)}  ${text}\n`;
    })
    .join('');
}
