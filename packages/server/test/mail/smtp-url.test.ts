import { expect, test } from 'vitest';
import { parseSmtpUrl } from '../../src/mail/smtp-url.js';

test.each([
  ['requires STARTTLS and a valid certificate', false],
  ['uses STARTTLS if it is offered, where plain text is allowed', true],
])('mail: without credentials, smtp to another machine %s', (_what, allowPlaintext) => {
  expect(parseSmtpUrl('smtp://relay.example:2525', allowPlaintext)).toEqual({
    host: 'relay.example',
    port: 2525,
    secure: false,
    requireTLS: !allowPlaintext,
    tls: { rejectUnauthorized: !allowPlaintext },
  });
});

test('mail: credentials are only sent over TLS, to a server with a valid certificate', () => {
  for (const allowPlaintext of [false, true]) {
    expect(parseSmtpUrl('smtp://user:secret@relay.example', allowPlaintext)).toEqual({
      host: 'relay.example',
      secure: false,
      requireTLS: true,
      tls: { rejectUnauthorized: true },
      auth: { user: 'user', pass: 'secret' },
    });
  }
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'mail: within this machine (%s) neither messages nor credentials need TLS',
  (host) => {
    expect(parseSmtpUrl(`smtp://${host}`).requireTLS).toBe(false);
    expect(parseSmtpUrl(`smtp://user:secret@${host}:1025`)).toMatchObject({
      host: host.replaceAll(/[[\]]/g, ''),
      requireTLS: false,
      tls: { rejectUnauthorized: false },
    });
  },
);

test.each(['127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '[::2]'])(
  'mail: %s is another machine',
  (host) => {
    for (const user of ['', 'user:secret@']) {
      expect(parseSmtpUrl(`smtp://${user}${host}`)).toMatchObject({
        requireTLS: true,
        tls: { rejectUnauthorized: true },
      });
    }
  },
);

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
