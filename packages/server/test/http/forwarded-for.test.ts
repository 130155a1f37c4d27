import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { startSignedInService } from '../../../../test/support/signed-in-service.js';
import { loadConfig } from '../../src/config.js';
import { startService } from '../../src/service.js';
import { createTestDatabase } from '../support/database.js';
import { processSettings } from '../support/process-settings.js';

test.each([
  ['2', '203.0.113.9:51022, 10.0.0.7:4711', '203.0.113.9'],
  ['1', '198.51.100.1, [2001:db8::7]:51022', '2001:db8::7'],
  ['1', '198.51.100.1, ', '127.0.0.1'],
  ['loopback, 10.0.0.0/8', '203.0.113.9:51022, [::ffff:10.0.0.7]:4711', '203.0.113.9'],
  ['loopback, 10.0.0.0/8', '198.51.100.1, unknown, 10.0.0.7:4711', '127.0.0.1'],
])(
  'D-58 with TRUST_PROXY=%s, %s is the call of %s, and the log names what is no address',
  async (TRUST_PROXY, forwarded, address) => {
    const log: string[] = [];
    const logger = pino({}, { write: (line) => void log.push(line) });
    const signedIn = await startSignedInService({ settings: { TRUST_PROXY }, logger });
    onTestFinished(() => signedIn.service.close());
    const headers = { 'X-Forwarded-For': forwarded };
    for (const _ of [1, 2]) {
      const answer = await signedIn.call('listCustomers', { headers });
      const [entry] = await eventually(
        () =>
          signedIn.service
            .knex('audit_entries')
            .where({ request_id: answer.headers.get('x-request-id') }),
        ({ length }) => length > 0,
      );
      expect(entry).toMatchObject({ address });
    }
    // Once a minute, however many calls there are.
    const warnings = log.filter((line) => line.includes('forwards no IP address'));
    expect(warnings).toHaveLength(address === '127.0.0.1' ? 1 : 0);
  },
);

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
