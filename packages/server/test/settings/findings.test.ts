import { expect, test } from 'vitest';
import { forJobs, needed, refusalOf } from './valid-settings.js';

test.each([
  ['LOG_LEVEL', 'loud', 'none of trace, debug, info, warn, error, silent'],
  ['PUBLIC_URL', 'adx.example', 'not an http or https URL'],
  ['DATABASE_URL', 'mysql://db/adx', 'not a postgresql URL'],
  ['SMTP_URL', 'smtp:///mail.example.org', 'not an smtp or smtps URL with a host'],
  ['OIDC_ISSUER', 'login.example.org', 'not an http or https URL'],
  ['OIDC_ISSUER', 'ftp://login.example.org', 'not an http or https URL'],
])('config: %s=%s is %s', (name, value, finding) => {
  const provider = name === 'OIDC_ISSUER' && { IDENTITY_PROVIDER: 'oidc', OIDC_CLIENT_ID: 'adx' };
  const given = { ...needed, ...forJobs, ...provider, [name]: value };
  const { message } = refusalOf(given, 'service');
  expect(message).toBe(`The settings are not valid:\n  ${name}: is ${finding}`);
});
