import type { Decoded, FreeText, Layouts, UnknownStructure } from './communication-layout.js';

const fourLines = [
  ['line1', 'text', 35],
  ['line2', 'text', 35],
  ['line3', 'text', 35],
  ['line4', 'text', 35],
] as const;

const ultimateParty = [
  ['name', 'text', 70],
  ['identification', 'text', 35],
] as const;

/**
 * The structured communications of records 3: 265 characters, 3.1 positions 44-113, 3.2 positions
 * 11-115 and 3.3 positions 11-100. Amounts are thousandths; in type 010, quantity and price have 4
 * decimals, and the rate has 8.
 */
export const informationLayouts = {
  '001': [
    ['name', 'text', 70],
    ['street', 'text', 35],
    ['locality', 'text', 35],
    ['identification', 'text', 35],
  ],
  '002': fourLines,
  '004': fourLines,
  '005': fourLines,
  '006': [
    ['description', 'text', 30],
    ['currency', 'text', 3],
    ['amount', 'signed', 16],
    ['category', 'text', 3],
  ],
  '007': [
    ['count', 'text', 7],
    ['denomination', 'decimal', 6],
    ['amount', 'decimal', 15],
  ],
  '008': ultimateParty,
  '009': ultimateParty,
  '010': [
    ['orderNumber', 'text', 13],
    ['fileNumber', 'text', 15],
    ['customerReference', 'text', 13],
    ['codeType', 'text', 2],
    ['securityCode', 'text', 15],
    ['quotation', 'text', 1],
    ['quantity', 'decimal', 12],
    ['currency', 'text', 3],
    ['lot', 'text', 4],
    ['priceCurrency', 'text', 3],
    ['price', 'decimal', 12],
    ['rate', 'decimal', 12],
    ['securityName', 'text', 40],
    ['slipNumber', 'text', 13],
    ['couponNumber', 'text', 8],
    ['paymentDate', 'day', 8],
    ['market', 'text', 30],
    ['tradeDate', 'day', 8],
    ['nature', 'text', 24],
    ['accruedInterest', 'decimal', 15],
  ],
  '011': [['text', 'text', 265]],
} as const satisfies Layouts;

/** The subject of each type. */
export const informationSubjects: Readonly<Record<keyof typeof informationLayouts, string>> = {
  '001': 'The counterparty',
  '002': 'A message of the bank',
  '004': "The counterparty's bank",
  '005': "The correspondent's data",
  '006': 'An amount that concerns the movement',
  '007': 'Counted coins and notes',
  '008': 'The ultimate creditor',
  '009': 'The ultimate debtor',
  '010': 'A transaction in securities',
  '011': 'A text of the bank on securities',
};

/** The communication of an information record. */
export type InformationCommunication =
  | FreeText
  | Decoded<typeof informationLayouts>
  | UnknownStructure;
