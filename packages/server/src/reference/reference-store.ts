import type { Bank, PayrollProvider } from '@adx/contract';
import type { Knex } from 'knex';
import { omitAbsent } from '../api/every-field.js';
import { type Listing, type Page, type Paging, pageOf, readRecords } from '../api/paging.js';
import { fragment } from '../api/sql-fragment.js';
import { type Bic, formatBic } from '../identifiers/bic.js';

interface BankRow {
  readonly id: string;
  readonly bic: string;
  readonly name: string;
  readonly coda_supported: boolean;
  readonly connector_id: number | null;
}

interface ProviderRow {
  readonly id: string;
  readonly name_fr: string;
  readonly name_nl: string;
}

/** A bank as the operator's commands show it: all that the list of bank codes has under a BIC. */
export interface ShownBank {
  readonly bic: string;
  /** One BIC can have two names. */
  readonly names: readonly string[];
  /** Digits 1 to 3 of account numbers. The list is empty if none is assigned any more. */
  readonly bankCodes: readonly string[];
  readonly codaSupported: boolean;
  readonly connectorId?: number;
}

/** The banks by name, without the institutions that have no BIC (D-11). */
const banks: Listing<BankRow, Bank> = {
  from: 'banks b',
  visible: fragment('b.bic is not null'),
  sort: ['lower(b.name) collate "und-x-icu"', 'b.bic'],
  id: 'b.id',
  direction: 'asc',
  columns: fragment('b.id, b.bic, b.name, b.coda_supported, b.connector_id'),
  toItem: toBank,
};

/** The payroll providers by code, which is their id. */
const payrollProviders: Listing<ProviderRow, PayrollProvider> = {
  from: 'payroll_providers p',
  visible: fragment('true'),
  sort: [],
  id: 'p.code collate "C"',
  direction: 'asc',
  columns: fragment('p.code as id, p.name_fr, p.name_nl'),
  toItem: ({ id, name_fr, name_nl }) => ({ code: id, nameFr: name_fr, nameNl: name_nl }),
};

/** All calls send the same. */
const common = { isCommon: true } as const;

export type ReferenceStore = ReturnType<typeof createReferenceStore>;

/** Creates the queries of the reference lists. They need no principal: every firm sees the same. */
export function createReferenceStore(knex: Knex) {
  return {
    banks: async (paging: Paging): Promise<Page<Bank>> =>
      pageOf(await readRecords(knex, banks, [], common), paging),

    allBanks: (): Promise<Bank[]> => readRecords(knex, banks, [], common),

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
     * Sets or removes a light connector (§2.2). Existing mandates keep theirs. Returns false if no
     * bank has the BIC.
     */
    async setConnector(bic: Bic, connectorId: number | null): Promise<boolean> {
      return (await knex('banks').where({ bic }).update({ connector_id: connectorId })) > 0;
    },

    payrollProviders: async (paging: Paging): Promise<Page<PayrollProvider>> =>
      pageOf(await readRecords(knex, payrollProviders, [], common), paging),
  };
}

function toBank(row: BankRow): Bank {
  return omitAbsent<Bank>({
    bic: formatBic(row.bic),
    name: row.name,
    codaSupported: row.coda_supported,
    connectorId: row.connector_id ?? undefined,
  });
}
