import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.js';

test('config: without any setting the embedded default serves on loopback', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
  });
  expect(config.databaseUrl).toBeUndefined();
  expect(isAbsolute(config.dataDir)).toBe(true);
});

test('config: an empty setting counts as absent', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
});

test('config: the environment of other programs is left alone', () => {
  expect(loadConfig({ PATH: '/bin', LANG: 'nl_BE.UTF-8', npm_config_yes: 'true' })).toEqual(
    loadConfig({}),
  );
});

test('config: a closing slash of the public URL does not end up in the issuer', () => {
  expect(loadConfig({ PUBLIC_URL: 'https://adx.example.org/' }).publicUrl).toBe(
    'https://adx.example.org',
  );
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '1.5'],
  ['PUBLIC_URL', 'adx.example.org'],
  ['PUBLIC_URL', 'ftp://adx.example.org'],
  ['DATABASE_URL', 'mysql://secret:word@db/adx'],
  ['DATABASE_POOL_SIZE', '0'],
  ['RATE_LIMIT_PER_MINUTE', '-1'],
  ['CORS_ORIGIN', 'anywhere'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_ULR', 'postgres://db/adx'],
  ['ADX_DATADIR', '/data'],
])('config: %s=%s is refused by name, and its value is not repeated', (name, value) => {
  const error = refusalOf({ [name]: value });
  expect(error.message).toContain(`${name}: `);
  expect(error.message).not.toContain(value);
});

test('config: every wrong setting is named at once', () => {
  const { message } = refusalOf({ PORT: 'x', LOG_LEVEL: 'x', LOG_LEVLE: 'x' });
  expect(message).toMatch(/PORT/);
  expect(message).toMatch(/LOG_LEVEL/);
  expect(message).toMatch(/LOG_LEVLE/);
});

function refusalOf(environment: Record<string, string>): ConfigError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The settings were accepted');
}
