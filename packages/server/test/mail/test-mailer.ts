import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createMailer, type Mailer, type MailerOptions } from '../../src/mail/mailer.js';
import type { Message } from '../../src/mail/message.js';

export interface TestMailer extends Mailer {
  /** Of the messages, where they do not go to a mail server. */
  readonly folder: string;
  /** Everything that was logged. */
  readonly log: () => string;
}

/** A mailer into a folder of its own; both go when the test ends. */
export async function openMailer(settings: Partial<MailerOptions>): Promise<TestMailer> {
  const parent = await mkdtemp(join(tmpdir(), 'adx-mail-'));
  const folder = join(parent, 'mail');
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const lines: string[] = [];
  const mailer = createMailer({
    to: { folder },
    from: 'Accounting Data Exchange <noreply@adx.example>',
    attempts: 1,
    logger: loggerInto(lines),
    ...settings,
  });
  onTestFinished(() => mailer.close());
  return { ...mailer, folder, log: () => lines.join('') };
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

/** The error a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It did not fail');
}

function loggerInto(lines: string[]): Logger {
  return pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
}
