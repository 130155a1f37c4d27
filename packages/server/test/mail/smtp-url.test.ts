import { expect, test } from 'vitest';
import { parseSmtpUrl } from '../../src/mail/smtp-url.js';

test('mail: without credentials, smtp uses TLS if it is offered', () => {
  expect(parseSmtpUrl('smtp://relay.example:2525')).toEqual({
    host: 'relay.example',
    port: 2525,
    secure: false,
    requireTLS: false,
    tls: { rejectUnauthorized: false },
  });
});

test('mail: credentials are only sent over TLS, to a server with a valid certificate', () => {
  expect(parseSmtpUrl('smtp://user:secret@relay.example')).toEqual({
    host: 'relay.example',
    secure: false,
    requireTLS: true,
    tls: { rejectUnauthorized: true },
    auth: { user: 'user', pass: 'secret' },
  });
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'mail: within this machine (%s) credentials need no TLS',
  (host) => {
    expect(parseSmtpUrl(`smtp://user:secret@${host}:1025`)).toMatchObject({
      host: host.replaceAll(/[[\]]/g, ''),
      requireTLS: false,
      tls: { rejectUnauthorized: false },
    });
  },
);

test('mail: a host name that starts with 127.0.0.1 is another machine', () => {
  expect(parseSmtpUrl('smtp://user:secret@127.0.0.1.evil.example')).toMatchObject({
    requireTLS: true,
  });
});

test('mail: smtps uses TLS from the start, with a valid certificate', () => {
  expect(parseSmtpUrl('smtps://relay.example')).toEqual({
    host: 'relay.example',
    secure: true,
    requireTLS: false,
    tls: { rejectUnauthorized: true },
  });
});

test('mail: a password with an invalid escape is taken literally', () => {
  expect(parseSmtpUrl('smtp://user:50%@relay.example').auth).toEqual({ user: 'user', pass: '50%' });
});
