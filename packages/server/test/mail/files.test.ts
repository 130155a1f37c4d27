import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MailRejected } from '../../src/mail/message.js';
import { parseMail } from './mail-server.js';
import { aMessage, failureOf, openMailer, sourceOf } from './test-mailer.js';

const now = () => new Date('2026-11-21T09:47:09.123Z');

describe('§6 mail without a mail server', () => {
  test('§6 each message is an .eml file that mail programs read', async () => {
    const mailer = await openMailer({ now });
    await mailer.send(aMessage({ to: { name: 'Jürgen Groß, Cœur', address: 'jan@x.example' } }));
    const { folder } = mailer;
    expect(await readdir(folder)).toEqual(['20261121T094709123Z-0123456789abcdef01234567.1.eml']);
    const source = await sourceOf(mailer);
    expect(source.toString('latin1')).not.toMatch(/[^\r]\n/);
    expect(await parseMail(source)).toMatchObject({
      from: { name: 'Accounting Data Exchange', address: 'noreply@adx.example' },
      to: [{ name: 'Jürgen Groß, Cœur', address: 'jan@x.example' }],
      messageId: '<0123456789abcdef01234567.1@adx.example>',
      date: '2026-11-21T09:47:09.000Z',
      text: aMessage().text,
      html: expect.stringContaining('Beste Jan'),
    });
  });

  test('§6 an editor shows the text unencoded, with unbroken links', async () => {
    const mailer = await openMailer({ now });
    const text = `Répondez à ceci :\nhttps://adx.example.org/sign/${'Aé_-'.repeat(30)}\n`;
    await mailer.send(aMessage({ text }));
    const source = (await sourceOf(mailer)).toString();
    expect(source).toContain(text.replaceAll('\n', '\r\n'));
    expect(await parseMail(Buffer.from(source))).toMatchObject({ text });
  });

  test('D-37 the file contains the attachments, and the text stays unencoded', async () => {
    const mailer = await openMailer({ now });
    const content = Buffer.from('%PDF-1.3\r\n\u0000\u00ff', 'latin1');
    const filename = 'evidence-1.pdf';
    await mailer.send(
      aMessage({ attachments: [{ filename, contentType: 'application/pdf', content }] }),
    );
    const source = await sourceOf(mailer);
    expect(source.toString('utf8')).toContain('tekent u even?');
    const mail = await parseMail(source);
    expect(mail).toMatchObject({ text: aMessage().text, attachments: [{ filename }] });
    const [attachment] = mail.attachments;
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(content)).toBe(true);
  });

  test('§6 the path is logged, the recipient is not', async () => {
    const mailer = await openMailer({ now });
    await mailer.send(aMessage());
    const [line] = mailer.log().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 30,
      path: join(mailer.folder, '20261121T094709123Z-0123456789abcdef01234567.1.eml'),
    });
    expect(mailer.log()).not.toContain('goudenkorst');
  });

  test('§6 a message sent twice replaces its file, and not that of a message whose id ends alike', async () => {
    const times = ['09:01', '09:02', '09:03'];
    const mailer = await openMailer({ now: () => new Date(`2026-11-21T${times.shift()}:00Z`) });
    await mailer.send(aMessage({ id: 'a-b' }));
    await mailer.send(aMessage({ id: 'b', text: 'first' }));
    await mailer.send(aMessage({ id: 'b', text: 'second' }));
    const { folder } = mailer;
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['20261121T090100000Z-a-b.eml', '20261121T090200000Z-b.eml']);
    expect(await readFile(join(folder, names[1] ?? ''), 'utf8')).toContain('second');
  });

  test('§6 only the owner may read the files', async () => {
    const mailer = await openMailer({ now });
    await mailer.send(aMessage());
    const { folder } = mailer;
    const [name = ''] = await readdir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test('§6 a failure leaves no incomplete file', async () => {
    const mailer = await openMailer({ now });
    const { folder } = mailer;
    // A folder is in the place of the file.
    await mkdir(join(folder, '20261121T094709123Z-x1.eml'), { recursive: true });
    await writeFile(join(folder, '20261121T094709123Z-x1.eml', 'inside'), '');
    await expect(mailer.send(aMessage({ id: 'x1' }))).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['20261121T094709123Z-x1.eml']);
  });

  test('§6 an invalid address is refused, as by a mail server', async () => {
    const mailer = await openMailer({ now });
    const message = aMessage({ to: { name: 'Jan', address: 'jan@x\r\nBcc: y@z' } });
    expect(await failureOf(mailer.send(message))).toBeInstanceOf(MailRejected);
  });

  test.each([
    '',
    '../escape',
    'a/b',
    'a\\b',
    'a:b',
    'a>b',
    'a\r\nb',
    '.hidden',
    'a@b',
    'trailing.',
  ])(
    '§6 %j is not a valid id of a message, which is part of a header and a file name',
    async (id) => {
      const mailer = await openMailer({ now });
      await expect(mailer.send(aMessage({ id }))).rejects.toThrow(TypeError);
    },
  );
});
