import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Context } from '../context.js';
import { WrongUse } from '../failure.js';

// Ours, because the library for it no longer runs on Node 20.

/** Asks a question on the terminal, and returns the answer without surrounding spaces. */
export async function ask(context: Context, question: string): Promise<string> {
  return (await readLine(context, question, context.stderr)).trim();
}

/** Asks for a secret until there is an answer: what is typed is not shown. */
export async function askSecret(context: Context, question: string): Promise<string> {
  for (;;) {
    context.stderr.write(question);
    try {
      const answer = await readLine(context, '', new Writable({ write: (_, __, done) => done() }));
      if (answer.trim() !== '') return answer;
    } finally {
      context.stderr.write('\n');
    }
  }
}

async function readLine(
  { stdin }: Context,
  question: string,
  output: NodeJS.WritableStream,
): Promise<string> {
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  // Ctrl+C and Ctrl+D close it.
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  try {
    return await lines.question(question, closed);
  } catch (error) {
    throw closed.signal.aborted ? new WrongUse('Nothing was entered.') : error;
  } finally {
    lines.close();
  }
}
