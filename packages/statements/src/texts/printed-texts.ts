import type { NameLanguage } from '../coda/names/code-table.js';

/** The languages of the PDFs. */
export type PrintedLanguage = NameLanguage;

/**
 * The fields of structured communications that are printed with a label; others are internal codes
 * of banks.
 */
export type PrintedField =
  | 'securityCode'
  | 'quantity'
  | 'price'
  | 'tradeDate'
  | 'paymentDate'
  | 'orderNumber'
  | 'fileNumber'
  | 'slipNumber'
  | 'couponNumber'
  | 'accruedInterest'
  | 'customerReference'
  | 'amount'
  | 'amountInEuro'
  | 'baseAmount'
  | 'basis'
  | 'cardNumber'
  | 'country'
  | 'creditAccount'
  | 'creditor'
  | 'date'
  | 'days'
  | 'denomination'
  | 'count'
  | 'depositAmount'
  | 'depositNumber'
  | 'endDate'
  | 'firstDate'
  | 'guaranteeNumber'
  | 'identification'
  | 'interestAmount'
  | 'interestRate'
  | 'invoice'
  | 'lastDate'
  | 'mandate'
  | 'maturityDate'
  | 'billNumber'
  | 'newBalance'
  | 'number'
  | 'oldBalance'
  | 'originalAmount'
  | 'percentage'
  | 'period'
  | 'pointOfSale'
  | 'rate'
  | 'reason'
  | 'reference'
  | 'settlementDate'
  | 'startDate'
  | 'terminal'
  | 'time'
  | 'unitPrice'
  | 'volume';

/** The texts of the PDFs in one language. */
export interface PrintedTexts {
  readonly language: PrintedLanguage;
  readonly statement: string;
  readonly duplicate: string;
  readonly subset: string;
  readonly holder: string;
  readonly enterpriseNumber: string;
  readonly account: string;
  readonly currency: string;
  readonly bank: string;
  readonly description: string;
  readonly statementNumber: string;
  readonly paperNumber: string;
  readonly period: string;
  readonly date: string;
  readonly oldBalance: string;
  readonly newBalance: string;
  readonly totalDebit: string;
  readonly totalCredit: string;
  readonly movement: string;
  readonly movements: string;
  /** The heading of the sequence number. */
  readonly sequence: string;
  readonly entryDate: string;
  readonly valueDate: string;
  readonly detail: string;
  readonly amount: string;
  readonly none: string;
  readonly bankMessages: string;
  readonly yourReference: string;
  readonly payroll: string;
  readonly provider: string;
  readonly employer: string;
  readonly number: string;
  readonly accountPeriod: string;
  readonly generalAccount: string;
  readonly label: string;
  readonly socialPeriod: string;
  readonly debit: string;
  readonly credit: string;
  readonly department: string;
  readonly withoutDepartment: string;
  readonly subtotal: (department: string) => string;
  readonly total: string;
  readonly page: (number: number, count: number) => string;
  /** Marks a heading that is repeated on the next page. */
  readonly continued: string;
  /** Between a label and its value. */
  readonly colon: string;
  readonly purpose: string;
  /** The parties of structured communications, by type. */
  readonly parties: Readonly<Record<'001' | '008' | '009', string>>;
  /** By the digit 1 to 5. */
  readonly rTransactions: Readonly<Record<number, string>>;
  /** The name of what the details of a total lack. */
  readonly difference: string;
  /** A date of maturity that is not set. */
  readonly noFixedTerm: string;
  readonly fields: Readonly<Record<PrintedField, string>>;
}
