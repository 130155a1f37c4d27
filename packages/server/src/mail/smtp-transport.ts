import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { type ComposedMail, MailRejected } from './message.js';
import { refusesMailbox } from './smtp-reply.js';
import { parseSmtpUrl } from './smtp-url.js';

export interface SmtpSettings {
  readonly smtpUrl: string;
  /** Allows messages to leave this machine without TLS. */
  readonly allowPlaintext?: boolean;
}

/** Timeouts, in ms. */
export interface SmtpTimeouts {
  /** The timeout of DNS, the connection, and TLS. */
  readonly connection: number;
  /** The timeout of the greeting: servers delay it for unknown senders on purpose. */
  readonly greeting: number;
  /** The timeout of other replies: some servers scan a message for viruses first. */
  readonly reply: number;
  /** The timeout of a whole message, including the wait for a free connection. */
  readonly total: number;
}

const defaultTimeouts: SmtpTimeouts = {
  connection: 15_000,
  greeting: 30_000,
  reply: 120_000,
  total: 300_000,
};

/** The idle timeout of connections, in ms: shorter than that of servers. */
const IDLE_MS = 20_000;

export function createSmtpTransport(
  { smtpUrl, allowPlaintext }: SmtpSettings,
  timeouts: Partial<SmtpTimeouts>,
  logger: Logger,
) {
  const { connection, greeting, reply, total } = { ...defaultTimeouts, ...timeouts };
  const server = parseSmtpUrl(smtpUrl, allowPlaintext);
  const address = `${server.host}:${server.port ?? (server.secure ? 465 : 587)}`;
  const pool = createTransport({
    ...server,
    pool: true,
    idleTimeout: IDLE_MS,
    connectionTimeout: connection,
    dnsTimeout: connection,
    greetingTimeout: greeting,
    socketTimeout: reply,
    // The server may have closed the pooled connection. The job does all other retries.
    maxRequeues: 1,
  });
  return {
    async deliver({ id, options }: ComposedMail): Promise<void> {
      try {
        // The other timeouts never expire for a server that sends a byte now and then.
        await pool.sendMail({ ...options, signal: AbortSignal.timeout(total) });
      } catch (error) {
        throw translateError(error, address);
      }
      logger.info({ mail: id }, 'mail accepted by the mail server');
    },
    /** @throws Error with the reason why it cannot connect or log in */
    async verify(): Promise<void> {
      await pool.verify().catch((error: unknown) => {
        throw translateError(error, address);
      });
    },
    close: () => pool.close(),
  };
}

/** An error of nodemailer. Its message contains addresses and the reply of the server. */
interface SmtpError {
  readonly code?: unknown;
  /** The code of the system error, such as `ECONNREFUSED`. */
  readonly originalCode?: unknown;
  /** The SMTP command that failed, such as `RCPT TO`. */
  readonly command?: unknown;
  readonly response?: unknown;
}

/** Codes of OpenSSL and Node for a certificate that is not trusted. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

const sentences: Readonly<Record<string, string>> = {
  EABORT: 'The mail server took too long',
  EAUTH: 'The mail server refused the credentials',
  ECONNECTION: 'The mail server closed the connection',
  EDNS: 'The mail server was not found',
  ENOAUTH: 'The mail server requires credentials',
  ESOCKET: 'The mail server could not be reached',
  ETIMEDOUT: 'The mail server did not answer in time',
  ETLS: 'No trusted TLS connection to the mail server of SMTP_URL could be established; smtp:// without credentials needs none if SMTP_ALLOW_PLAINTEXT is true',
};

/**
 * Returns `MailRejected` if the server refuses the mailbox, else an Error with the address of the
 * server. It has no cause, so that neither addresses of people nor replies reach the log.
 */
function translateError(cause: unknown, address: string): Error {
  const error: SmtpError = typeof cause === 'object' && cause !== null ? cause : {};
  const codes = codesOf(error);
  if (error.command === 'RCPT TO' && refusesMailbox(String(error.response))) {
    return new MailRejected(`The mail server rejected the recipient${codes}`);
  }
  // nodemailer reports a refused certificate as a failure of the connection.
  const code = certificateCode.test(String(error.originalCode)) ? 'ETLS' : String(error.code);
  const sentence = sentences[code] ?? 'The mail server did not accept the message';
  return new Error(`${sentence}${codes}: ${address}`);
}

/** Returns the codes of a failure, such as ` (550 5.1.1)` or ` (ECONNREFUSED)`. */
function codesOf({ response, originalCode }: SmtpError): string {
  const [, ...replies] =
    /^([2-5]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(String(response)) ?? [];
  const codes = [...replies, originalCode].filter(
    (code) => typeof code === 'string' && /^[A-Z_\d.]+$/.test(code),
  );
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}
