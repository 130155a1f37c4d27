import { once } from 'node:events';
import type { Socket } from 'node:net';
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
  type Timeouts = NonNullable<Parameters<typeof openMailer>[0]['timeouts']>;

  test.each<[string, (socket: Socket) => void, Timeouts, RegExp]>([
    [
      'it accepts the connection and sends no greeting',
      () => undefined,
      { greeting: 50 },
      /did not answer in time$/,
    ],
    [
      'it sends a greeting and nothing else',
      (socket) => socket.write('220 hello\r\n'),
      { reply: 50 },
      /did not answer in time$/,
    ],
    [
      'it sends a line now and then, without end',
      (socket) => {
        socket.write('220 hello\r\n');
        const trickle = setInterval(() => socket.write('250-wait\r\n'), 20);
        void once(socket, 'close').then(() => clearInterval(trickle));
      },
      { reply: 5000, total: 300 },
      /took too long$/,
    ],
    ['it closes the connection before the greeting', (socket) => socket.destroy(), {}, /./],
    [
      'it speaks another protocol',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      {},
      /./,
    ],
    ['nothing listens on the port', () => undefined, {}, /could not be reached \(ECONNREFUSED\)$/],
  ])('mail: %s', async (what, onConnection, timeouts, problem) => {
    const server = await startRawServer(onConnection);
    if (what.startsWith('nothing')) await server.close();
    else onTestFinished(() => server.close());
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const mailer = await openMailer({ to: { smtpUrl }, timeouts });
    const failure = await failureOf(mailer.send(aMessage()));
    expect(failure).not.toBeInstanceOf(MailRejected);
    // It names the server, so that the log says which one.
    const [, said = ''] = failure.message.split(
      new RegExp(`^(.*): 127\\.0\\.0\\.1:${server.port}$`),
    );
    expect(said).toMatch(/^The mail server /);
    expect(said).toMatch(problem);
  });
});
