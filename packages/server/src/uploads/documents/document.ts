import type { PrintedLanguage } from '@adx/statements';
import type { UploadFinding } from './finding.js';

export type Product = 'CODA' | 'CODB';

/** The account, or the enterprise and its payroll provider, that a document names. */
export type Subject =
  | { readonly iban: string }
  | {
      /** Ten digits. */
      readonly enterpriseNumber: string;
      /** The payroll provider as the file writes it. */
      readonly source: string;
    };

/** How a document is printed for its recipient. */
export interface PrintOptions {
  readonly language: PrintedLanguage;
  /** Absent for a payroll file, and where the bank is not known. */
  readonly bankName?: string;
}

/** A bank statement or payroll booking, read from an upload or a delivery. */
export interface Document {
  readonly product: Product;
  /** The document as a file of its own. */
  readonly bytes: Uint8Array;
  /** SHA-256 of what it says, however it was wrapped. */
  readonly contentHash: Buffer;
  /** The line it starts at in the file it came in, the first being 1. */
  readonly record: number;
  readonly subject: Subject;
  /** Names it in findings, as `BE71096123456769 (2026/14)`. */
  readonly label: string;
  /** With the product and the customer, the columns of `files` that identify it. */
  readonly key: Readonly<Record<string, string | number>> & { readonly statement_number: number };
  /** `YYYY-MM-DD` */
  readonly statementDate: string;
  /** The name it is saved under, without extension. */
  readonly fileStem: string;
  /** Renders the PDF. */
  print(options: PrintOptions): Promise<Uint8Array>;
}

/** A document read from part of a file, or the reasons why there is none. */
export interface DocumentReading {
  /** Absent where one of the findings is an error. */
  readonly document?: Document;
  readonly findings: readonly UploadFinding[];
  /** How many findings more there were. */
  readonly omittedFindings: number;
}

/** How files of a product are stored and saved. */
export const formats: Readonly<Record<Product, { extension: string; contentType: string }>> = {
  CODA: { extension: 'cod', contentType: 'application/octet-stream' },
  CODB: { extension: 'xml', contentType: 'application/xml' },
};
