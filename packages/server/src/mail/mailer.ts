import type { Logger } from 'pino';
import type { MailSettings } from '../config.js';
import { composeMail, parseSender } from './compose-mail.js';
import { createFileDelivery } from './file-delivery.js';
import { createSmtpDelivery, type SmtpTimeouts } from './smtp-delivery.js';

/** A mail to one person, as text and as HTML. */
export interface Message {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * Letters, digits and `.`, `-`, `_` between them: the local part of the Message-ID. The same for a
   * message that is sent twice, by which mail programs can tell.
   */
  readonly id: string;
  /** Language of subject and texts, such as `nl`. */
  readonly language: string;
}

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
