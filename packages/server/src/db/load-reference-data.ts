/** Reference data, which migrations load: a new edition of a list comes with a migration. */

import type { Knex } from 'knex';
import { type BankCodeRange, belgianBankCodes } from '../identifiers/belgian-bank-codes.js';
import { parseBic } from '../identifiers/bic.js';

/**
 * Institutions that have a BIC but no accounts with CODA statements. Their names are those of the
 * list of bank codes.
 */
const withoutCoda: ReadonlySet<string> = new Set([
  'Atlantic Money NV/SA',
  'Bancontact Payconiq Company',
  'Banque Centrale de Compensation (Clearnet)',
  'Digiteal SA',
  'EPBF',
  'Ebury Partners Belgium',
  'Equals Money Europe SA',
  'Euroclear Bank',
  'FINANCIERE DES PAIEMENTS ELECTRONIQUES SAS - NICKEL BELGIUM',
  'Fimaser',
  'GOLD COMMODITIES FOREX (G.C.F.)',
  'HR Pay Solutions',
  'Ibanfirst',
  'Mastercard Transaction Services (Europe) NV/SA',
  'Mobile Payment Solutions nv',
  'Nationale Bank van België',
  'Nationale Bank van België (Hoofdkas)',
  'PPS EU SA',
  'Paynovate',
  'Revolut Bank UAB Belgian branch',
  'SWAN SAS',
  'Unifiedpost Payments',
  'Wise Europe SA',
  'Worldline Financial Solutions nv/SA',
]);

/**
 * Upserts banks. The connector that an operator set on a BIC stays.
 *
 * No source lists the banks that accept CODA mandates, so every institution with a BIC is assumed
 * to, except those known not to. A bank that is wrongly included refuses the mandate
 * (`rejectedByBank`); one that is wrongly excluded could not be asked at all.
 */
export async function loadBanks(
  trx: Knex,
  ranges: readonly BankCodeRange[] = belgianBankCodes,
): Promise<void> {
  const codes = ranges.flatMap(([from, to, text, name]) => {
    const bic = parseBic(text) ?? null;
    return codesBetween(from, to).map((code) => ({ code, bic, name }));
  });
  const banks = new Map(
    codes.map(({ bic, name }) => [
      `${bic} ${name}`,
      { bic, name, coda_supported: bic !== null && !withoutCoda.has(name) },
    ]),
  );
  const connectors = await trx('banks').whereNotNull('connector_id').select('bic', 'connector_id');
  const ofBic = new Map(connectors.map((bank) => [bank.bic, bank.connector_id]));
  await trx.raw(
    `insert into banks (bic, name, coda_supported, connector_id)
     select * from jsonb_to_recordset(?::jsonb)
         as listed (bic text, name text, coda_supported boolean, connector_id integer)
     on conflict (coalesce(bic, ''), name) do update set coda_supported = excluded.coda_supported`,
    [
      JSON.stringify(
        [...banks.values()].map((bank) => ({ ...bank, connector_id: ofBic.get(bank.bic) })),
      ),
    ],
  );
  const stored = await trx('banks').select('id', 'bic', 'name');
  const ids = new Map(stored.map(({ id, bic, name }) => [`${bic} ${name}`, id]));
  await trx('bank_codes').delete();
  await trx('bank_codes').insert(
    codes.map(({ code, bic, name }) => ({ code, bank_id: ids.get(`${bic} ${name}`) })),
  );
  // The sort keys of mandates follow the names. A code that is no longer assigned has none.
  const name = `(select lower(b.name collate "und-x-icu") from banks_by_code b
                  where b.bank_code = m.bank_code)`;
  const isOther = `m.bank_code is not null and m.bank_name_sort is distinct from ${name}`;
  const { rows: firms } = await trx.raw<{ rows: { id: string }[] }>(
    `select distinct m.firm_id as id from mandates m where ${isOther} order by 1`,
  );
  for (const { id } of firms) {
    await trx.raw(
      `with named as (select m.id from mandates m where m.firm_id = :id and ${isOther}
                       order by m.id for no key update)
       update mandates m set bank_name_sort = ${name} from named
        where m.id = named.id and m.firm_id = :id`,
      { id },
    );
  }
}

function codesBetween(from: string, to: string): string[] {
  const first = Number(from);
  return Array.from({ length: Number(to) - first + 1 }, (_, i) =>
    String(first + i).padStart(3, '0'),
  );
}

/** The payroll providers (social secretariats) of §2.3: code, name in French, name in Dutch. */
const payrollProviders: readonly (readonly [string, string, string])[] = [
  ['sdworx', 'SD Worx Secrétariat Social', 'SD Worx Sociaal Secretariaat'],
  ['partena', 'Partena Professional', 'Partena Professional'],
  ['groups', 'Group S – Secrétariat Social', 'Groep S – Sociaal Secretariaat'],
  ['liantis', 'Liantis Secrétariat Social', 'Liantis Sociaal Secretariaat'],
  ['securex', 'Securex Secrétariat Social', 'Securex Sociaal Secretariaat'],
  ['acerta', 'Acerta Secrétariat Social', 'Acerta Sociaal Secretariaat'],
  ['ucm', 'UCM Secrétariat Social', 'UCM Sociaal Secretariaat'],
  ['attentia', 'Attentia Secrétariat Social', 'Attentia Sociaal Secretariaat'],
  ['easypay', 'EASYPAY GROUP', 'EASYPAY GROUP'],
  ['besox', 'Besox Secrétariat Social', 'Besox Sociaal Secretariaat'],
  ['***other***', 'Autre', 'Andere'],
];

/**
 * Upserts the payroll providers of the list; others stay. The service handles the CODB files of all
 * but `***other***`, which stands for any other provider.
 */
export async function loadPayrollProviders(trx: Knex): Promise<void> {
  const providers = payrollProviders.map(([code, name_fr, name_nl]) => ({
    code,
    name_fr,
    name_nl,
    supported: code !== '***other***',
  }));
  await trx('payroll_providers').insert(providers).onConflict('code').merge();
}
