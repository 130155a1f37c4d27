import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../../test/support/free-port.js';

const isRoot = process.getuid?.() === 0;

/** Installs Debian packages whose programs are missing, if this process may. */
export function requirePrograms(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).filter(([program]) => !existsSync(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (!isRoot) throw new Error(`Install first: apt-get install ${packages.join(' ')}`);
  execFileSync('apt-get', ['install', '--yes', ...packages], { stdio: 'ignore' });
}

export async function startDebianPostgres(bin: string) {
  const folder = mkdtempSync(join(tmpdir(), 'adx-postgres-'));
  chmodSync(folder, 0o711);
  const data = join(folder, 'data');
  const port = await freePort();
  if (isRoot) execFileSync('install', ['-d', '-o', 'postgres', data]);
  // PostgreSQL does not run as root.
  const parametersOf = (program: string, ...parameters: string[]) => [
    ...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []),
    ...[join(bin, program), '-D', data, ...parameters],
  ];
  const command = isRoot ? 'setpriv' : 'env';
  const options = { stdio: 'ignore', cwd: folder } as const;
  execFileSync(command, parametersOf('initdb', '-U', 'adx', '-A', 'trust', '-E', 'UTF8'), options);
  const listening = ['-p', String(port), '-h', '127.0.0.1', '-k', ''];
  const server = spawn(command, parametersOf('postgres', ...listening), options);
  const urlOf = (database: string) => `postgres://adx@127.0.0.1:${port}/${database}`;
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end().catch(() => {});
    }
  };
  for (let attempt = 0; ; attempt += 1) {
    const failure = await query('select 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) break;
    if (attempt === 100) throw failure;
    await setTimeout(200);
  }
  return {
    port,
    urlOf,
    query,
    async stop() {
      server.kill('SIGINT');
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}
