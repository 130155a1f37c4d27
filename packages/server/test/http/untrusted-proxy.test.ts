import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { startService } from '../../src/service.js';
import { createTestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';

test.each([
  ['https://adx.example.org', {}, true],
  ['https://adx.example.org', { TRUST_PROXY: '1' }, false],
  ['http://localhost:3000', {}, false],
])(
  'D-25 a service at %s with %j warns that signers cannot be told apart: %s',
  async (url, proxies, warns) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.release());
    const log: string[] = [];
    const logger = pino({}, { write: (line) => void log.push(line) });
    const settings = { ...(await processSettings(database.url)), PUBLIC_URL: url, ...proxies };
    const service = await startService(loadConfig(settings, 'service'), { logger });
    await service.close();
    expect(log.join('').includes('TRUST_PROXY is not set')).toBe(warns);
  },
);
