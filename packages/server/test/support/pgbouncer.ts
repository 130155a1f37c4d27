import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/free-port.js';
import { requireProgram } from '../../../../test/support/require-program.js';
import { runCommand } from '../../../../test/support/run-command.js';

/** The program. Debian 12 has 1.18, which loses the names of statements; 1.21 keeps them. */
const program = process.env['TEST_PGBOUNCER'] ?? 'pgbouncer';

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  readonly url: string;
  /** The version, such as `1.25.2`. */
  readonly version: string;
  readonly keepsNames: boolean;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode before a database.
 *
 * @param poolSize - the number of its connections to the database
 */
export async function startPgBouncer(
  url: string,
  { poolSize = 2, clients = 100 } = {},
): Promise<PgBouncer> {
  await requireProgram(program, 'pgbouncer', '--version');
  const stdout = await runCommand(program, ['--version']);
  const version = /^PgBouncer ([\d.]+)/.exec(stdout)?.[1] ?? '';
  const [, minor = 0] = version.split('.').map(Number);
  const folder = await mkdtemp(join(tmpdir(), 'adx-pgbouncer-'));
  const { hostname, port, pathname, username, password } = new URL(url);
  const listenPort = await freePort();
  const name = pathname.slice(1);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  const keepsNames = minor >= 21;
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = ${clients}
${keepsNames ? 'max_prepared_statements = 200' : ''}
`,
  );
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${listenPort}`;
  return {
    url: pooled.href,
    version,
    keepsNames,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}
