import type { Knex } from 'knex';

/** Serves the accounts of the banks with a BIC through the light connector of this number (§2.2). */
export async function setConnector(knex: Knex, bic: string, connectorId: number): Promise<void> {
  await knex('banks').where({ bic }).update({ connector_id: connectorId });
}
