import { join } from 'node:path';
import type { Logger } from 'pino';
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

export interface MailerSettings {
  /** `smtp://` or `smtps://`, with credentials where the server wants them; without it, files. */
  readonly smtpUrl: string | undefined;
  /** Sender of every message: `name@host`, or `Name <name@host>`. */
  readonly mailFrom: string;
  /** Messages that no server takes are kept in its folder `mail`. */
  readonly dataDir: string;
  readonly logger: Logger;
  readonly timeouts?: Partial<SmtpTimeouts>;
  readonly now?: () => Date;
}

/**
 * Sends through the mail server of the settings, or writes `.eml` files where they name none (§6).
 *
 * @throws TypeError when the settings hold no sender or no URL of a mail server
 */
export function createMailer(settings: MailerSettings): Mailer {
  const { smtpUrl, mailFrom, dataDir, logger, timeouts = {}, now = () => new Date() } = settings;
  const sender = parseSender(mailFrom);
  const delivery =
    smtpUrl === undefined
      ? createFileDelivery(join(dataDir, 'mail'), logger)
      : createSmtpDelivery(smtpUrl, timeouts, logger);
  return {
    async send(message) {
      await delivery.deliver(composeMail(message, sender, now()));
    },
    close() {
      delivery.close();
    },
  };
}
