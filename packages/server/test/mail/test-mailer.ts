import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createMailer, type Mailer, type MailerOptions } from '../../src/mail/mailer.js';
import type { Message } from '../../src/mail/message.js';
import { type MailServer, startMailServer } from './mail-server.js';

export interface TestMailer extends Mailer {
  /** The folder of the messages, if they are not sent to a mail server. */
  readonly folder: string;
  /** Returns all log lines. */
  readonly log: () => string;
}

/** Opens a mailer, by default into a new folder. Closes and removes both at the end of the test. */
export async function openMailer(settings: Partial<MailerOptions>): Promise<TestMailer> {
  const parent = await mkdtemp(join(tmpdir(), 'adx-mail-'));
  const folder = join(parent, 'mail');
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const lines: string[] = [];
  const mailer = createMailer({
    to: { folder },
    from: 'Accounting Data Exchange <noreply@adx.example>',
    logger: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    ...settings,
  });
  onTestFinished(() => mailer.close());
  return { ...mailer, folder, log: () => lines.join('') };
}

/** Starts a mail server and a mailer that sends to it, for the rest of the test. */
export async function startServerAndMailer(
  options?: Parameters<typeof startMailServer>[0],
): Promise<MailServer & { mailer: TestMailer }> {
  const server = await startMailServer(options);
  onTestFinished(() => server.close());
  return {
    ...server,
    mailer: await openMailer({ to: { smtpUrl: `smtp://127.0.0.1:${server.port}` } }),
  };
}

/** Returns the only file in the folder of a mailer. */
export async function sourceOf({ folder }: TestMailer): Promise<Buffer> {
  const [name = ''] = await readdir(folder);
  return readFile(join(folder, name));
}

export function aMessage(changes: Partial<Message> = {}): Message {
  return {
    to: { name: 'Jan Peeters', address: 'jan@goudenkorst.example' },
    subject: 'Uw handtekening',
    text: 'Beste Jan,\n\ntekent u even?',
    html: '<!DOCTYPE html><html lang="nl"><body><p>Beste Jan</p></body></html>',
    id: '0123456789abcdef01234567.1',
    language: 'nl',
    ...changes,
  };
}

/** Returns the error that a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('The promise was not rejected');
}
