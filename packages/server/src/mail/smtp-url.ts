import { isIP } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';

/** The options of the transport that the URL determines. */
type SmtpServer = Pick<
  SMTPTransportOptions,
  'host' | 'port' | 'secure' | 'requireTLS' | 'tls' | 'auth'
>;

/**
 * Parses `smtp://` (port 587) or `smtps://` (port 465), with a percent-encoded `user:password@`.
 *
 * `smtps` uses TLS from the start, and `smtp` uses STARTTLS; both require a valid certificate. But
 * within this machine, or if plain text is allowed, `smtp` uses STARTTLS if the server offers it,
 * with any certificate, which is no worse than plain text. Even then credentials never leave this
 * machine without TLS.
 *
 * @throws TypeError if the URL is invalid; the message does not contain it
 */
export function parseSmtpUrl(text: string, allowPlaintext = false): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new TypeError(
      'The URL of the mail server is not of the form smtp://host or smtps://host',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const auth = credentials(url);
  const needsTls = !isThisMachine(host) && (auth !== undefined || !allowPlaintext);
  return {
    host,
    ...(url.port !== '' && { port: Number(url.port) }),
    secure,
    requireTLS: needsTls && !secure,
    tls: { rejectUnauthorized: secure || needsTls },
    ...(auth && { auth }),
  };
}

function credentials({ username, password }: URL): { user: string; pass: string } | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decode(username), pass: decode(password) };
}

/** Decodes percent-encoding. A text with an invalid escape is taken literally. */
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
