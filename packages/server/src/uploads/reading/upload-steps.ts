import type { ParsedDocument } from '../documents/finding.js';
import { fileOf, type ParsedFile } from '../documents/read-documents.js';

/** A part of a file whose outcomes are recorded in one transaction. */
export interface UploadStep extends ParsedFile {
  /** The number of results of the parser, by which the checkpoint advances. */
  readonly results: number;
  /** True for the end of the file. It may have no results. */
  readonly isLast: boolean;
}

/** A step ends after so many results of the parser, or with the one that reaches so many bytes. */
const stepResults = 50;
const stepBytes = 2 ** 20;

export async function* stepsOf(results: AsyncIterable<ParsedDocument>): AsyncGenerator<UploadStep> {
  let parsed: ParsedDocument[] = [];
  let bytes = 0;
  for await (const result of results) {
    parsed.push(result);
    bytes += result.document?.bytes.length ?? 0;
    if (parsed.length < stepResults && bytes < stepBytes) continue;
    yield { ...fileOf(parsed), results: parsed.length, isLast: false };
    parsed = [];
    bytes = 0;
  }
  yield { ...fileOf(parsed), results: parsed.length, isLast: true };
}
