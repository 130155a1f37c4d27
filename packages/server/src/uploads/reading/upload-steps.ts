import type { Document } from '../../files/document.js';
import type { ParsedDocument, UploadFinding } from '../documents/finding.js';

/** A part of a file whose outcomes are recorded in one transaction. */
export interface UploadStep {
  readonly documents: readonly Document[];
  readonly findings: readonly UploadFinding[];
  /** The number of further findings. */
  readonly omittedFindings: number;
  /** The number of results of the parser, by which the checkpoint advances. */
  readonly results: number;
  /** True for the end of the file. It may have no results. */
  readonly isLast: boolean;
}

/**
 * A step ends after this many results of the parser, or after the first one that reaches this many
 * bytes.
 */
const stepResults = 50;
const stepBytes = 2 ** 20;

/** Divides the results of a parser into steps. The last one says so. */
export async function* stepsOf(results: AsyncIterable<ParsedDocument>): AsyncGenerator<UploadStep> {
  let parsed: ParsedDocument[] = [];
  let bytes = 0;
  for await (const result of results) {
    parsed.push(result);
    bytes += result.document?.bytes.length ?? 0;
    if (parsed.length < stepResults && bytes < stepBytes) continue;
    yield stepOf(parsed, false);
    parsed = [];
    bytes = 0;
  }
  yield stepOf(parsed, true);
}

function stepOf(parsed: readonly ParsedDocument[], isLast: boolean): UploadStep {
  return {
    documents: parsed.flatMap(({ document }) => document ?? []),
    findings: parsed.flatMap(({ findings }) => findings),
    omittedFindings: parsed.reduce((sum, { omittedFindings }) => sum + omittedFindings, 0),
    results: parsed.length,
    isLast,
  };
}
