// Runs the short part of the tests and ends with one line of counts: `N passed, N failed`. `--all`
// also runs the long part: tests with the tag `long`, and all rounds of those that repeat
// something. `--prove` runs the long proofs (*.prove.ts) instead, and with `--save` writes what
// they did to docs/proofs.md. `--cpu` also prints the CPU time of each test file. All other
// arguments are passed to vitest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(
  createRequire(import.meta.url).resolve('vitest/package.json'),
  '..',
  'vitest.mjs',
);
const proving = process.argv.includes('--prove');
const isWhole = process.argv.includes('--all');
const counting = process.argv.includes('--cpu');
const saving = process.argv.includes('--save');
const ours = ['--all', '--prove', '--cpu', '--save'];
const passedOn = process.argv.slice(2).filter((argument) => !ours.includes(argument));

const folder = mkdtempSync(join(tmpdir(), 'adx-test-'));
const outputFile = join(folder, 'results.json');
const cpuFile = join(folder, 'cpu.jsonl');
try {
  const { status } = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--reporter=default',
      '--reporter=json',
      ...(saving ? ['--reporter=./test/proofs/save-proofs.ts'] : []),
      `--outputFile=${outputFile}`,
      ...(isWhole || proving ? [] : ['--tags-filter=!long']),
      ...passedOn,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(proving && { ADX_TEST_PROVE: '1' }),
        ...(counting && { ADX_TEST_CPU: cpuFile }),
        ...((isWhole || proving) && { ADX_TEST_ALL: '1' }),
        REDOCLY_TELEMETRY: 'off',
        // The compiler, which is written in Go, needs 10 % less CPU time if it collects garbage
        // less often.
        GOGC: '400',
      },
    },
  );
  if (counting) printCpu(cpuFile);
  const { passed, failed } = count(outputFile);
  // A crash outside any test is a failure too, and so is a run without tests.
  const unaccounted = (status !== 0 && failed === 0) || passed + failed === 0 ? 1 : 0;
  process.stdout.write(`${passed} passed, ${failed + unaccounted} failed\n`);
  process.exitCode = failed + unaccounted === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints the CPU time of each test file in seconds, the highest last; the database is not included.
 */
function printCpu(file) {
  if (!existsSync(file)) return;
  const files = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.seconds - b.seconds);
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const { file: path, seconds } of [...files, { file: join(root, 'all'), seconds: total }]) {
    process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${relative(root, path)}\n`);
  }
}

function count(file) {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    // A test file that could not be loaded has no tests, and counts as one failed test.
    const broken = results.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length;
    return { passed: results.numPassedTests, failed: results.numFailedTests + broken };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
