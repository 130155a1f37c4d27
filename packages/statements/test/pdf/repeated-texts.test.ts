import { describe, expect, test } from 'vitest';
import { movement, pagesOf } from './printed-pages.js';
import { movements } from './sample-statement.js';

describe('D-46 a bookkeeper, where texts and amounts are alike,', () => {
  test('sees each coin that was counted, each fee, and both parties of the same name', async () => {
    const coins = (count: string, denomination: bigint, amount: bigint) =>
      ({
        communication: {
          ...({ kind: 'structured', type: '007' } as const),
          ...{ count, denomination, amount },
        },
      }) as const;
    const ultimate = (type: '008' | '009') => ({
      communication: { kind: 'structured', type, name: 'ACME', identification: 'X1' } as const,
    });
    const [page = []] = await pagesOf([
      movement({
        information: [
          ...[
            coins('2', 50_000n, 100_000n),
            coins('2', 2_000n, 4_000n),
            coins('2', 2_000n, 4_000n),
          ],
          ...[ultimate('008'), ultimate('009')],
        ],
      }),
    ]);
    const text = page.join(' ').replaceAll('\u00A0', ' ');
    expect(text.match(/Nombre 2 · Valeur faciale/g)).toHaveLength(3);
    expect(text.match(/ACME · Identification X1/g)).toHaveLength(2);
  });

  test('sees an amount in another currency, also if the number is the same', async () => {
    const communication = {
      ...({ kind: 'structured', type: '105', amount: 10_000n, originalAmount: 10_000n } as const),
      ...{ rate: 110_000_000n, originalCurrency: 'CHF', reference: '', country: '' },
      amountInEuro: 10_000n,
    };
    const [page = []] = await pagesOf([movement({ communication })]);
    expect(page.join(' ').replaceAll('\u00A0', ' ')).toContain('Montant d’origine 10,00 CHF');
  });

  test('sees which detail has a text or reference of its total, and which another', async () => {
    const free = (text: string) => ({ kind: 'free', text }) as const;
    const detail = (text: string, amount: bigint) => ({
      ...movements[0],
      ...{ amount, communication: free(text), information: [], details: [] },
      customerReference: `REF-${text}`,
      transactionCode: { type: 6, family: '04', operation: '50', category: '000' },
    });
    const [page = []] = await pagesOf([
      movement({
        ...{ amount: 10_000n, communication: free('VISA'), customerReference: 'REF-VISA' },
        transactionCode: { type: 2, family: '04', operation: '50', category: '000' },
        details: [detail('VISA', 6_000n), detail('MAESTRO', 4_000n)],
      }),
    ]);
    const shown = page.join(' ');
    expect(shown.match(/(?<!REF-)VISA/g)).toHaveLength(2);
    expect(shown.match(/REF-VISA/g)).toHaveLength(2);
    expect(shown.match(/REF-MAESTRO/g)).toHaveLength(1);
  });
});
