import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { runCommand } from '../support/run-command.js';

/** The last line of releases that runs on Node 20. */
const verdaccio = 'verdaccio@6.8.0';

/** An npm registry on this machine. */
export interface LocalRegistry {
  readonly url: string;
  /** Environment variables with which npm may publish to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts it, with the packages that it had before. It takes only those of `publishable`. */
  start(publishable: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Installs a registry in a folder. It passes requests for packages of other scopes on to npm's own.
 */
export async function installRegistry(folder: string): Promise<LocalRegistry> {
  await mkdir(folder, { recursive: true });
  // Some registries have no tag `cjs`, which Verdaccio names.
  const manifest = { private: true, overrides: { 'node-fetch': '2.7.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await runCommand('npm', ['install', ...flags, verdaccio], { cwd: folder });
  const upstream = (await runCommand('npm', ['config', 'get', 'registry'])).trim();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const settings = join(folder, 'npmrc');
  let child: ReturnType<typeof fork> | undefined;

  return {
    url,
    env: { npm_config_userconfig: settings },
    async start(publishable) {
      const config = join(folder, 'config.yaml');
      await writeFile(config, JSON.stringify(configuration(upstream, publishable)));
      const program = join(folder, 'node_modules/verdaccio/bin/verdaccio');
      const args = ['--config', config, '--listen', `127.0.0.1:${port}`];
      child = fork(program, args, {
        cwd: folder,
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await once(child, 'message');
      await writeFile(settings, `//127.0.0.1:${port}/:_authToken=${await signIn(url)}\n`);
    },
    async stop() {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Returns the configuration of Verdaccio, as JSON, which is YAML. */
function configuration(upstream: string, publishable: readonly string[]) {
  const ours = publishable.map((name) => [name, { access: '$all', publish: '$authenticated' }]);
  return {
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd' } },
    uplinks: { npm: { url: upstream } },
    packages: {
      ...Object.fromEntries(ours),
      '@adx/*': { access: '$all', publish: 'nobody' },
      '**': { access: '$all', proxy: 'npm' },
    },
    log: { type: 'stdout', level: 'error' },
  };
}

/** Creates the user, or signs in, and returns a token. */
async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ name: 'els', password: 'zeer-geheim-2026' });
  const response = await fetch(`${url}-/user/org.couchdb.user:els`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa('els:zeer-geheim-2026')}`,
    },
    body,
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`The registry refused the user: ${response.status}`);
  return token;
}
