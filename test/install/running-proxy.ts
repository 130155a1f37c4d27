import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { requireProgram } from '../support/require-program.js';
import { repository, runCommand } from '../support/run-command.js';

export const proxies = ['haproxy', 'nginx'] as const;

const programs = {
  haproxy: {
    debian: 'haproxy',
    config: 'haproxy/haproxy.cfg',
    whole: (config: string) => config,
    check: ['-c', '-f'],
    run: ['-W', '-f'],
  },
  nginx: {
    debian: 'nginx-light',
    config: 'nginx/adx.conf',
    whole: (config: string) =>
      `daemon off; error_log log; pid nginx.pid; events {}\nhttp { ${config} }\n`,
    check: ['-t', '-c'],
    run: ['-c'],
  },
} as const;

/** An answer of the proxy, with the times of its first and last byte, in ms. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly firstByteMs: number;
  readonly lastByteMs: number;
}

export interface RunningProxy {
  /** Calls a path over TLS, on connections that are kept open. */
  call(
    path: string,
    options?: RequestOptions & { readonly content?: string },
  ): Promise<ProxyAnswer>;
  readonly plainPort: number;
  readLog(): Promise<string>;
  close(): Promise<void>;
}

/** Starts a proxy with its configuration, in which only addresses and certificate are replaced. */
export async function startProxy(
  name: (typeof proxies)[number],
  services: readonly [number, number],
  ports: { readonly tls: number; readonly plain: number },
): Promise<RunningProxy> {
  const { debian, config, whole, check, run } = programs[name];
  await requireProgram(name, debian);
  const folder = await mkdtemp(join(tmpdir(), 'adx-proxy-'));
  const pem = await createCertificate(folder);
  const text = await readFile(join(repository, 'packages/server/deploy', config), 'utf8');
  const replaced = text
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${services[0]}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${services[1]}`)
    .replace(/(bind :|listen )443/, `$1${ports.tls}`)
    .replace(/(bind :|listen )80/, `$1${ports.plain}`)
    .replaceAll('/var/log/nginx/adx.log', join(folder, 'log'))
    .replaceAll(/\/etc\/(haproxy|nginx)\/adx\.(pem|crt|key)/g, join(folder, 'adx.pem'));
  const file = join(folder, 'proxy.cfg');
  await writeFile(file, whole(replaced));
  const prefix = name === 'nginx' ? ['-p', folder] : [];
  await runCommand(name, [...prefix, ...check, file]);
  const log = await open(join(folder, 'log'), 'a');
  const child = spawn(name, [...prefix, ...run, file], { stdio: ['ignore', log.fd, 'inherit'] });
  await log.close();
  const agent = new Agent({ keepAlive: true, ca: pem });
  const call = callThrough(ports.tls, agent);
  await eventually(
    () => call('/openapi.json'),
    ({ status }) => status === 200,
  );
  return {
    call,
    plainPort: ports.plain,
    readLog: () => readFile(join(folder, 'log'), 'utf8'),
    close: () => end(child, agent, folder),
  };
}

async function end(child: ChildProcess, agent: Agent, folder: string): Promise<void> {
  agent.destroy();
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  await rm(folder, { recursive: true });
}

async function createCertificate(folder: string): Promise<string> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await runCommand('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ]);
  const pem = (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8'));
  await writeFile(join(folder, 'adx.pem'), pem, { mode: 0o600 });
  return readFile(certificate, 'utf8');
}

function callThrough(port: number, agent: Agent): RunningProxy['call'] {
  return (path, { content, ...options } = {}) =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const target = { host: '127.0.0.1', servername: 'localhost', port, path, agent };
      const sent = request({ ...target, ...options }, async (response) => {
        let firstByteMs = 0;
        const chunks: Buffer[] = [];
        for await (const chunk of response) {
          firstByteMs ||= performance.now() - start;
          chunks.push(chunk);
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
          firstByteMs,
          lastByteMs: performance.now() - start,
        });
      });
      sent.on('error', reject);
      sent.end(content);
    });
}
