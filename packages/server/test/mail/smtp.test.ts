import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MailRejected } from '../../src/mail/message.js';
import { refusal, startMailServer, startRawServer } from './mail-server.js';
import { aMessage, failureOf, openMailer, startServerAndMailer } from './test-mailer.js';

describe('mail: a message through a mail server', () => {
  test('mail: has an envelope, headers and both texts', async () => {
    const { mailer, delivered } = await startServerAndMailer();
    await mailer.send(aMessage());
    expect(delivered).toHaveLength(1);
    expect(delivered[0]).toMatchObject({
      envelopeFrom: 'noreply@adx.example',
      envelopeTo: ['jan@goudenkorst.example'],
      mail: {
        from: { name: 'Accounting Data Exchange', address: 'noreply@adx.example' },
        to: [{ name: 'Jan Peeters', address: 'jan@goudenkorst.example' }],
        subject: 'Uw handtekening',
        messageId: '<0123456789abcdef01234567.1@adx.example>',
        text: 'Beste Jan,\n\ntekent u even?',
        html: expect.stringContaining('<html lang="nl">'),
      },
    });
  });

  test('D-36 mail: replies go to the given address, and a name cannot add headers', async () => {
    const { mailer, delivered } = await startServerAndMailer();
    const name = 'Kantoor Maes\r\nBcc: spy@evil.example';
    await mailer.send(aMessage({ replyTo: { name, address: 'info@maes.example' } }));
    expect(delivered[0]?.mail.replyTo).toEqual([
      { name: 'Kantoor Maes Bcc: spy@evil.example', address: 'info@maes.example' },
    ]);
    expect(delivered[0]?.source).not.toMatch(/^Bcc:/m);
    expect(delivered[0]?.envelopeTo).toEqual(['jan@goudenkorst.example']);
    await mailer.send(aMessage());
    expect(delivered[1]?.mail.replyTo).toBeUndefined();
    const wrong = { name: 'Maes', address: 'info@maes.example\r\nBcc: spy@evil.example' };
    await expect(mailer.send(aMessage({ replyTo: wrong }))).rejects.toThrow(TypeError);
  });

  test('D-37 mail: attachments arrive byte for byte, beside both texts', async () => {
    const { mailer, delivered } = await startServerAndMailer();
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));
    await mailer.send(
      aMessage({
        attachments: [
          { filename: 'evidence-1.pdf', contentType: 'application/pdf', content },
          {
            filename: 'evidence-1.json',
            contentType: 'application/json',
            content: Buffer.from('{ "é": "\u{1f950}" }\n.\n..\nFrom here\n'),
          },
        ],
      }),
    );
    const { mail, source } = delivered[0] ?? expect.fail();
    expect(mail.attachments).toMatchObject([
      { filename: 'evidence-1.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
      { filename: 'evidence-1.json', mimeType: 'application/json', disposition: 'attachment' },
    ]);
    const [first, second] = mail.attachments.map((each) =>
      Buffer.from(each.content as ArrayBuffer),
    );
    expect(first?.equals(content)).toBe(true);
    expect(second?.toString()).toBe('{ "é": "\u{1f950}" }\n.\n..\nFrom here\n');
    expect([mail.text, mail.html]).toEqual([aMessage().text, expect.stringContaining('Jan')]);
    expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThan(999);
  });

  test.each(['../x.pdf', 'a b.pdf', 'x"; y=".pdf', 'x\r\nBcc: y@z.example', '.pdf', ''])(
    'D-37 mail: an attachment cannot be called %j',
    async (filename) => {
      const { mailer, delivered } = await startServerAndMailer();
      const attachment = { filename, contentType: 'application/pdf', content: Buffer.from('x') };
      const sending = mailer.send(aMessage({ attachments: [attachment] }));
      await expect(sending).rejects.toThrow(TypeError);
      expect(delivered).toEqual([]);
    },
  );

  test('mail: the headers name a program as the sender, the language and the date', async () => {
    const now = new Date('2026-11-21T09:47:09.000Z');
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const mailer = await openMailer({ to: { smtpUrl }, now: () => now });
    await mailer.send(aMessage({ language: 'de' }));
    const headers = new Map(server.delivered[0]?.mail.headers.map((h) => [h.key, h.value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('content-language')).toBe('de');
    expect(server.delivered[0]?.mail.date).toBe(now.toISOString());
    await mailer.send(aMessage({ language: 'nl\r\nBcc: spy@evil.example' }));
    expect(server.delivered[1]?.mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(server.delivered[1]?.envelopeTo).toEqual(['jan@goudenkorst.example']);
  });

  test('mail: connections are reused', async () => {
    const { mailer, delivered, connections } = await startServerAndMailer();
    for (const id of ['a1', 'a2', 'a3']) await mailer.send(aMessage({ id }));
    expect(delivered.map(({ mail }) => mail.messageId)).toEqual([
      '<a1@adx.example>',
      '<a2@adx.example>',
      '<a3@adx.example>',
    ]);
    expect(connections()).toBe(1);
  });

  test('mail: a message is sent although the server has closed the pooled connection', async () => {
    const sockets: Socket[] = [];
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const proxy = await startRawServer((socket) => {
      sockets.push(socket);
      const upstream = connect(server.port, '127.0.0.1');
      upstream.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
    onTestFinished(() => proxy.close());
    const mailer = await openMailer({ to: { smtpUrl: `smtp://127.0.0.1:${proxy.port}` } });
    await mailer.send(aMessage({ id: 'a1' }));
    sockets[0]?.destroy();
    await mailer.send(aMessage({ id: 'a2' }));
    expect(server.delivered).toHaveLength(2);
  });

  test('mail: a closed mailer accepts no messages', async () => {
    const { mailer } = await startServerAndMailer();
    mailer.close();
    await expect(mailer.send(aMessage())).rejects.toThrow();
  });
});

describe('mail: encryption and credentials', () => {
  test('mail: STARTTLS is used if it is offered, and plain text otherwise', async () => {
    const offering = await startServerAndMailer();
    await offering.mailer.send(aMessage());
    expect(offering.delivered[0]?.isEncrypted).toBe(true);
    const plain = await startServerAndMailer({ hideSTARTTLS: true });
    await plain.mailer.send(aMessage());
    expect(plain.delivered[0]?.isEncrypted).toBe(false);
  });

  test.each([
    ['offers no STARTTLS', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }],
    ['has an untrusted certificate', {}],
  ])(
    'mail: another machine that %s gets no message, unless plain text is allowed',
    async (_, options) => {
      const server = await startMailServer(options);
      onTestFinished(() => server.close());
      // This address leads to this machine, but is not one of its own.
      const smtpUrl = `smtp://0.0.0.0:${server.port}`;
      const failure = await failureOf(
        openMailer({ to: { smtpUrl } }).then(({ send }) => send(aMessage())),
      );
      expect(failure).not.toBeInstanceOf(MailRejected);
      expect(failure.message).toMatch(/SMTP_URL .*SMTP_ALLOW_PLAINTEXT/);
      expect(server.delivered).toHaveLength(0);
      await (await openMailer({ to: { smtpUrl, allowPlaintext: true } })).send(aMessage());
      expect(server.delivered).toHaveLength(1);
    },
  );

  test('mail: smtps refuses an untrusted certificate', async () => {
    const server = await startMailServer({ secure: true });
    onTestFinished(() => server.close());
    const mailer = await openMailer({ to: { smtpUrl: `smtps://127.0.0.1:${server.port}` } });
    expect(await failureOf(mailer.send(aMessage()))).not.toBeInstanceOf(MailRejected);
    expect(server.delivered).toHaveLength(0);
  });

  test('mail: the credentials of the URL are decoded and used', async () => {
    const server = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        username === 'adx@example' && password === 'p:ss/w%rd'
          ? callback(null, { user: username })
          : callback(refusal(535, 'no')),
    });
    onTestFinished(() => server.close());
    const smtpUrl = `smtp://adx%40example:p%3Ass%2Fw%25rd@127.0.0.1:${server.port}`;
    await (await openMailer({ to: { smtpUrl } })).send(aMessage());
    expect(server.delivered[0]?.user).toBe('adx@example');
  });

  test('mail: refused credentials are retried, and neither the error nor the log contains them', async () => {
    const server = await startMailServer({
      onAuth: (_auth, _session, callback) =>
        callback(refusal(535, '5.7.8 no such user adx-mailer, password hunter2')),
    });
    onTestFinished(() => server.close());
    const mailer = await openMailer({
      to: { smtpUrl: `smtp://adx-mailer:hunter2@127.0.0.1:${server.port}` },
    });
    const failure = await failureOf(mailer.send(aMessage()));
    expect(failure).not.toBeInstanceOf(MailRejected);
    expect(failure.message).toBe(
      `The mail server refused the credentials (535 5.7.8): 127.0.0.1:${server.port}`,
    );
    for (const text of [failure.message, String(failure.stack), mailer.log()]) {
      expect(text).not.toMatch(/hunter2|adx-mailer/);
    }
    expect(failure.cause).toBeUndefined();
  });

  test.each(['mail.example', 'http://mail.example', 'smtp://', 'smtp:', 'smtps://user:secret@'])(
    'mail: %s is refused as the URL of a mail server, by an error that does not contain it',
    async (smtpUrl) => {
      const failure = await failureOf(openMailer({ to: { smtpUrl } }));
      expect(failure).toBeInstanceOf(TypeError);
      expect(failure.message).not.toContain('secret');
    },
  );

  test.each(['', 'no address', 'a@x.example, b@x.example', 'a@x.example\r\nBcc: c@x.example'])(
    'mail: %j is refused as a sender',
    async (from) => {
      expect(await failureOf(openMailer({ from }))).toBeInstanceOf(TypeError);
    },
  );
});
