import type { Request } from 'express';
import { PageRefusal } from './page-refusal.js';

/** The largest form that is read, in bytes: a name of 200 characters takes at most 2400. */
const maximumBytes = 8 * 1024;

const mediaType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** @throws PageRefusal `notAForm` or `tooLarge`, before the end of the body if possible */
export async function readPostedForm(request: Request): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!mediaType.test(type) || encoding !== 'identity') throw new PageRefusal('notAForm');
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) {
    throw new PageRefusal('tooLarge');
  }
  return new URLSearchParams((await readBytes(request)).toString('utf8'));
}

/** Reads by events, because leaving an async iteration early would close the connection. */
function readBytes(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    request.on('data', function take(chunk: Buffer) {
      received += chunk.length;
      chunks.push(chunk);
      if (received <= maximumBytes) return;
      request.off('data', take);
      reject(new PageRefusal('tooLarge'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new PageRefusal('notAForm')));
  });
}

/**
 * Returns true if a POST comes from the signing page, or not from a browser: a client that sends
 * neither `Sec-Fetch-Site` nor `Origin` is not controlled by another site.
 *
 * There is no CSRF token, because nothing that a browser sends by itself permits an answer: only
 * the signing URL does, and other sites do not know it. This check covers one that has leaked.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Browsers omit `Sec-Fetch-Site` without TLS.
  const origin = request.get('origin');
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.host}`;
}
