import type { Knex } from 'knex';
import type { Customership, Recipient } from './recipient.js';
import type { UploadFinding } from './upload-finding.js';

export type Product = 'CODA' | 'CODB';

/** A statement or payroll booking of an upload, as a file of its own. */
export interface UploadedDocument {
  readonly product: Product;
  readonly bytes: Uint8Array;
  /** SHA-256 of what it says, however it was wrapped into the upload. */
  readonly contentHash: Buffer;
  /** The line of the upload it starts at, the first being 1. */
  readonly record: number;
  /** With the product and the customer, the columns of `files` that name it. */
  readonly key: Readonly<Record<string, string | number>>;
  /** `YYYY-MM-DD` */
  readonly statementDate: string;
  /** The name it is saved under, without extension. */
  readonly fileStem: string;
  findRecipient(knex: Knex, customers: Customership): Promise<Recipient | undefined>;
  /** Why it is refused where there is no recipient. */
  readonly unmatched: UploadFinding;
  /** Prints it as PDF for its recipient. */
  print(recipient: Recipient): Promise<Uint8Array>;
}

/** A part of an upload: a document, or what none could be read of. */
export interface UploadPart {
  /** Not there where one of the findings is an error. */
  readonly document?: UploadedDocument;
  readonly findings: readonly UploadFinding[];
  /** How many findings more there were. */
  readonly omittedFindings: number;
}

/** How files of a product are stored and saved. */
export const formats: Readonly<Record<Product, { extension: string; contentType: string }>> = {
  CODA: { extension: 'cod', contentType: 'application/octet-stream' },
  CODB: { extension: 'xml', contentType: 'application/xml' },
};
