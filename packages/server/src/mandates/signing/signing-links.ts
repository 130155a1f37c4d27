import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { digestOf } from '../../identifiers/secret.js';

/** One sending of a signature request. */
export interface Delivery {
  readonly requestId: string;
  readonly delivery: number;
}

/** Makes the links that contacts sign by. */
export interface SigningLinks {
  /** The link of a delivery, which works from here on: the same one however often it is asked for. */
  create(knex: Knex, delivery: Delivery): Promise<string>;
}

/**
 * Links with a token that nobody can guess and the database does not hold: 256 bits derived from the
 * delivery and a secret of the deployment (D-25). A message that is sent twice, as when a
 * worker dies between sending and saying so, carries the same link.
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
      return `${publicUrl}/sign/${token}`;
    },
  };
}

/** The delivery that a token belongs to. */
export async function findDelivery(knex: Knex, token: string): Promise<Delivery | undefined> {
  return knex('signature_links')
    .where({ token_hash: digestOf(token) })
    .first<Delivery | undefined>({ requestId: 'request_id', delivery: 'delivery' });
}
