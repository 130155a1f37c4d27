import type { Knex } from 'knex';
import { runPrepared } from '../db/prepared-statements.js';
import type { NewFile } from './document.js';

/**
 * Locks the lists of customers until the transaction ends, in the order of their ids, and takes as
 * many arrivals of each as it has documents.
 *
 * @returns the first arrival of each, by `listOf`
 */
export async function takeArrivals(
  trx: Knex.Transaction,
  newFiles: readonly NewFile[],
): Promise<Map<string, number>> {
  const rows = await runPrepared<{ list: string; latest: number }>(trx, {
    sql: `insert into file_arrivals as n (firm_id, customer_id, product, latest)
          select firm_id, customer_id, product, files from (${countedLists}) taken
          on conflict (customer_id, product, firm_id)
             do update set latest = n.latest + excluded.latest
          returning product || ' ' || customer_id as list, latest`,
    bindings: [JSON.stringify(newFiles.map(toList))],
  });
  const first = new Map(rows.map(({ list, latest }) => [list, latest + 1]));
  for (const file of newFiles) first.set(listOf(file), (first.get(listOf(file)) ?? 0) - 1);
  return first;
}

/** Gives back the last arrivals of lists, one for each document that was not new. */
export async function returnArrivals(
  trx: Knex.Transaction,
  newFiles: readonly NewFile[],
): Promise<void> {
  await trx.raw(
    `update file_arrivals n set latest = n.latest - returned.files
       from (${countedLists}) returned
      where n.firm_id = returned.firm_id and n.customer_id = returned.customer_id
        and n.product = returned.product`,
    [JSON.stringify(newFiles.map(toList))],
  );
}

const countedLists = `select firm_id, customer_id, product, count(*) as files
              from jsonb_to_recordset(?::jsonb)
                as each (firm_id text, customer_id text, product text)
             group by firm_id, customer_id, product order by customer_id, product`;

function toList({ recipient: { firmId, customerId }, document: { product } }: NewFile) {
  return { firm_id: firmId, customer_id: customerId, product };
}

/** Returns a text that identifies the list of a customer and product. */
export function listOf({ document: { product }, recipient }: NewFile): string {
  return `${product} ${recipient.customerId}`;
}
