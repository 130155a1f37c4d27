import type { Logger } from 'pino';
import type { MailSettings } from '../config.js';
import { composeMail, parseSender } from './compose-mail.js';
import { createFileDelivery } from './file-delivery.js';
import type { Message } from './message.js';
import { createSmtpDelivery, type SmtpTimeouts } from './smtp-delivery.js';

export interface Mailer {
  /**
   * Hands the message over to the mail server, or writes its file.
   *
   * @throws RecipientRefused when another attempt would end the same
   * @throws Error for any other failure: the message may go through later
   */
  send(message: Message): Promise<void>;
  /** Lets what is being sent end, and takes nothing more. */
  close(): void;
}

export interface MailerOptions extends MailSettings {
  readonly logger: Logger;
  readonly timeouts?: Partial<SmtpTimeouts>;
  readonly now?: () => Date;
}

/**
 * Sends through a mail server, or writes `.eml` files to a folder (§6).
 *
 * @throws TypeError where the sender is not one address, or the URL is not that of a mail server
 */
export function createMailer(options: MailerOptions): Mailer {
  const { to, from, logger, timeouts = {}, now = () => new Date() } = options;
  const sender = parseSender(from);
  const delivery =
    'folder' in to
      ? createFileDelivery(to.folder, logger)
      : createSmtpDelivery(to.smtpUrl, timeouts, logger);
  return {
    async send(message) {
      await delivery.deliver(composeMail(message, sender, now()));
    },
    close() {
      delivery.close();
    },
  };
}
