import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyRepository } from '../../tools/test/support/running-dev.js';
import type { Table } from './table.js';
import { inTurns, medianOf } from './turns.js';

const rounds = 3;

/** Measures the time from a save to what `npm run dev` shows of it, in a copy without tests. */
export async function benchDevLoop(): Promise<Table> {
  const cleanUps: (() => unknown)[] = [];
  const root = copyRepository(undefined, (remove) => cleanUps.push(remove));
  const data = await mkdtemp(join(tmpdir(), 'adx-dev-data-'));
  cleanUps.push(() => rm(data, { recursive: true, maxRetries: 10 }));
  // PostgreSQL runs in another account.
  await chmod(data, 0o711);
  const options = ['--empty', '--data', data, '--port', '0', '--storage-port', '0'];
  const child = spawn('npm', ['run', '--silent', 'dev', '--', ...options], { cwd: root });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const until = async (expected: RegExp) => {
    const began = performance.now();
    while (!expected.test(printed)) {
      if (child.exitCode !== null || performance.now() - began > 300_000) throw new Error(printed);
      await wait(5);
    }
    return performance.now() - began;
  };
  try {
    await until(/^sandbox: running at /m);
    const [specFile, codeFile] = ['openapi.yaml', 'packages/server/src/worker.ts'].map((path) =>
      join(root, path),
    ) as [string, string];
    const [spec, code] = await Promise.all([
      readFile(specFile, 'utf8'),
      readFile(codeFile, 'utf8'),
    ]);
    const property = (name: string) =>
      spec.replace(
        /\n {4}Tokens:\n(?:.*\n)*? {6}properties:\n/,
        (start) => `${start}        ${name}: { type: string, description: New., examples: [a] }\n`,
      );
    let save = 0;
    let field = '';
    const withField = () => {
      field = `field${save}`;
      return property(field);
    };
    const isRestarted = /^sandbox: starting\nsandbox: running at /m;
    const saves: readonly (readonly [shown: string, file: string, () => string, RegExp])[] = [
      ['a field of the spec: restarted sandbox', specFile, withField, isRestarted],
      ['code of the server: restarted sandbox', codeFile, () => `${code}// ${save}\n`, isRestarted],
      [
        'prose of the spec: generated files',
        specFile,
        () => property(field).replace('summary: ', `summary: ${save} `),
        /^generated: .* written\.$/m,
      ],
      [
        'a mistake in the spec: its finding',
        specFile,
        () => spec.replace('operationId: ', 'operatonId: '),
        /^spec: 1 mistake\n/m,
      ],
    ];
    const turns = await inTurns(saves, { rounds, warmUps: 1 }, async ([, file, text, expected]) => {
      // Results of the save before may still be on their way.
      await wait(500);
      printed = '';
      await writeFile(file, text());
      const ms = await until(expected);
      save += 1;
      return ms;
    });
    const rows = saves.map(([shown], index) => [
      shown,
      medianOf(turns, (turn) => turn[index]).toFixed(0),
    ]);
    return { head: [`a save, median of ${rounds}`, 'ms'], rows };
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'close');
    for (const cleanUp of cleanUps) await cleanUp();
  }
}
