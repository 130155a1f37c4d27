import type { Product } from '@adx/contract';
import type { Document } from '../../files/document.js';
import { readCodaDocuments } from './coda-documents.js';
import { readCodbDocuments } from './codb-documents.js';
import { type FindingCode, finding, type KeptFindings, type ParsedDocument } from './finding.js';

/** The size of the largest file that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

export interface ParsedFile extends KeptFindings {
  readonly documents: readonly Document[];
}

export async function readDocuments(product: Product, bytes: Uint8Array): Promise<ParsedFile> {
  const parsed: ParsedDocument[] = [];
  const results = parseDocuments(product, bytes, { size: bytes.length, skip: 0 });
  for await (const result of results) parsed.push(result);
  return fileOf(parsed);
}

export function fileOf(parsed: readonly ParsedDocument[]): ParsedFile {
  return {
    documents: parsed.flatMap(({ document }) => document ?? []),
    findings: parsed.flatMap(({ findings }) => findings),
    omittedFindings: parsed.reduce((sum, { omittedFindings }) => sum + omittedFindings, 0),
  };
}

interface Part {
  /** The size of the file in bytes. */
  readonly size: number;
  /** The number of results that are left out, which are the same each time. */
  readonly skip: number;
}

type Source = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Reads documents: of a CODA file with one statement in memory at a time, a CODB file as a whole.
 */
export function parseDocuments(product: Product, source: Source, part: Part): ParsedDocuments {
  return readers[product](source, part);
}

type ParsedDocuments = AsyncIterable<ParsedDocument>;

const readers: Readonly<Record<Product, (source: Source, part: Part) => ParsedDocuments>> = {
  CODA: (source, { skip }) => readCodaDocuments(source, skip),
  async *CODB(source, { size, skip }) {
    yield* readCodbDocuments(await readAll(source, size), skip);
  },
};

/** Copies each chunk as it arrives, so that no second copy of the file is in memory. */
async function readAll(source: Source, size: number): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const bytes = new Uint8Array(size);
  let end = 0;
  for await (const chunk of source) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes.subarray(0, end);
}

export function unreadableFile(code: FindingCode, value?: string | number): ParsedFile {
  return { documents: [], findings: [finding(code, value)], omittedFindings: 0 };
}
