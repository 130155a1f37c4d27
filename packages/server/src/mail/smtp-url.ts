import { isIP } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';

/** The parts of a connection that the URL decides. */
export type SmtpServer = Pick<
  SMTPTransportOptions,
  'host' | 'port' | 'secure' | 'requireTLS' | 'tls' | 'auth'
>;

/**
 * Reads `smtp://` (port 587) or `smtps://` (port 465), with `user:password@` where the server wants
 * it, percent-encoded.
 *
 * `smtps` is encrypted from the first byte. With `smtp`, encryption is taken where it is offered,
 * whoever's the certificate is, for it guards no less than the clear text it replaces. Credentials
 * however only travel encrypted, to a server whose certificate is valid, or within this machine.
 *
 * @throws TypeError when it is no such URL; the message does not repeat it
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new TypeError(
      'The URL of the mail server is not of the form smtp://host or smtps://host',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const auth = credentials(url);
  const guarded = auth !== undefined && !isThisMachine(host);
  return {
    host,
    ...(url.port !== '' && { port: Number(url.port) }),
    secure,
    requireTLS: guarded && !secure,
    tls: { rejectUnauthorized: secure || guarded },
    ...(auth && { auth }),
  };
}

function credentials({ username, password }: URL): { user: string; pass: string } | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decode(username), pass: decode(password) };
}

/** A stray percent sign stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
