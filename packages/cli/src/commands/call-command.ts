import { text } from 'node:stream/consumers';
import type { Client } from '@adx/client';
import { type Operation, operations } from '@adx/contract';
import { type Command, Option } from 'commander';
import { type Context, type GlobalOptions, given, print } from '../context.js';
import { WrongUse } from '../failure.js';
import { decodeText, readInput } from '../read-input.js';
import { openClient } from '../settings/open-client.js';
import { optionOf, parseText } from './options.js';

/** `adx call`: any operation of the interface, by its name. */
export function addCallCommand(program: Command, context: Context): void {
  const call = program
    .command('call')
    .summary('call any operation of the interface')
    .description(
      'Calls an operation of the interface by its name, and prints the answer as JSON. Signs in, and repeats calls after a temporary failure, as all commands do. Of a list it prints one page.',
    );
  for (const operation of Object.values<Operation>(operations)) {
    const { operationId, method, path, scopes, body } = operation;
    const place = `${method.toUpperCase()} ${path}`;
    const command = call
      .command(operationId)
      .summary(place)
      .description([place, ...scopes].join(', '));
    const ofPath = operation.pathParameters.map((name) =>
      new Option(`${optionOf(name)} <value>`, 'in the path')
        .argParser(parseText)
        .makeOptionMandatory(),
    );
    const ofHeaders = operation.headerParameters.map((name): [string, Option] => [
      name,
      new Option(`${optionOf(name)} <value>`, `the header ${name}`),
    ]);
    for (const option of [...ofPath, ...ofHeaders.map(([, each]) => each)]) {
      command.addOption(option);
    }
    if (body !== 'none') {
      const meaning = 'JSON, a file with it, or - for standard input; by default {}';
      command.option('--body <json>', meaning);
    }
    command.action(async (_, running: Command) => {
      const options = running.optsWithGlobals<GlobalOptions & Record<string, string>>();
      const headers = ofHeaders.map(([name, option]) => [name, options[option.attributeName()]]);
      const parameters = [
        ...ofPath.map((option) => options[option.attributeName()]),
        ...(body === 'none' ? [] : [await bodyOf(context, options['body'] ?? '{}')]),
        { headers: given(Object.fromEntries(headers)) },
      ];
      const answer = await callOperation(await openClient(context, options), operation, parameters);
      print(context, `${JSON.stringify(answer, null, 2)}\n`);
    });
  }
}

/** Reads a body: JSON, a file with it, or `-` for standard input. */
async function bodyOf({ stdin }: Context, given: string): Promise<unknown> {
  const isJson = /^\s*[[{]/.test(given);
  const json = isJson
    ? given
    : given === '-'
      ? await text(stdin)
      : decodeText(await readInput(given));
  let body: unknown;
  try {
    body = JSON.parse(json ?? '');
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : String(error);
    throw new WrongUse(`--body is not JSON: ${reason}.`);
  }
  if (body instanceof Object && !Array.isArray(body)) return body;
  throw new WrongUse('--body is not a JSON object.');
}

async function callOperation(
  client: Client,
  { client: { resource, method } }: Operation,
  parameters: readonly unknown[],
): Promise<unknown> {
  const owner: object = Reflect.get(client, resource);
  return Reflect.apply(Reflect.get(owner, method), owner, parameters);
}
