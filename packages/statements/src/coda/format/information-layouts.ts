import type { Decoded, FreeText, Layouts, UnknownStructure } from './communication-layout.js';

/**
 * The structured communications of records 3: 265 characters, 3.1 positions 44-113, 3.2 positions
 * 11-115 and 3.3 positions 11-100. Amounts are thousandths.
 */
export const informationLayouts = {
  /** The counterparty. */
  '001': [
    ['name', 'text', 70],
    ['street', 'text', 35],
    ['locality', 'text', 35],
    ['identification', 'text', 35],
  ],
  /** A message of the bank. */
  '002': [
    ['line1', 'text', 35],
    ['line2', 'text', 35],
    ['line3', 'text', 35],
    ['line4', 'text', 35],
  ],
  /** The counterparty's bank. */
  '004': [
    ['line1', 'text', 35],
    ['line2', 'text', 35],
    ['line3', 'text', 35],
    ['line4', 'text', 35],
  ],
  /** The correspondent's data. */
  '005': [
    ['line1', 'text', 35],
    ['line2', 'text', 35],
    ['line3', 'text', 35],
    ['line4', 'text', 35],
  ],
  /** An amount that belongs to the movement. */
  '006': [
    ['description', 'text', 30],
    ['currency', 'text', 3],
    ['amount', 'signed', 16],
    ['category', 'text', 3],
  ],
  /** Coins and notes that were counted. */
  '007': [
    ['count', 'text', 7],
    ['denomination', 'decimal', 6],
    ['amount', 'decimal', 15],
  ],
  /** The ultimate creditor (008) and debtor (009). */
  '008': [
    ['name', 'text', 70],
    ['identification', 'text', 35],
  ],
  '009': [
    ['name', 'text', 70],
    ['identification', 'text', 35],
  ],
  /** Securities, as the bank wrote them. */
  '010': [['text', 'text', 265]],
  '011': [['text', 'text', 265]],
} as const satisfies Layouts;

/** How many characters a structured communication has in records 3.1 to 3.3. */
export const INFORMATION_CONTENT = 265;

/** The communication of an information record. */
export type InformationCommunication =
  | FreeText
  | Decoded<typeof informationLayouts>
  | UnknownStructure;
