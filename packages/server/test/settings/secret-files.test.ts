import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { fileVariable, secretSettings, settings } from '../../src/settings.js';
import { forJobs, needed, refusalOf } from './valid-settings.js';

describe('D-59 secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adx-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: string | Uint8Array) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, content);
    return path;
  };

  test('D-59 the first line of a file is the value of every secret', () => {
    const all: Record<string, string> = {
      ...{ ...needed, ...forJobs, IDENTITY_PROVIDER: 'oidc', OIDC_CLIENT_ID: 'adx' },
      ...{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_SECRET: 'secret of the client' },
      COGNITO_CLIENT_SECRET: 'secret of the app client',
      DATABASE_READ_URL: 'postgresql://adx:secret@replica/adx',
      ...{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret' },
    };
    const inFiles = Object.fromEntries(
      Object.entries(all).map(([name, value]) =>
        secretSettings.includes(name)
          ? [fileVariable(name), file(`${value}\r\nsecond line\n`)]
          : [name, value],
      ),
    );
    expect(Object.keys(inFiles).filter((name) => name.endsWith('_FILE'))).toHaveLength(
      secretSettings.length,
    );
    expect(loadConfig(inFiles, 'worker')).toEqual(loadConfig(all, 'worker'));
    // A service refuses the settings of another provider.
    for (const each of [all, inFiles]) {
      for (const name of Object.keys(each)) if (name.startsWith('COGNITO_')) delete each[name];
    }
    expect(loadConfig(inFiles, 'service')).toEqual(loadConfig(all, 'service'));
  });

  test('D-59 each setting that is named like a secret, or has a URL with a password, is one', () => {
    const secrets = Object.keys(settings.shape).filter((name) =>
      /SECRET|PASSWORD|TOKEN|_KEY|HEADERS|^(DATABASE|DATABASE_READ|SMTP)_URL$/.test(name),
    );
    expect([...secretSettings].sort()).toEqual(secrets.sort());
  });

  test.each([
    ['both', () => file('geheim'), /LINK_SECRET_FILE: cannot be set together with LINK_SECRET$/m],
    ['missing', () => join(folder, 'none'), /LINK_SECRET_FILE: \/\S+none cannot be read: .*ENOENT/],
    ['a folder', () => folder, /LINK_SECRET_FILE: \S+ cannot be read: .*EISDIR/],
    ['empty', () => file(''), /LINK_SECRET_FILE: the first line of \/\S+ is empty$/m],
    ['blank', () => file(' \ngeheim'), /LINK_SECRET_FILE: the first line of \/\S+ is empty$/m],
    [
      'binary',
      () => file(Buffer.alloc(64, 0xfe)),
      /LINK_SECRET_FILE: \/\S+ is not text in UTF-8$/m,
    ],
    ['short', () => file('geheim'), /LINK_SECRET_FILE: is shorter than 32 characters/],
    ['not a path', () => 'geheim', /LINK_SECRET_FILE: is not the absolute path of a file$/m],
  ])(
    'D-59 a file that is %s is refused, and its content is not repeated',
    (kind, path, expected) => {
      const secret = kind === 'both' ? { LINK_SECRET: forJobs.LINK_SECRET } : { LINK_SECRET: '' };
      const environment = { ...needed, ...forJobs, ...secret, LINK_SECRET_FILE: path() };
      const { message } = refusalOf(environment, 'worker');
      expect(message).toMatch(expected);
      expect(message.split('\n')).toHaveLength(2);
      expect(message).not.toContain('geheim');
    },
  );

  test('D-59 misspelt names of files are found, and files of settings that are not secrets', () => {
    const wrong = {
      LINK_SECRETS_FILE: '/run/a',
      SMTP_URL_FLIE: '/run/b',
      LOG_LEVEL_FILE: '/run/c',
    };
    const { message } = refusalOf({ ...needed, ...wrong });
    expect(message).toContain(
      'LINK_SECRETS_FILE: there is no such setting; did you mean LINK_SECRET_FILE?',
    );
    expect(message).toContain(
      'SMTP_URL_FLIE: there is no such setting; did you mean SMTP_URL_FILE?',
    );
    expect(message).toContain(
      'LOG_LEVEL_FILE: there is no such setting; only secrets can be in files',
    );
  });
});
