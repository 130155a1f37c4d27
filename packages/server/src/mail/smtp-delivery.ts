import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Delivery } from './delivery.js';
import { deliveryFailure } from './delivery-failure.js';
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
