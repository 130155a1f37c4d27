import { createLogger } from '../../logger.js';
import type { MailSettings } from '../../mail/mailer.js';
import { createSmtpTransport } from '../../mail/smtp-transport.js';
import { type Check, ok, problem } from './check.js';

/** Checks the connection to the mail server, its TLS and the login, without sending a message. */
export async function checkMail({ to }: MailSettings): Promise<Check> {
  if ('folder' in to) return ok('mail', `messages are written to ${to.folder}, and not sent`);
  const transport = createSmtpTransport(to, {}, createLogger('silent'));
  try {
    await transport.verify();
    return ok('mail', 'the mail server accepts the connection; no message was sent');
  } catch (error) {
    const advice = 'Check the host, port, user and password of SMTP_URL, and the firewall.';
    return problem('mail', error instanceof Error ? error.message : String(error), advice);
  } finally {
    transport.close();
  }
}
