import type { Client } from '@adx/client';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, printResult } from '../context.js';
import { openClient } from '../settings/open-client.js';

/**
 * Returns the action of a command that prints what the service answers.
 *
 * @param ask gets the answer, from the options and the arguments of the command
 * @param toText writes it for people
 */
export function showing<Answer, Options extends GlobalOptions = GlobalOptions>(
  context: Context,
  ask: (client: Client, options: Options, ...words: string[]) => PromiseLike<Answer>,
  toText: (answer: Answer, options: Options) => string,
) {
  return async function (this: Command, ...words: string[]): Promise<void> {
    const options = this.optsWithGlobals<Options>();
    const answer = await ask(await openClient(context, options), options, ...words);
    printResult(context, options, answer, () => toText(answer, options));
  };
}

/** Returns all records of a list. */
export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Returns the message of an answer that has nothing else. */
export const messageOf = ({ message }: { readonly message: string }): string => `${message}\n`;
