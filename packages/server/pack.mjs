// Prepares the package: a new build, with the site of the documentation that `/docs/` shows.
// `postpack` removes the site again, because a service that runs from the checkout shows docs/dist.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';

if (!existsSync('../../docs/dist/index.html')) {
  process.stderr.write('error: The documentation is not built: run `npm run docs` first.\n');
  process.exit(1);
}
rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
cpSync('../../docs/dist', 'dist/docs', { recursive: true });
