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
