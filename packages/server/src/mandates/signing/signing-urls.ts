import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { digestOf } from '../../identifiers/secret.js';
import type { OutgoingMail } from './outgoing-mails.js';

/** The mail of a signature request to one address of the contact (D-14). */
export type RequestMail = Pick<OutgoingMail, 'requestId' | 'firmId' | 'delivery'>;

/** The path of the signing page; the token of a signing URL follows it. */
export const signingPath = '/sign';

/**
 * Creates signing URLs with an unguessable token: an HMAC-SHA-256 of the request id and address
 * number, keyed with a secret of the deployment (D-25). A mail that is sent twice has the same one.
 */
export function createSigningUrls(publicUrl: string, secret: string) {
  return {
    /** Returns a signing URL, which works only once this has stored the hash of its token. */
    async create(knex: Knex, { requestId, firmId, delivery }: RequestMail): Promise<string> {
      const token = createHmac('sha256', secret)
        .update(`signature request ${requestId}, delivery ${delivery}`)
        .digest('base64url');
      await knex('signing_urls')
        .insert({ token_hash: digestOf(token), firm_id: firmId, request_id: requestId, delivery })
        .onConflict(['token_hash', 'firm_id'])
        .ignore();
      return `${publicUrl}${signingPath}/${token}`;
    },
  };
}

export type SigningUrls = ReturnType<typeof createSigningUrls>;

export async function findRequestMail(knex: Knex, token: string): Promise<RequestMail | undefined> {
  return knex('signing_urls')
    .where({ token_hash: digestOf(token) })
    .first<RequestMail | undefined>({
      requestId: 'request_id',
      firmId: 'firm_id',
      delivery: 'delivery',
    });
}
