import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCodegen } from '../../codegen/test/support/run-codegen.js';
import { copyRepository } from '../support/repository-copy.js';
import { repository } from '../support/run-command.js';

const guide = join(repository, 'docs/guides/editing-the-spec.md');

/**
 * In a copy of the repository, the changes of the blocks `diff <file>` are made, the blocks `json
 * <file>` are written, and the commands of the blocks `console` are run. Their output may be at
 * other lines and columns of the files, because almost every edit of the spec moves them.
 *
 * @param commands `asPrinted` to run each of them. `cheaply` runs the generator in this process,
 *   which has loaded its libraries, and checks the types of the folders in `affected` only. It
 *   leaves out the type checks that print nothing, except the last one: the errors that they would
 *   print would be in the output of the next one.
 */
export async function expectFiveEdits(commands: 'asPrinted' | 'cheaply'): Promise<void> {
  const root = copyRepository();
  const project = { extends: './tsconfig.json', include: affected };
  writeFileSync(join(root, 'affected.json'), JSON.stringify(project));
  const text = readFileSync(guide, 'utf8');
  const start = text.indexOf('\n## Five edits\n');
  expect(start).toBeGreaterThan(0);
  const edits = text.slice(start);
  let told = '';
  let end = 0;
  for (const { 0: whole, 1: kind, 2: file = '', 3: body = '', index } of edits.matchAll(block)) {
    told += edits.slice(end, index);
    end = index + whole.length;
    if (kind === 'console') {
      const isCheap = commands === 'cheaply';
      const everyCheck = !isCheap || !edits.includes(typeCheck, end);
      told += `\`\`\`console\n${await runAll(root, body, isCheap, everyCheck)}\`\`\``;
      continue;
    }
    if (kind === 'diff') edit(join(root, file), body);
    else writeFileSync(join(root, file), body);
    told += whole;
  }
  told += edits.slice(end);
  const advice =
    'If the new output is right, `npx vitest run five-edits -u` writes it into the guide';
  const real = text.slice(0, start) + told;
  const isSame = withoutPositions(real) === withoutPositions(text);
  await expect(isSame ? text : real, advice).toMatchFileSnapshot(guide);
}

const typeCheck = '$ npm run --silent typecheck';

/**
 * The folders in which an edit of the spec can cause an error of the compiler. All of them take
 * twice the CPU time.
 */
const affected = [
  'packages/server/src/service.ts',
  'packages/client/src',
  'docs/site',
  'test/conformance',
  'test/isolation',
];

/**
 * The command that checks the types of these folders of the copy. Its project is `affected.json`.
 * It does not check again files that no edit concerns.
 */
const cheapTypeCheck =
  'node node_modules/typescript-7/bin/tsc --noEmit --singleThreaded --incremental --project affected.json';

/** Removes `:12:5` and `(12,5)`. */
function withoutPositions(text: string): string {
  return text.replaceAll(/:\d+:\d+|\(\d+,\d+\)/g, '');
}

const block = /```(diff|json|console)(?: (\S+))?\n(.*?)```/gs;

/**
 * Makes the changes of a diff. Its parts, separated by `@@`, have no positions; each fits in one
 * place.
 */
function edit(path: string, diff: string): void {
  let text = readFileSync(path, 'utf8');
  for (const part of diff.split(/^@@\n/m)) {
    const lines = part.split('\n').slice(0, -1);
    const side = (other: string) =>
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const pieces = text.split(side('+'));
    expect(pieces, `places of ${part} in ${path}`).toHaveLength(2);
    text = pieces.join(side('-'));
  }
  writeFileSync(path, text);
}

/** Runs the commands of a block, and returns them with their output. */
async function runAll(
  root: string,
  body: string,
  isCheap: boolean,
  everyCheck: boolean,
): Promise<string> {
  const lines = body.split('\n');
  let told = '';
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('$ ')) continue;
    told += `${line}\n`;
    const isSilent = lines[i + 1]?.startsWith('$ ') ?? true;
    if (!everyCheck && isSilent && line === typeCheck) continue;
    const [, parameters, pipe] = (isCheap && generator.exec(line)) || [];
    const command = isCheap ? line.replace(typeCheck, `$ ${cheapTypeCheck}`) : line;
    told +=
      parameters === undefined
        ? run(root, command.slice(2))
        : await generateHere(root, parameters, pipe);
  }
  return told;
}

const generator = /^\$ npm run --silent generate(?: --)?([^|]*)(?:\| (.*))?$/;

/** Runs the generator in this process, and a pipe with its output. */
async function generateHere(root: string, parameters: string, pipe = 'cat'): Promise<string> {
  const { stdout, stderr } = await runCodegen(root, ...parameters.split(' ').filter(Boolean));
  return run(root, pipe, stdout) + stderr;
}

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

/** Runs a command. Scripts of package.json are run without npm, which takes CPU time of its own. */
function run(root: string, command: string, input = ''): string {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const direct = command.replace(
    /npm run --silent (\w+)( -- [^|]*)?/,
    (_, script: string, parameters = '') => `{ ${scripts[script]}${parameters.slice(3)}; }`,
  );
  const { stdout, error } = spawnSync('sh', ['-c', `{ ${direct}\n} 2>&1`], {
    ...{ cwd: root, env, input },
    encoding: 'utf8',
  });
  if (error) throw error;
  return stdout;
}
