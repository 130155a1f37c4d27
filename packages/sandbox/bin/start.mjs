// `npm start`: builds what is not up to date, then runs `adx-sandbox start` in this process, so
// that a signal reaches it.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.stderr.write('Building what is not up to date; the first time takes a moment …\n');
const root = fileURLToPath(new URL('../../..', import.meta.url));
const { status, stdout, error } = spawnSync(
  'npx',
  ['turbo', 'run', 'build', '--filter=@adx/sandbox', '--output-logs=errors-only'],
  {
    cwd: root,
    // The output of turbo is of interest only when it fails.
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  },
);
if (status === 0) {
  process.argv.splice(2, 0, 'start');
  await import('../dist/cli.js');
} else {
  process.stderr.write(`${stdout ?? ''}The build failed. ${error?.message ?? ''}\n`);
  process.exitCode = 1;
}
