import type { Knex } from 'knex';
import { parseBic } from '../identifiers/bic.js';
import { type BankCodeRange, belgianBankCodes } from './belgian-bank-codes.js';
import { takesCodaMandates } from './coda-support.js';
import { type KnownPayrollProvider, payrollProviders } from './payroll-providers.js';

/**
 * Makes the banks and their codes those of the list; what an operator set on a bank stays. For
 * migrations: one that follows a new edition of the list calls it again.
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
      { bic, name, coda_supported: takesCodaMandates(bic, name) },
    ]),
  );
  await trx.raw(
    `insert into banks (bic, name, coda_supported)
     select bic, name, coda_supported
       from jsonb_to_recordset(?::jsonb) as listed (bic text, name text, coda_supported boolean)
     on conflict (coalesce(bic, ''), name) do update set coda_supported = excluded.coda_supported`,
    [JSON.stringify([...banks.values()])],
  );
  await trx.raw('delete from bank_codes');
  await trx.raw(
    `insert into bank_codes (code, bank_id)
     select listed.code, b.id
       from jsonb_to_recordset(?::jsonb) as listed (code text, bic text, name text)
       join banks b on b.name = listed.name and b.bic is not distinct from listed.bic`,
    [JSON.stringify(codes)],
  );
}

/** Makes the payroll providers those of the list; one that is no longer on it stays. For migrations. */
export async function loadPayrollProviders(
  trx: Knex,
  providers: readonly KnownPayrollProvider[] = payrollProviders,
): Promise<void> {
  await trx.raw(
    `insert into payroll_providers (code, name_fr, name_nl, supported)
     select code, "nameFr", "nameNl", supported
       from jsonb_to_recordset(?::jsonb)
         as listed (code text, "nameFr" text, "nameNl" text, supported boolean)
     on conflict (code) do update
       set name_fr = excluded.name_fr, name_nl = excluded.name_nl, supported = excluded.supported`,
    [JSON.stringify(providers)],
  );
}

/** The three-digit codes of a range, both ends included. */
function codesBetween(from: string, to: string): string[] {
  const first = Number(from);
  return Array.from({ length: Number(to) - first + 1 }, (_, i) =>
    String(first + i).padStart(3, '0'),
  );
}
