import type { Statement } from '../../src/coda/statement.js';
import type { MovementDraft } from '../../src/coda/write/statement-draft.js';
import { cardPayment, directDebit, party } from '../communications.js';
import { code, day, free, sampleStatement } from './sample-statement.js';

/** A transfer with all that a bank may say of it, in the wording of Belgian banks. */
const received: MovementDraft = {
  ...day,
  amount: 1_815_000n,
  transactionCode: code(0, '01', '50'),
  counterparty: {
    account: 'BE54000000000097',
    currency: 'EUR',
    name: 'BOULANGERIE DES QUATRE VENTS SRL',
    bic: 'BPOTBEB1XXX',
  },
  communication: free('FACTURE 2026-0117 DU 15 JANVIER 2026, LIVRAISON DE FARINE BIO ET DE LEVURE'),
  customerReference: 'NOTPROVIDED',
  information: [
    party('BOULANGERIE DES QUATRE VENTS SRL', 'RUE DU MOULIN 12', '5000 NAMUR'),
    {
      communication: free('DONNEUR D’ORDRE : BOULANGERIE DES QUATRE VENTS SRL BANQUE: BPOTBEB1XXX'),
    },
    {
      communication: free('REFERENCE DE L’OPERATION 2602030000123 EXECUTEE LE 03-02-2026 A 10:14'),
    },
    { communication: free('DATE VALEUR: 03/02/2026') },
  ],
};

const subscription: MovementDraft = {
  ...day,
  amount: -121_000n,
  transactionCode: code(0, '05', '01'),
  counterparty: { account: 'BE71096123456769', currency: 'EUR', name: 'TELECOM BELGIE NV' },
  communication: directDebit({
    mandate: 'MNDT-2024-000077-A',
    text: 'ABONNEMENT FEVRIER 2026 CLIENT 8812345',
    rTransaction: '0',
  }),
  customerReference: 'NOTPROVIDED',
  information: [
    party('TELECOM BELGIE NV', 'KONING ALBERT II-LAAN 27', '1030 BRUSSEL'),
    { communication: free('EUROPESE DOMICILIERING VAN SCHULDEISER TELECOM BELGIE NV') },
    { communication: free('MANDAATNUMMER: MNDT-2024-000077-A REFERENTIE: NOTPROVIDED') },
  ],
};

const fuel: MovementDraft = {
  ...day,
  amount: -68_450n,
  transactionCode: code(0, '04', '02'),
  counterparty: { account: '000000000000', currency: 'EUR', name: 'STATION TOTAL NAMUR' },
  communication: cardPayment({
    ...{ transactionType: '9', terminalName: 'STATION TOTAL', terminalTown: 'NAMUR' },
    ...{ volume: 3520n, product: '03', unitPrice: 1708n },
  }),
  information: [
    { communication: free('PAIEMENT AVEC LA CARTE DE DEBIT NUMERO 6703 00XX XXXX 1234') },
    { communication: free('STATION TOTAL NAMUR 01/02/2026 BANCONTACT') },
  ],
};

const supplier: MovementDraft = {
  ...day,
  amount: -2_420_000n,
  transactionCode: code(0, '01', '01'),
  counterparty: {
    account: 'BE71096123456769',
    currency: 'EUR',
    name: 'HOUTHANDEL DE EIK EN ZONEN BV',
    bic: 'GKCCBEBB',
  },
  communication: { kind: 'structured', type: '101', reference: '090933755493' },
  customerReference: 'BATCH-2026-02-03-0004',
  information: [party('HOUTHANDEL DE EIK EN ZONEN BV', 'KERKSTRAAT 12', '9000 GENT')],
};

/** The ordinary movements of a business, which banks describe at length. */
const businessMovements: readonly MovementDraft[] = [received, subscription, fuel, supplier];

export function businessStatement(count: number): Promise<Statement> {
  const movements = Array.from({ length: count }, (_, index): MovementDraft => {
    const [movement = received] = businessMovements.slice(index % businessMovements.length);
    return movement;
  });
  return sampleStatement({ movements, freeCommunications: [] });
}
