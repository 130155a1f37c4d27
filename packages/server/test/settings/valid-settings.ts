import { ConfigError, type Configs, loadConfig } from '../../src/config.js';

export const storage = {
  S3_ENDPOINT: 'http://minio:9000/',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_BUCKET_FILES: 'files',
  S3_BUCKET_CODA_UPLOADS: 'coda',
  S3_BUCKET_CODB_UPLOADS: 'codb',
  STS_ROLE_ARN: 'arn:aws:iam::123456789012:role/upload',
};
const { S3_ENDPOINT: _endpoint, ...withoutEndpoint } = { ...storage, S3_REGION: 'eu-west-1' };
export const onAws = withoutEndpoint;
/** The settings that a service requires. */
export const needed = {
  ...storage,
  DATABASE_URL: 'postgresql://db/adx',
  PUBLIC_URL: 'https://adx.example.org',
  SIGNING_KEY_SECRET: 'another secret of more than thirty-two characters',
};
export const forJobs = {
  LINK_SECRET: 'a secret of at least thirty-two characters',
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'adx@example.org',
};

/** Returns the error with which settings are refused. */
export function refusalOf(
  environment: Record<string, string>,
  kind: keyof Configs = 'service',
): ConfigError {
  try {
    loadConfig(environment, kind);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The settings were accepted');
}
