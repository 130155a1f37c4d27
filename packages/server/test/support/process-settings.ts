import { createTestBuckets } from './buckets.js';

/**
 * The settings of a service or worker on a database of the tests: free ports, buckets of its own, and
 * a mail server that nobody reaches.
 */
export async function processSettings(databaseUrl: string): Promise<Record<string, string>> {
  return {
    ...(await createTestBuckets()),
    DATABASE_URL: databaseUrl,
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    LINK_SECRET: 'a secret of at least thirty-two characters',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Accounting Data Exchange <noreply@adx.example>',
    LOG_LEVEL: 'silent',
  };
}
