import { expect } from 'vitest';
import { type MovementDraft, writeCamt053 } from '../../src/index.js';
import { party } from '../communications.js';
import { code, day, free, sampleStatement } from '../pdf/sample-statement.js';
import { camt053Faults } from './camt053-schema.js';

type Options = Parameters<typeof writeCamt053>[1];

/** Writes the entry of a movement, of which nothing is against the schema. */
export async function entryOf(movement: MovementDraft, options: Options = {}): Promise<string> {
  const xml = writeCamt053([await sampleStatement({ movements: [movement] })], options);
  expect(camt053Faults(xml, options.version)).toEqual([]);
  return xml.match(/<Ntry>.*<\/Ntry>/s)?.[0] ?? '';
}

export const valuesOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(
    ([, text = '']) => text,
  );
export const transactionsOf = (xml: string) => xml.match(/<TxDtls>.*?<\/TxDtls>/gs) ?? [];

export const payment: MovementDraft = {
  ...day,
  amount: 799_200n,
  transactionCode: code(3, '41', '50'),
  communication: free('INVOICE 6318'),
  customerReference: 'INV-2026-0042',
  counterparty: { account: 'PL61109010140000071219812874', currency: 'EUR', name: 'EXAMPLE' },
  information: [
    party('EXAMPLE POLSKA', 'ULICA 29', '15-620 BIALYSTOK'),
    { communication: free('PAID IN TWO PARTS') },
  ],
};
export const detail = (amount: bigint, text = '', type = 8, category = '000'): MovementDraft => ({
  ...{ ...day, amount, transactionCode: code(type, '41', '50', category) },
  communication: free(text),
});
