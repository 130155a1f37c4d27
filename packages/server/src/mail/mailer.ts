import type { Logger } from 'pino';
import { inStep } from '../tracing/spans.js';
import { createFileTransport } from './file-transport.js';
import { composeMail, MailRejected, type Message, parseSender } from './message.js';
import { createSmtpTransport, type SmtpSettings, type SmtpTimeouts } from './smtp-transport.js';

export interface MailSettings {
  readonly to: SmtpSettings | { readonly folder: string };
  readonly from: string;
}

export interface Mailer {
  /**
   * @throws MailRejected if a retry cannot succeed
   * @throws Error for any other failure
   */
  send(message: Message): Promise<void>;
  /** Accepts no more messages. Running deliveries continue to their end. */
  close(): void;
}

export interface MailerOptions extends MailSettings {
  readonly logger: Logger;
  readonly onAttempt?: (outcome: 'sent' | 'rejected' | 'failed') => void;
  readonly timeouts?: Partial<SmtpTimeouts>;
  readonly now?: () => Date;
}

/**
 * Creates a mailer, which sends to a mail server or writes `.eml` files to a folder (§6).
 *
 * @throws TypeError if the sender is not one address, or the URL of the mail server is invalid
 */
export function createMailer(options: MailerOptions): Mailer {
  const { to, from, logger, onAttempt, timeouts = {}, now = () => new Date() } = options;
  const sender = parseSender(from);
  if (sender === undefined) throw new TypeError('The sender of mails is not one e-mail address');
  const transport =
    'folder' in to
      ? createFileTransport(to.folder, logger)
      : createSmtpTransport(to, timeouts, logger);
  return {
    async send(message) {
      try {
        const mail = composeMail(message, sender, now());
        await inStep('send mail', {}, () => transport.deliver(mail));
        onAttempt?.('sent');
      } catch (error) {
        onAttempt?.(error instanceof MailRejected ? 'rejected' : 'failed');
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
