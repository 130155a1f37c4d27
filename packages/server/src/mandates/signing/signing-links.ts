import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { digestOf } from '../../identifiers/secret.js';
import type { OutgoingMail } from './outgoing-mails.js';

/**
 * The mail of a signature request to one address of the contact; they are numbered from 1 (D-14).
 */
export type RequestMail = Pick<OutgoingMail, 'requestId' | 'firmId' | 'delivery'>;

/** The path of the signing page; the token of a signing URL follows it. */
export const signingPath = '/sign';

/** Creates signing URLs. */
export interface SigningLinks {
  /**
   * Returns the signing URL of a mail, which is always the same one. Stores the hash of its token,
   * without which it does not work.
   */
  create(knex: Knex, mail: RequestMail): Promise<string>;
}

/**
 * Creates signing URLs with an unguessable token: an HMAC-SHA-256 of the request id and address
 * number, keyed with a secret of the deployment (D-25). The database only contains its hash. A mail
 * that is sent twice, as after the crash of a worker, has the same one.
 */
export function createSigningLinks(publicUrl: string, secret: string): SigningLinks {
  return {
    async create(knex, { requestId, firmId, delivery }) {
      const token = createHmac('sha256', secret)
        .update(`signature request ${requestId}, delivery ${delivery}`)
        .digest('base64url');
      await knex('signature_links')
        .insert({ token_hash: digestOf(token), firm_id: firmId, request_id: requestId, delivery })
        .onConflict(['token_hash', 'firm_id'])
        .ignore();
      return `${publicUrl}${signingPath}/${token}`;
    },
  };
}

/** Finds the mail with the signing URL of a token. */
export async function findRequestMail(knex: Knex, token: string): Promise<RequestMail | undefined> {
  return knex('signature_links')
    .where({ token_hash: digestOf(token) })
    .first<RequestMail | undefined>({
      requestId: 'request_id',
      firmId: 'firm_id',
      delivery: 'delivery',
    });
}
