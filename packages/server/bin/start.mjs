// `npm start`: builds what is stale, then serves with the demo firm, in this one process, so that
// a signal reaches the service.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.stderr.write('Building what is not up to date; the first time takes a minute …\n');
const root = fileURLToPath(new URL('../../..', import.meta.url));
const { status, stdout, error } = spawnSync(
  'npx',
  [
    'turbo',
    'run',
    'build',
    '--filter=@adx/server...',
    '--filter=@adx/docs',
    '--output-logs=errors-only',
  ],
  {
    cwd: root,
    // What turbo says is of interest only when it fails; it goes where errors go.
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  },
);
if (status === 0) {
  process.argv.push('serve', '--demo');
  await import('../dist/cli.js');
} else {
  process.stderr.write(`${stdout ?? ''}The build failed. ${error?.message ?? ''}\n`);
  process.exitCode = 1;
}
