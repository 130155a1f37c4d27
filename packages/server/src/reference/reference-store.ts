import type { Bank, PayrollProvider } from '@adx/contract';
import type { Knex } from 'knex';
import { omitAbsent } from '../api/every-field.js';
import type { Page, Paging } from '../api/paging.js';
import { runPrepared } from '../db/prepared-statements.js';
import { type Bic, formatBic } from '../identifiers/bic.js';

interface BankRow {
  readonly bic: string;
  readonly name: string;
  readonly coda_supported: boolean;
  readonly connector_id: number | null;
}

/** A bank as the operator's commands show it: all that the list of bank codes has under a BIC. */
export interface ShownBank {
  readonly bic: string;
  /** One BIC can have two names. */
  readonly names: readonly string[];
  /** The national bank codes, digits 1 to 3 of an account number. Empty if none is assigned any more. */
  readonly bankCodes: readonly string[];
  readonly codaSupported: boolean;
  readonly connectorId?: number;
}

const bankOrder = 'lower(name) collate "und-x-icu", bic';

export type ReferenceStore = ReturnType<typeof createReferenceStore>;

/** Creates the queries of the reference lists. They need no principal: every firm sees the same. */
export function createReferenceStore(knex: Knex) {
  return {
    /** Returns a page of the banks by name, without the institutions that have no BIC (D-11). */
    async banks(paging: Paging): Promise<Page<Bank>> {
      const page = await readPage<BankRow>(
        knex,
        `select bic, name, coda_supported, connector_id from banks where bic is not null`,
        bankOrder,
        paging,
      );
      return { ...page, records: page.records.map(toBank) };
    },

    /** Returns all banks that have a BIC, by name. */
    async allBanks(): Promise<Bank[]> {
      const rows = await knex<BankRow>('banks').whereNotNull('bic').orderByRaw(bankOrder);
      return rows.map(toBank);
    },

    /** Returns what is known of a BIC, or undefined. */
    async findBank(bic: Bic): Promise<ShownBank | undefined> {
      type Row = Pick<ShownBank, 'names' | 'bankCodes' | 'codaSupported'> & {
        readonly connectorId: number | null;
      };
      const { rows } = await knex.raw<{ rows: Row[] }>(
        `select json_agg(distinct b.name) as names,
                coalesce(json_agg(c.code order by c.code) filter (where c.code is not null), '[]')
                  as "bankCodes",
                bool_or(b.coda_supported) as "codaSupported", max(b.connector_id) as "connectorId"
           from banks b left join bank_codes c on c.bank_id = b.id
          where b.bic = ? group by b.bic`,
        [bic],
      );
      return rows.map(({ connectorId, ...bank }) =>
        omitAbsent<ShownBank>({
          bic: formatBic(bic),
          ...bank,
          connectorId: connectorId ?? undefined,
        }),
      )[0];
    },

    /**
     * Sets or removes the light connector of a bank (§2.2). Existing mandates keep theirs.
     *
     * @returns false if no bank has the BIC
     */
    async setConnector(bic: Bic, connectorId: number | null): Promise<boolean> {
      return (await knex('banks').where({ bic }).update({ connector_id: connectorId })) > 0;
    },

    /** Returns a page of the payroll providers by code. */
    payrollProviders: (paging: Paging): Promise<Page<PayrollProvider>> =>
      readPage<PayrollProvider>(
        knex,
        `select code, name_fr as "nameFr", name_nl as "nameNl" from payroll_providers`,
        'code collate "C"',
        paging,
      ),
  };
}

/** Reads a page and its total in one query. Both totals are equal, because the lists have no filters. */
async function readPage<Row>(
  knex: Knex,
  list: string,
  order: string,
  { limit, offset }: Paging,
): Promise<Page<Row>> {
  const [row] = await runPrepared<{ records: Row[]; total: number }>(
    knex,
    `with list as (${list})
     select (select count(*) from list) as total,
            (select coalesce(json_agg(page), '[]')
               from (select * from list order by ${order} limit ? offset ?) page) as records`,
    [limit, offset],
  );
  const total = row?.total ?? 0;
  return { records: row?.records ?? [], recordsTotal: total, recordsFiltered: total };
}

function toBank(row: BankRow): Bank {
  return omitAbsent<Bank>({
    bic: formatBic(row.bic),
    name: row.name,
    codaSupported: row.coda_supported,
    connectorId: row.connector_id ?? undefined,
  });
}
