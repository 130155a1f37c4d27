/*
 * Reading CODA and CODB in browsers and Node. Nothing here needs Node; `index.ts` has all else.
 */
export { type CodaFindingCode, codaFindings } from './coda/finding-catalogue.js';
export type { CodaFinding } from './coda/finding-list.js';
export { looksLikeCoda, type ReadCodaOptions, readCoda } from './coda/read/read-coda.js';
export type { Movement, Statement } from './coda/statement.js';
export { type CodbReading, readCodb } from './codb/read-codb.js';
export type { Finding } from './finding.js';
