import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureProgram } from '../../packages/server/src/operator/program.js';
import { runAdxServer } from '../../packages/server/test/operator/adx-server.js';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/test/support/database.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';

let database: TestDatabase;
let good: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  good = await processSettings(database.url);
});
afterAll(async () => {
  await database?.release();
});

describe('operations: settings with which the service does not start', () => {
  it('each malformed one is named, without its value', async () => {
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
    const { exitCode, stdout, stderr } = await captureProgram(['serve'], { ...good, ...malformed });
    expect([exitCode, stdout]).toEqual([2, '']);
    for (const name of Object.keys(malformed).filter((each) => each !== 'HOST')) {
      expect(stderr).toMatch(new RegExp(`^ *${name}: `, 'm'));
    }
    expect(stderr).not.toContain('geheim');
  });

  it('each unknown one that looks like a setting of the service is named', async () => {
    const unknown = { S3_TYPO: '1', DATABASE_ULR: '2', LOG_LEVLE: '3' };
    const ofOthers = { LOG_DIR: '4', MAIL_HOST: '5', DATABASE_HOST: '6', HTTP_URL: '7' };
    const settings = { ...good, ...unknown, ...ofOthers };
    const { exitCode, stderr } = await captureProgram(['serve'], settings);
    expect(exitCode).toBe(2);
    for (const name of ['S3_TYPO', 'DATABASE_ULR', 'LOG_LEVLE']) {
      expect(stderr).toContain(`${name}: there is no such setting`);
    }
    expect(stderr).toContain('did you mean DATABASE_URL?');
    for (const name of Object.keys(ofOthers)) expect(stderr).not.toContain(`${name}:`);
  });

  it('each missing one is named, and no default replaces it', async () => {
    for (const [command, names] of [
      [['serve'], ['DATABASE_URL', 'PUBLIC_URL', 'S3_BUCKET_FILES', 'SIGNING_KEY_SECRET']],
      [['worker'], ['DATABASE_URL', 'LINK_SECRET', 'SMTP_URL', 'S3_BUCKET_CODB_UPLOADS']],
      [
        ['signing-key', 'rotate'],
        ['DATABASE_URL', 'SIGNING_KEY_SECRET'],
      ],
      [['migrate'], ['DATABASE_URL']],
      [['api-key', 'issue', '--partner', 'x', '--scopes', 'all'], ['DATABASE_URL']],
    ] as const) {
      const { exitCode, stdout, stderr } = await captureProgram(command, {});
      expect([exitCode, stdout]).toEqual([2, '']);
      for (const name of names) expect(stderr).toMatch(new RegExp(`^ *${name}: is missing`, 'm'));
    }
  });

  it('a database that cannot be reached is named as the reason, without its password', async () => {
    // Port 9 (discard) has no listener on any machine that runs tests.
    const settings = { ...good, DATABASE_URL: 'postgres://adx:geheim-8@127.0.0.1:9/adx' };
    const { exitCode, stdout, stderr } = await runAdxServer(['serve'], settings);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/database cannot be reached/);
    expect(stderr).not.toContain('geheim');
  });

  it('a host name that does not exist is named', { tags: 'long' }, async () => {
    const { exitCode, stderr } = await runAdxServer(['serve'], { ...good, HOST: 'adx.invalid' });
    expect(exitCode).toBe(1);
    // EAI_AGAIN where no name server can be reached.
    expect(stderr).toMatch(
      /^error: The address adx\.invalid cannot be used \((ENOTFOUND|EAI_AGAIN)\): set HOST to/,
    );
  });
});
