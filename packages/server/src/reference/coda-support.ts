import type { Knex } from 'knex';

/**
 * Institutions with a BIC that keep no accounts with CODA statements: payment and electronic money
 * institutions, lenders without accounts, clearing and settlement, the central bank, and one bank
 * that has no CODA. Names as in the list of bank codes.
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
 * Whether a bank takes CODA mandates: every institution with a BIC does, save those known not to.
 * Which banks do is not published in one place; a bank wrongly thought to do so refuses the mandate
 * (`rejectedByBank`), one wrongly thought not to cannot be asked at all.
 */
export function takesCodaMandates(bic: string | null, name: string): boolean {
  return bic !== null && !withoutCoda.has(name);
}

/** Serves the accounts of the banks with a BIC through the light connector of this number (§2.2). */
export async function setConnector(knex: Knex, bic: string, connectorId: number): Promise<void> {
  await knex('banks').where({ bic }).update({ connector_id: connectorId });
}
