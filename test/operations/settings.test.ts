import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdxServer } from '../../packages/server/test/operator/adx-server.js';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/test/support/database.js';

const dataDir = mkdtempSync(join(tmpdir(), 'adx-settings-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Settings with which the service would start. */
const good = () => ({
  PORT: '0',
  STORAGE_PORT: '0',
  ADX_DATA_DIR: dataDir,
  DATABASE_URL: database.url,
});

describe('operations: settings that keep the service from starting', () => {
  it('every malformed one is named, its value is not', async () => {
    const malformed = {
      PORT: 'geheim-1',
      HOST: '',
      PUBLIC_URL: 'geheim-2',
      DATABASE_URL: 'mysql://geheim-3@db/adx',
      DATABASE_POOL_SIZE: '-geheim-4',
      RATE_LIMIT_PER_MINUTE: 'geheim-5',
      CORS_ORIGIN: 'geheim-6',
      LOG_LEVEL: 'geheim-7',
    };
    const { exitCode, stdout, stderr } = await runAdxServer(['serve'], malformed);
    expect([exitCode, stdout]).toEqual([1, '']);
    for (const name of Object.keys(malformed).filter((each) => each !== 'HOST')) {
      expect(stderr).toMatch(new RegExp(`^ *${name}: `, 'm'));
    }
    expect(stderr).not.toContain('geheim');
  });

  it('every unknown one that could be meant for the service is named', async () => {
    const unknown = { ADX_TYPO: '1', DATABASE_ULR: '2', LOG_LEVLE: '3', RATE_LIMIT: '4' };
    const { exitCode, stderr } = await runAdxServer(['serve'], { ...good(), ...unknown });
    expect(exitCode).toBe(1);
    for (const name of ['ADX_TYPO', 'DATABASE_ULR', 'LOG_LEVLE']) {
      expect(stderr).toContain(`${name}: there is no such setting`);
    }
  });

  it('a database that cannot be reached is said, its password is not', async () => {
    // Port 9 (discard) has no listener on any machine that runs tests.
    const settings = { ...good(), DATABASE_URL: 'postgres://adx:geheim-8@127.0.0.1:9/adx' };
    const { exitCode, stdout, stderr } = await runAdxServer(['serve'], settings);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/database cannot be reached/);
    expect(stderr).not.toContain('geheim');
  });

  it('an address that is not this machine’s is said', async () => {
    const { exitCode, stderr } = await runAdxServer(['serve'], { ...good(), HOST: '192.0.2.1' });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toMatch(/HOST|192\.0\.2\.1/);
  });
});
