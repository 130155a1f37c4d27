import type { Product } from '@adx/contract';
import { newObjectId } from '../identifiers/object-id.js';

type Subject =
  | {
      readonly iban: string;
      /** The BIC of the bank as the file writes it; may be empty. */
      readonly bic: string;
    }
  | {
      /** Ten digits. */
      readonly enterpriseNumber: string;
      /** The payroll provider as the file writes it. */
      readonly source: string;
    };

/** A bank statement or payroll booking from an upload or a delivery. */
export interface Document {
  readonly product: Product;
  /** The document as a separate file. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the content, however it was delivered (D-29). */
  readonly contentHash: Buffer;
  /** The line at which it starts in its file, from 1. */
  readonly record: number;
  readonly subject: Subject;
  /** Names the document in findings, such as `BE71096123456769 (2026/14)`. */
  readonly label: string;
  /** The columns of `files` by which documents are ordered, and that its versions share. */
  readonly key: Readonly<Record<string, string | number>> & { readonly statement_number: number };
  /**
   * `YYYY-MM-DD`: the date of a CODA statement's new balance, or its creation date if it has none;
   * the creation date of a CODB file.
   */
  readonly statementDate: string;
  /** Undefined for a CODB file, and for a separate application, which has no balances. */
  readonly balances?: DocumentBalances;
  readonly fileStem: string;
}

/** The part of a bank statement by which the chain of its account is followed (D-30). */
export interface DocumentBalances {
  /** The date on which the file was created, `YYYY-MM-DD`. */
  readonly createdOn: string;
  /** The old balance in thousandths. */
  readonly old: bigint;
  /** The new balance in thousandths; the old one if the statement has none. */
  readonly new: bigint;
}

export const formats: Readonly<Record<Product, { extension: string; contentType: string }>> = {
  CODA: { extension: 'cod', contentType: 'application/octet-stream' },
  CODB: { extension: 'xml', contentType: 'application/xml' },
};

export const products = Object.keys(formats) as readonly Product[];

export function listedKeys({ product, customerId, id }: ListedDocument) {
  const stem = `${product.toLowerCase()}/${customerId}/${id}`;
  return { objectKey: `${stem}.${formats[product].extension}`, pdfKey: `${stem}.pdf` };
}

export interface ListedDocument {
  readonly id: string;
  readonly product: Product;
  readonly customerId: string;
}

interface ListOwner {
  readonly customerId: string;
  readonly firmId: string;
}

export interface NewFile {
  readonly document: Document;
  readonly recipient: ListOwner;
  readonly id: string;
  readonly objectKey: string;
}

export function newFile<Owner extends ListOwner>(document: Document, recipient: Owner) {
  const id = newObjectId();
  const { objectKey } = listedKeys({ id, product: document.product, ...recipient });
  return { document, recipient, id, objectKey };
}
