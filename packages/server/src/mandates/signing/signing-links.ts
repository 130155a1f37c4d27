import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { digestOf } from '../../identifiers/secret.js';

/** A signature request and the number of the address that it is sent to (D-14). */
export interface Delivery {
  readonly requestId: string;
  readonly delivery: number;
}

/** The path of the signing page; the token of a link follows it. */
export const signingPath = '/sign';

/** Creates signing links. */
export interface SigningLinks {
  /** Stores the hash of the token, without which a link does not work, and returns the link. A delivery always has the same one. */
  create(knex: Knex, delivery: Delivery): Promise<string>;
}

/**
 * Creates links with an unguessable token: an HMAC-SHA-256 of the delivery with a secret of the
 * deployment (D-25). The database only contains its hash. A mail that is sent twice, as after the
 * crash of a worker, has the same link.
 */
export function createSigningLinks(publicUrl: string, secret: string): SigningLinks {
  return {
    async create(knex, { requestId, delivery }) {
      const token = createHmac('sha256', secret)
        .update(`signature request ${requestId}, delivery ${delivery}`)
        .digest('base64url');
      await knex('signature_links')
        .insert({ token_hash: digestOf(token), request_id: requestId, delivery })
        .onConflict('token_hash')
        .ignore();
      return `${publicUrl}${signingPath}/${token}`;
    },
  };
}

/** Finds the delivery of a token. */
export async function findDelivery(knex: Knex, token: string): Promise<Delivery | undefined> {
  return knex('signature_links')
    .where({ token_hash: digestOf(token) })
    .first<Delivery | undefined>({ requestId: 'request_id', delivery: 'delivery' });
}
