import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Delivery } from './compose-mail.js';
import { RecipientRefused } from './message.js';
import { parseSmtpUrl } from './smtp-url.js';

/** How long the mail server may take, each in milliseconds. */
export interface SmtpTimeouts {
  /** To be found and connected to, and to agree on encryption. */
  readonly connect: number;
  /** To greet; servers make unknown senders wait on purpose. */
  readonly greet: number;
  /** To answer anything else; some look for viruses before they take a message. */
  readonly answer: number;
  /** For one message altogether, waiting for a connection included. */
  readonly whole: number;
}

const usual: SmtpTimeouts = { connect: 15_000, greet: 30_000, answer: 120_000, whole: 300_000 };

/** Shorter than servers keep a silent connection open. */
const IDLE = 20_000;

/** Hands messages over to a mail server, over connections that are kept for the next ones. */
export function createSmtpDelivery(
  url: string,
  timeouts: Partial<SmtpTimeouts>,
  logger: Logger,
): Delivery {
  const { connect, greet, answer, whole } = { ...usual, ...timeouts };
  const pool = createTransport({
    ...parseSmtpUrl(url),
    pool: true,
    idleTimeout: IDLE,
    connectionTimeout: connect,
    dnsTimeout: connect,
    greetingTimeout: greet,
    socketTimeout: answer,
    // A kept connection that the server has ended is found out by using it; the worker does the
    // rest of the attempts.
    maxRequeues: 1,
  });
  return {
    async deliver({ id, options }) {
      try {
        // A server that answers a byte now and then never counts as silent.
        await pool.sendMail({ ...options, signal: AbortSignal.timeout(whole) });
      } catch (error) {
        throw deliveryFailure(error);
      }
      logger.info({ mail: id }, 'mail handed over to the mail server');
    },
    close() {
      pool.close();
    },
  };
}

/** What nodemailer tells of a failure; its messages repeat addresses and what the server said. */
interface Report {
  readonly code?: unknown;
  /** Code of the system's error, such as `ECONNREFUSED`. */
  readonly originalCode?: unknown;
  /** The SMTP command that failed, such as `RCPT TO`. */
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/** Refusals of this session (RFC 5321, RFC 4954): of a login that is missing, not of a recipient. */
const OF_THE_SESSION = [503, 530, 534, 538];

const sentences: Readonly<Record<string, string>> = {
  EABORT: 'The mail server took too long',
  EAUTH: 'The mail server refused the credentials',
  ECONNECTION: 'The mail server ended the connection',
  EDNS: 'The mail server was not found',
  ENOAUTH: 'The mail server wants credentials',
  ESOCKET: 'The mail server could not be reached',
  ETIMEDOUT: 'The mail server did not answer in time',
  ETLS: 'No trusted encryption could be agreed on with the mail server',
};

/**
 * The failure as the service names it: `RecipientRefused` for a permanent refusal of the recipient or
 * of the message, else an Error. It says what happened and gives the server's codes, and has no cause,
 * so that neither addresses nor the server's words reach the log.
 */
function deliveryFailure(error: unknown): Error {
  const report: Report = typeof error === 'object' && error !== null ? error : {};
  const codes = codesOf(report);
  if (isRefusalForGood(report)) {
    return new RecipientRefused(`The mail server refuses the recipient or the message${codes}`);
  }
  const sentence = sentences[String(report.code)] ?? 'The mail server did not take the message';
  return new Error(`${sentence}${codes}`);
}

function isRefusalForGood({ command, responseCode }: Report): boolean {
  return (
    (command === 'RCPT TO' || command === 'DATA') &&
    typeof responseCode === 'number' &&
    responseCode >= 500 &&
    responseCode < 600 &&
    !OF_THE_SESSION.includes(responseCode)
  );
}

/** ` (550 5.1.1)` or ` (ECONNREFUSED)`: reply and enhanced status code, or the system's code. */
function codesOf({ response, originalCode }: Report): string {
  const [, ...replies] =
    /^([2-5]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(String(response)) ?? [];
  const codes = [...replies, originalCode].filter(
    (code) => typeof code === 'string' && /^[A-Z_\d.]+$/.test(code),
  );
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}
