import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import { replaceFile } from '../replace-file.js';
import type { ComposedMail, MailTransport } from './message.js';

/** `20261121T094709123Z-`: sorts by time, and is valid in file names on Windows. */
const TIME = /^\d{8}T\d{9}Z-/;

/**
 * Writes `.eml` files, which mail programs open. A message that is sent twice replaces its file.
 */
export function createFileTransport(folder: string, logger: Logger): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver({ id, composedOn, options }) {
      const { message } = await composer.sendMail(withReadableText(options));
      // Only the owner may read the signing URLs in the messages.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, await fileName(folder, id, composedOn));
      await replaceFile(path, message);
      logger.info({ mail: id, path }, 'mail written to a file');
    },
    close: () => composer.close(),
  };
}

/**
 * Leaves the text unencoded: an encoding for mail servers would break long URLs, and a URL copied
 * from an editor would be incomplete.
 */
function withReadableText({ text, html, ...options }: ComposedMail['options']): SendMailOptions {
  const type = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit';
  // Mail programs prefer the last alternative.
  const alternatives = [
    { raw: `${type}\r\n\r\n${text}` },
    { content: html, contentType: 'text/html; charset=utf-8' },
  ];
  return { ...options, alternatives };
}

async function fileName(folder: string, id: string, composedOn: Date): Promise<string> {
  const earlier = (await readdir(folder)).find(
    (name) => TIME.test(name) && name.replace(TIME, '') === `${id}.eml`,
  );
  return earlier ?? `${composedOn.toISOString().replaceAll(/[-:.]/g, '')}-${id}.eml`;
}
