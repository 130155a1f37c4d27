import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import {
  createMailer,
  type Mailer,
  type MailerSettings,
  type Message,
} from '../../src/mail/mailer.js';

export interface TestMailer extends Mailer {
  readonly dataDir: string;
  /** Everything that was logged. */
  readonly log: () => string;
}

/** A mailer with a data folder of its own; both go when the test ends. */
export async function openMailer(settings: Partial<MailerSettings>): Promise<TestMailer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'adx-mail-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const lines: string[] = [];
  const mailer = createMailer({
    smtpUrl: undefined,
    mailFrom: 'Accounting Data Exchange <noreply@adx.example>',
    dataDir,
    logger: loggerInto(lines),
    ...settings,
  });
  onTestFinished(() => mailer.close());
  return { ...mailer, dataDir, log: () => lines.join('') };
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
