import type { Decoded, FreeText, Layouts, UnknownStructure } from './communication-layout.js';

/**
 * The structured communications of records 2: 146 characters, 2.1 positions 66-115, 2.2 positions
 * 11-63 and 2.3 positions 83-125. Amounts are thousandths, rates and percentages have 8 decimals,
 * the volume has 2.
 */
export const movementLayouts = {
  /** ISO 11649 creditor reference. */
  '100': [['reference', 'text', 25]],
  /** Belgian structured communication; 102 if the bank reconstituted it. */
  '101': [['reference', 'text', 12]],
  '102': [['reference', 'text', 12]],
  /** A number, such as that of a cheque or a card. */
  '103': [['number', 'text', 12]],
  /** Amount in another currency. */
  '105': [
    ['amount', 'decimal', 15],
    ['originalAmount', 'decimal', 15],
    ['rate', 'decimal', 12],
    ['originalCurrency', 'text', 3],
    ['reference', 'text', 12],
    ['country', 'text', 2],
    ['amountInEuro', 'decimal', 15],
  ],
  /** The calculation of VAT, a tax or a commission. */
  '106': [
    ['amount', 'decimal', 15],
    ['baseAmount', 'decimal', 15],
    ['percentage', 'decimal', 12],
    ['minimum', 'text', 1],
    ['amountInEuro', 'decimal', 15],
  ],
  /** Direct debit DOM'80, removed in version 2.4. */
  '107': [
    ['number', 'text', 12],
    ['date', 'date', 6],
    ['text', 'text', 30],
    ['refusal', 'text', 1],
    ['creditor', 'text', 11],
  ],
  /** Account closing. */
  '108': [
    ['amount', 'decimal', 15],
    ['basis', 'text', 15],
    ['interestRate', 'decimal', 12],
    ['period', 'text', 12],
  ],
  /** Total of received card payments. */
  '111': [
    ['cardScheme', 'text', 1],
    ['pointOfSale', 'text', 6],
    ['period', 'text', 3],
    ['firstSequence', 'text', 6],
    ['firstDate', 'date', 6],
    ['lastSequence', 'text', 6],
    ['lastDate', 'date', 6],
    ['transactionType', 'text', 1],
    ['terminalName', 'text', 16],
    ['terminalTown', 'text', 10],
  ],
  /** Card payment or withdrawal. */
  '113': [
    ['cardNumber', 'text', 16],
    ['cardScheme', 'text', 1],
    ['terminal', 'text', 6],
    ['sequence', 'text', 6],
    ['date', 'date', 6],
    ['time', 'time', 4],
    ['transactionType', 'text', 1],
    ['terminalName', 'text', 16],
    ['terminalTown', 'text', 10],
    ['originalAmount', 'decimal', 15],
    ['rate', 'decimal', 12],
    ['originalCurrency', 'text', 3],
    ['volume', 'decimal', 5],
    ['product', 'text', 2],
    ['unitPrice', 'decimal', 5],
  ],
  /** One received card payment. */
  '114': [
    ['cardScheme', 'text', 1],
    ['pointOfSale', 'text', 6],
    ['period', 'text', 3],
    ['sequence', 'text', 6],
    ['date', 'date', 6],
    ['time', 'time', 4],
    ['transactionType', 'text', 1],
    ['terminalName', 'text', 16],
    ['terminalTown', 'text', 10],
    ['reference', 'text', 16],
  ],
  /** Cash deposit at a terminal. */
  '115': [
    ['cardNumber', 'text', 16],
    ['cardScheme', 'text', 1],
    ['terminal', 'text', 6],
    ['sequence', 'text', 6],
    ['date', 'date', 6],
    ['time', 'time', 4],
    ['validationDate', 'date', 6],
    ['validationSequence', 'text', 6],
    ['originalAmount', 'decimal', 15],
    ['conformity', 'text', 1],
    ['terminalName', 'text', 16],
    ['terminalTown', 'text', 10],
    ['reference', 'text', 12],
  ],
  /** Commercial bill. */
  '121': [
    ['amount', 'decimal', 15],
    ['maturityDate', 'term', 6],
    ['conventionalMaturityDate', 'term', 6],
    ['issueDate', 'date', 6],
    ['companyNumber', 'text', 11],
    ['currency', 'text', 3],
    ['secondCurrency', 'text', 3],
    ['billNumber', 'text', 13],
    ['rate', 'decimal', 12],
  ],
  /** Interest on a bill. */
  '122': [
    ['days', 'text', 4],
    ['interestRate', 'decimal', 12],
    ['baseAmount', 'decimal', 15],
    ['minimum', 'text', 1],
    ['billNumber', 'text', 13],
    ['maturityDate', 'term', 6],
  ],
  /** Fees and commissions. */
  '123': [
    ['startDate', 'date', 6],
    ['maturityDate', 'term', 6],
    ['baseAmount', 'decimal', 15],
    ['percentage', 'decimal', 12],
    ['days', 'text', 4],
    ['minimum', 'text', 1],
    ['guaranteeNumber', 'text', 13],
  ],
  /** Settlement of a credit card. */
  '124': [
    ['cardNumber', 'text', 20],
    ['issuer', 'text', 1],
    ['invoice', 'text', 12],
    ['identification', 'text', 15],
    ['date', 'date', 6],
  ],
  /** Credit. */
  '125': [
    ['creditAccount', 'text', 12],
    ['extension', 'text', 15],
    ['oldBalance', 'decimal', 15],
    ['newBalance', 'decimal', 15],
    ['amount', 'decimal', 15],
    ['currency', 'text', 3],
    ['startDate', 'date', 6],
    ['endDate', 'term', 6],
    ['interestRate', 'decimal', 12],
    ['reference', 'text', 13],
  ],
  /** Term investment. */
  '126': [
    ['depositNumber', 'text', 15],
    ['depositAmount', 'decimal', 15],
    ['amount', 'decimal', 15],
    ['startDate', 'date', 6],
    ['endDate', 'term', 6],
    ['interestRate', 'decimal', 12],
    ['interestAmount', 'decimal', 15],
    ['currency', 'text', 3],
    ['rate', 'decimal', 12],
  ],
  /** SEPA direct debit. */
  '127': [
    ['settlementDate', 'date', 6],
    ['debitType', 'text', 1],
    ['scheme', 'text', 1],
    ['paid', 'text', 1],
    ['creditor', 'text', 35],
    ['mandate', 'text', 35],
    ['text', 'text', 62],
    ['rTransaction', 'text', 1],
    ['reason', 'text', 4],
  ],
} as const satisfies Layouts;

/** The communication of a movement. */
export type MovementCommunication = FreeText | Decoded<typeof movementLayouts> | UnknownStructure;
