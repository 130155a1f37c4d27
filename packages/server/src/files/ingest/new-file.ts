import type { Recipient } from './recipient.js';
import { formats, type UploadedDocument } from './uploaded-document.js';

/** A file that is to be listed: a document, who it is for, and where its objects are. */
export interface NewFile {
  readonly document: UploadedDocument;
  readonly recipient: Recipient;
  readonly objectKey: string;
  readonly pdfKey: string;
}

/** The keys follow from customer and content, so that reading again puts the same objects. */
export function toNewFile(document: UploadedDocument, recipient: Recipient): NewFile {
  const { product, contentHash } = document;
  const folder = `${product.toLowerCase()}/${recipient.customerId}`;
  const key = `${folder}/${contentHash.toString('hex')}`;
  const { extension } = formats[product];
  return { document, recipient, objectKey: `${key}.${extension}`, pdfKey: `${key}.pdf` };
}
