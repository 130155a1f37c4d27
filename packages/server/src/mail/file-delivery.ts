import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { ComposedMail, Delivery } from './compose-mail.js';

/** `20261121T094709123Z-`: sorts by time, and Windows takes it. */
const TIME = /^\d{8}T\d{9}Z-/;

/**
 * Keeps each message as an `.eml` file, which every mail program opens. A message that is sent twice
 * replaces its file; nobody ever sees half a file.
 */
export function createFileDelivery(folder: string, logger: Logger): Delivery {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver({ id, composedOn, options }) {
      const { message } = await composer.sendMail(withReadableText(options));
      // Links to sign stand in the messages: they are the owner's only.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, await fileName(folder, id, composedOn));
      await replaceFile(path, message);
      logger.info({ mail: id, path }, 'mail written to a file');
    },
    close() {
      composer.close();
    },
  };
}

/**
 * The message with its text as it was written. Encoded for a mail server, a link in it is broken in
 * two, and who opens the file in an editor copies half of it.
 */
function withReadableText({ text, html, ...options }: ComposedMail['options']): SendMailOptions {
  const type = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit';
  // The last one is what a mail program prefers.
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

async function replaceFile(path: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
