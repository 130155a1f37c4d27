import { lstat, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Check, ok, problem } from '@adx/command/check';
import { explainFileError } from '@adx/command/file-error';
import { createLogger } from '../../logger.js';
import type { MailSettings } from '../../mail/mailer.js';
import { createSmtpTransport } from '../../mail/smtp-transport.js';

/** Checks the mail server or the folder, and sends no message. */
export async function checkMail({ to }: MailSettings): Promise<Check> {
  if ('folder' in to) return checkFolder(to.folder);
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

async function checkFolder(folder: string): Promise<Check> {
  try {
    await tryFolder(folder);
    return ok('mail', `messages are written to ${folder}, and not sent`);
  } catch (error) {
    const reason = explainFileError(error) ?? String(error);
    return problem(
      'mail',
      `${folder}: ${reason}`,
      'Set MAIL_FOLDER to a folder in which this user may write.',
    );
  }
}

/**
 * Creates and removes an empty folder in this one, or in its nearest existing parent: the folder
 * itself has to be owned by the worker, which may be another user.
 */
async function tryFolder(folder: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(folder, 'adx-doctor-')));
  } catch (error) {
    // A symbolic link to a folder that is away has the same code.
    const isThere = await lstat(folder).then(Boolean, () => false);
    if (Object(error).code !== 'ENOENT' || isThere) throw error;
    await tryFolder(dirname(folder));
  }
}
