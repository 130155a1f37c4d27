import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MailRejected } from '../../src/mail/message.js';
import { refusal, startRawServer } from './mail-server.js';
import { aMessage, failureOf, openMailer, startServerAndMailer } from './test-mailer.js';

describe('mail: refusals', () => {
  const words = '5.1.1 <jan@goudenkorst.example> unknown, token=s3cret';

  test.each([
    ['RCPT', 550, true],
    ['RCPT', 553, true],
    ['RCPT', 450, false],
    ['RCPT', 530, false],
    ['DATA', 554, false],
    ['DATA', 451, false],
    ['MAIL', 550, false],
    ['MAIL', 421, false],
  ] as const)(
    'mail: %s answered with %i refuses the mailbox: %s',
    async (command, code, isRefused) => {
      const { mailer } = await startServerAndMailer({
        ...(command === 'MAIL' && {
          onMailFrom: (_a, _s, callback) => callback(refusal(code, words)),
        }),
        ...(command === 'RCPT' && {
          onRcptTo: (_a, _s, callback) => callback(refusal(code, words)),
        }),
        ...(command === 'DATA' && {
          onData: (stream, _s, callback) => {
            stream.resume();
            stream.on('end', () => callback(refusal(code, words)));
          },
        }),
      });
      const failure = await failureOf(mailer.send(aMessage()));
      expect(failure instanceof MailRejected).toBe(isRefused);
      expect(failure.message).toContain(`(${code}`);
      for (const text of [failure.message, mailer.log()]) {
        expect(text).not.toMatch(/goudenkorst|s3cret/);
      }
    },
  );

  test('mail: the next message after a refusal is sent', async () => {
    const { mailer, delivered } = await startServerAndMailer({
      onRcptTo: ({ address }, _s, callback) =>
        address.startsWith('gone@') ? callback(refusal(550, 'no such user')) : callback(),
    });
    const gone = aMessage({ to: { name: 'X', address: 'gone@x.example' } });
    await expect(mailer.send(gone)).rejects.toThrow(MailRejected);
    await mailer.send(aMessage());
    expect(delivered).toHaveLength(1);
  });

  test.each([
    '',
    'jan',
    'jan@',
    '@x.example',
    'jan@x.example, spy@evil.example',
    'jan@x.example\r\nRCPT TO:<spy@evil.example>',
    '<jan@x.example>',
    'jan peeters@x.example',
    `${'a'.repeat(65)}@x.example`,
  ])('mail: %j is an invalid address, so no attempt is made', async (address) => {
    const { mailer, connections } = await startServerAndMailer();
    const failure = await failureOf(mailer.send(aMessage({ to: { name: 'Jan', address } })));
    expect(failure).toBeInstanceOf(MailRejected);
    expect(connections()).toBe(0);
  });
});

describe('mail: a server that does not answer fails in bounded time, and is retried', () => {
  async function failureOn(
    port: number,
    timeouts: Parameters<typeof openMailer>[0]['timeouts'] = {},
  ): Promise<string> {
    const mailer = await openMailer({ to: { smtpUrl: `smtp://127.0.0.1:${port}` }, timeouts });
    const failure = await failureOf(mailer.send(aMessage()));
    expect(failure).not.toBeInstanceOf(MailRejected);
    // It names the server, so that the log says which one.
    expect(failure.message).toMatch(new RegExp(`: 127\\.0\\.0\\.1:${port}$`));
    return failure.message.replace(/: [\d.:]+$/, '');
  }

  test('mail: nothing listens on the port', async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    expect(await failureOn(server.port)).toBe(
      'The mail server could not be reached (ECONNREFUSED)',
    );
  });

  test('mail: it accepts the connection and sends no greeting', async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    expect(await failureOn(server.port, { greeting: 50 })).toBe(
      'The mail server did not answer in time',
    );
  });

  test('mail: it sends a greeting and nothing else', async () => {
    const server = await startRawServer((socket) => socket.write('220 hello\r\n'));
    onTestFinished(() => server.close());
    expect(await failureOn(server.port, { reply: 50 })).toBe(
      'The mail server did not answer in time',
    );
  });

  test('mail: it sends a line now and then, without end', async () => {
    const server = await startRawServer((socket) => {
      socket.write('220 hello\r\n');
      const trickle = setInterval(() => socket.write('250-wait\r\n'), 20);
      void once(socket, 'close').then(() => clearInterval(trickle));
    });
    onTestFinished(() => server.close());
    expect(await failureOn(server.port, { reply: 5000, total: 300 })).toBe(
      'The mail server took too long',
    );
  });

  test('mail: it closes the connection before the greeting', async () => {
    const server = await startRawServer((socket) => socket.destroy());
    onTestFinished(() => server.close());
    expect(await failureOn(server.port)).toMatch(/^The mail server /);
  });

  test('mail: it speaks another protocol', async () => {
    const server = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    onTestFinished(() => server.close());
    expect(await failureOn(server.port)).toMatch(/^The mail server /);
  });
});
