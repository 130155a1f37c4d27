import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { answerSignatureRequest } from '../mandates/answer-signature-request.js';
import { readAskedSignature } from '../mandates/asked-signature.js';
import { createSigningLinks } from '../mandates/signing-links.js';

/** Plays the contacts of the demo's customers. */
export interface DemoContacts {
  /** Answers a request as the signing page does; one that cannot be answered any more stays as it is. */
  answer(knex: Knex, requestId: string, answer: 'signed' | 'declined', now: Date): Promise<void>;
}

/** An address for documentation (RFC 5737), and a browser. */
const origin = {
  address: '203.0.113.24',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** They hold links of their own, beside those in the messages: these stay the reader's. */
export function createDemoContacts(): DemoContacts {
  const links = createSigningLinks('', randomBytes(32).toString('base64url'));
  return {
    async answer(knex, requestId, answer, now) {
      const request = await readAskedSignature(knex, requestId);
      if (request === undefined) return;
      const link = await links.create(knex, { requestId, delivery: request.delivery });
      const token = link.slice(link.lastIndexOf('/') + 1);
      const signerName = answer === 'signed' ? request.contact.name : null;
      await answerSignatureRequest(knex, token, { answer, signerName, ...origin }, now);
    },
  };
}
