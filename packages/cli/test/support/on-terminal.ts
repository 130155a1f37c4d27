import { PassThrough } from 'node:stream';
import { runProgram } from '../../src/program.js';
import type { Firm } from './firm.js';
import type { Surroundings } from './run-adx.js';

/** Runs `adx` on a terminal. Each question is answered with its next answer. */
export async function onTerminal(
  parameters: readonly string[],
  answers: Readonly<Record<string, readonly string[]>>,
  { env = {}, profileFolder = '/nonexistent' }: Surroundings,
) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const left = Object.entries(answers).map(([question, all]) => ({ question, all: [...all] }));
  let shown = '';
  let seen = 0;
  stderr.on('data', (chunk) => {
    shown += chunk;
    const asked = left.find(({ question }) => shown.indexOf(question, seen) >= 0);
    if (asked === undefined) return;
    seen = shown.length;
    // Behind the question, when the line is read.
    setImmediate(() => stdin.write(`${asked.all.shift()}\r`));
  });
  const exitCode = await runProgram(parameters, { env, stdin, stdout, stderr, profileFolder });
  return { exitCode, shown };
}

/** Returns the answers of a user to the questions of `adx login`. */
export const answersOf = ({ service, apiKey, user }: Firm) => ({
  'Address: ': [service.baseUrl.replace(/\/v1$/, '')],
  'API key: ': [apiKey],
  'Username: ': [user.username],
  'Password: ': [user.password],
});
