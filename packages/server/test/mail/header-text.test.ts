import { replaceUnprintable } from '@adx/command/unprintable';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { parseMail } from './mail-server.js';
import { aMessage, openMailer, sourceOf, startServerAndMailer } from './test-mailer.js';

/** Texts that a header must not take for something else, and how a text gets long. */
const pieces = [
  ...['=?utf-8?B?aHR0cHM6Ly9ldmlsLmNvbQ==?=', '=?utf-8?Q?evil.com?=', '=?UTF-8*nl?q?a_b?='],
  ...['=?', '?=', '=?utf-8?B?', '=?x?X?y?=', '=?utf-8?Q?a b?=', '=?iso-8859-1?B?6Q==?='],
  ...['=', '?', '_', '=E9', '"', "'", '\\', '<', '>', '(', ')', ',', ';', ':', '@', '.', ' '],
  ...['\r\nBcc: spy@evil.example', '\r\n\r\nbody', '\n', '\r', '\u2028', '\t', '\0', '\u0085'],
  ...[
    'jan@x.example',
    '<spy@evil.example>',
    'é',
    'Ω',
    '王小明',
    '🥐',
    '👩‍🌾',
    'שלום',
    '\u202e',
    '\ufeff',
  ],
  ...['Peeters', 'a'.repeat(80), 'é'.repeat(40), 'een lange naam '.repeat(6)],
];

const random = seededRandom(36);
const below = (limit: number) => Math.floor(random() * limit);

function randomText(): string {
  const parts = Array.from({ length: 1 + below(8) }, () =>
    below(6) > 0 ? pieces[below(pieces.length)] : String.fromCodePoint(below(0x110000)),
  );
  return parts.join('').toWellFormed();
}

/** A header is one line. */
const oneLine = (text: string) => replaceUnprintable(text, ' ').replaceAll(/ {2,}/g, ' ').trim();

test('D-36 a mail program reads each name and subject as they are, whatever they look like', async () => {
  const { mailer, delivered } = await startServerAndMailer();
  const address = 'jan@y.example';
  const texts = [
    ...pieces.map((piece) => Array(3).fill(`Jan ${piece} x`)),
    ...Array.from({ length: 250 }, () => [randomText(), randomText(), randomText()]),
  ];
  for (const [to = '', replyTo = '', subject = ''] of texts) {
    await mailer.send(
      aMessage({ to: { name: to, address }, replyTo: { name: replyTo, address }, subject }),
    );
    const { mail, envelopeTo } = delivered.at(-1) ?? expect.fail();
    expect({
      ...{ envelopeTo, to: mail.to, replyTo: mail.replyTo, subject: mail.subject ?? '' },
      ...{ bcc: mail.bcc, text: mail.text },
    }).toEqual({
      envelopeTo: [address],
      to: [{ name: oneLine(to), address }],
      replyTo: [{ name: oneLine(replyTo), address }],
      subject: oneLine(subject),
      bcc: undefined,
      text: aMessage().text,
    });
  }
});

test.each(['=?utf-8?B?aHR0cHM6Ly9ldmlsLmNvbQ==?=', 'Kantoor =?utf-8?Q?evil.com?= "BV"'])(
  'D-36 a mail program reads the sender %j as it is set',
  async (name) => {
    const from = `"${name.replaceAll('"', '\\"')}" <noreply@adx.example>`;
    const mailer = await openMailer({ from });
    await mailer.send(aMessage());
    const mail = await parseMail(await sourceOf(mailer));
    expect(mail.from).toEqual({ name, address: 'noreply@adx.example' });
  },
);
