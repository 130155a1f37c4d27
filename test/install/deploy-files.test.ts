import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../packages/server/src/config.js';
import { fileVariable, secretSettings, settings } from '../../packages/server/src/settings.js';
import { repository } from '../support/run-command.js';

const folder = join(repository, 'packages/server/deploy');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.\w+$|Containerfile$/.test(name) && !name.endsWith('.d'),
);

const known = [
  ...Object.keys(settings.shape),
  ...secretSettings.map(fileVariable),
  // This one is of Node itself.
  'NODE_OPTIONS',
];

test('D-61 the files of deploy/ are in the package and in a guide, and name only settings that exist', () => {
  const { files: packed } = JSON.parse(
    readFileSync(join(repository, 'packages/server/package.json'), 'utf8'),
  );
  expect(packed).toContain('deploy');
  const guides = ['running-in-production', 'observing', 'backup']
    .map((name) => readFileSync(join(repository, `docs/guides/${name}.md`), 'utf8'))
    .join('\n');
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(guides, file).toContain(`deploy/${file.split('/')[0]}`);
    if (!file.startsWith('systemd/')) continue;
    const named = [...read(file).matchAll(/^#?(?:Environment=)?\s*([A-Z][A-Z0-9_]+)[=:]/gm)];
    for (const [, name = ''] of named) expect(known, `${name} in ${file}`).toContain(name);
  }
});

test('D-61 units, image, guide and soak limit the memory of Node alike', () => {
  const texts = [
    read('systemd/adx-.service.d/adx.conf'),
    read('container/Containerfile'),
    readFileSync(join(repository, 'docs/guides/running-in-production.md'), 'utf8'),
    readFileSync(join(repository, 'test/operations/soak.prove.ts'), 'utf8'),
  ];
  for (const text of texts) expect(text).toContain('--max-old-space-size=384');
});

test('D-61 every secret of a unit is a credential, and each program of a unit is in the package', () => {
  const unit = read('systemd/adx-.service.d/adx.conf');
  for (const [, name = '', file] of unit.matchAll(/^#?Environment=(\w+)=%d\/(\S+)$/gm)) {
    expect(secretSettings.map(fileVariable)).toContain(name);
    expect(unit).toContain(`LoadCredential=${file}:/etc/adx/secrets/${file}`);
  }
  const commands = ['server', 'worker', 'migrate'].map((name) => {
    const [, program = '', command] =
      /^ExecStart=\/usr\/bin\/node \S+\/@adx\/server\/(\S+) (\w+)$/m.exec(
        read(`systemd/adx-${name}.service`),
      ) ?? [];
    expect(existsSync(join(folder, '..', program))).toBe(true);
    return command;
  });
  expect(commands).toEqual(['serve', 'worker', 'migrate']);
});

test('D-61 the proxies lead to the same ports, and show the same public paths', () => {
  const [haproxy, nginx] = [read('haproxy/haproxy.cfg'), read('nginx/adx.conf')];
  const portsOf = (text: string) =>
    [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
  // HAProxy switches to the same services while none is ready.
  expect(portsOf(haproxy)).toEqual([...portsOf(nginx), ...portsOf(nginx)]);
  for (const text of [haproxy, read('container/compose-haproxy.cfg')]) {
    const [, services, unready] = text
      .replaceAll(' check inter 2s fall 2 rise 1', '')
      .split(/^backend /m)
      .map((part) => part.match(/^ +server.*$/gm));
    expect(services).not.toBeNull();
    expect(unready).toEqual(services);
  }
  expect(portsOf(nginx)).toContain(String(settings.parse({}).PORT));
  const guide = readFileSync(join(repository, 'docs/guides/running-in-production.md'), 'utf8');
  const [, list = ''] = /and forwards (.+?)\. Long lists/.exec(guide) ?? [];
  const paths = [...list.matchAll(/`\/([\w-]+)/g)].map(([, path]) => path);
  expect(paths).toContain('v1');
  for (const path of paths) {
    expect(haproxy).toContain(`/${path}`);
    expect(nginx).toContain(path === 'openapi' ? 'openapi' : `${path}/`);
  }
});

test('D-61 the settings of the compose file start every process, and its proxy leads to the services', () => {
  const { services } = parse(read('container/compose.yaml'), { merge: true });
  expect(known).toEqual(expect.arrayContaining(Object.keys(services.serve.environment)));
  const secret = 'x'.repeat(64);
  const settingsOf = ({ environment }: { environment: Record<string, unknown> }) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        String(value).replace(/\$\{\w+:\?\}/, secret),
      ]),
    );
  expect(loadConfig(settingsOf(services.serve), 'service')).toMatchObject({ trustedProxies: 1 });
  expect(loadConfig(settingsOf(services.worker), 'worker').jobs.linkSecret).toBe(secret);
  expect([services.migrate.command, services.worker.command]).toEqual(['migrate', 'worker']);
  const buckets = String(services.buckets.entrypoint);
  const { storage } = loadConfig(settingsOf(services.serve), 'service');
  for (const bucket of Object.values(storage.buckets)) expect(buckets).toContain(`store/${bucket}`);
  const [, port] = /^ENV .*\bPORT=(\d+)$/m.exec(read('container/Containerfile')) ?? [];
  expect(read('container/compose-haproxy.cfg')).toContain(` serve:${port} `);
  const trusted = /^ +(?:acl public|http-request (?:deny|set-header)) .*$/gm;
  const [proxy, compose] = ['haproxy/haproxy.cfg', 'container/compose-haproxy.cfg'].map((file) =>
    read(file).match(trusted),
  );
  expect(compose).toEqual(proxy);
});
