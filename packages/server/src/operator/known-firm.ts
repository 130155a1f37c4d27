import type { Knex } from 'knex';
import { OperatorFailure } from '../api/operator-failure.js';
import { createFirmStore } from '../identity/firms.js';

/**
 * Holds a `--firm` to a firm that exists: a mistyped id would look like a firm without anything.
 *
 * @throws OperatorFailure when there is no such firm
 */
export async function requireFirm(knex: Knex, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const firms = await createFirmStore(knex).list();
  if (!firms.some((firm) => firm.id === id)) {
    throw new OperatorFailure(`There is no firm with the id ${id}.`);
  }
}
