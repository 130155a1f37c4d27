/* Reading CODA in browsers, and in Node. Nothing here needs Node; `index.ts` has all else. */
export { type ExplainedPart, explainLines, splitIntoLines } from './coda/explain-lines.js';
export type { CodaFindingCode } from './coda/finding-catalogue.js';
export type { CodaFinding } from './coda/finding-list.js';
export {
  type ByteSource,
  type CodaResult,
  looksLikeCoda,
  type ReadCodaOptions,
  readCoda,
} from './coda/read/read-coda.js';
export type { Movement, Statement } from './coda/statement.js';
export type { Finding } from './finding.js';
