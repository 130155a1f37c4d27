import type { Request } from 'express';
import { PageRefusal } from './page-refusal.js';

/** Largest form that is read, in bytes: a name of 200 characters takes 2400 at most. */
const maximumBytes = 8 * 1024;

const mediaType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Reads a posted form.
 *
 * @throws PageRefusal `notAForm`, `tooLarge`; as soon as it is known, not at the end of the body
 */
export async function readPostedForm(request: Request): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!mediaType.test(type) || encoding !== 'identity') throw new PageRefusal('notAForm');
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) {
    throw new PageRefusal('tooLarge');
  }
  return new URLSearchParams((await readBytes(request)).toString('utf8'));
}

/** Not by iterating over the request: leaving that early would close the connection. */
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
 * Whether a post comes from the page itself, as far as the browser says where it comes from. What
 * says nothing is no browser, and nobody else's page drives it.
 *
 * No cookie and no further token is needed against other sites: nothing that a browser sends by
 * itself gives the right to answer. The right is the link, which another site does not know. This
 * check is for the case that one got hold of it.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Without TLS browsers leave `Sec-Fetch-Site` out.
  const origin = request.get('origin');
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.host}`;
}
