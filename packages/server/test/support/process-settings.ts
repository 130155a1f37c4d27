import { createTestBuckets } from './buckets.js';

/**
 * Returns the settings of a service or worker on a test database: a free port, new buckets, and a
 * mail server that does not exist.
 */
export async function processSettings(databaseUrl: string): Promise<Record<string, string>> {
  return {
    ...(await createTestBuckets()),
    DATABASE_URL: databaseUrl,
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    LINK_SECRET: 'a secret of at least thirty-two characters',
    SIGNING_KEY_SECRET: 'another secret of more than thirty-two characters',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Accounting Data Exchange <noreply@adx.example>',
    LOG_LEVEL: 'silent',
  };
}
