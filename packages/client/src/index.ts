export type * from './client.js';
export type {
  ApiPromise,
  ApiResponse,
  ByteStream,
  CallOptions,
  Fetch,
  FetchedResponse,
  FetchInit,
} from './core/call.js';
export type { ChangesOptions, Polling } from './core/changes.js';
export type { Download, DownloadOptions, ListedFile } from './core/files/download.js';
export type { PendingFile, PendingOptions, Receiving } from './core/files/pending.js';
export type { Upload, UploadContent } from './core/files/upload.js';
export type { Logger, LogLevel } from './core/log.js';
export { networkErrorOf } from './core/network-error-of.js';
export type { Page, PageRecords } from './core/page.js';
export { isTemporary, seemsRefused } from './core/retry-delay.js';
export { type ClientOptions, createClient, encodePassword } from './create-client.js';
export * from './errors.js';
export type * from './generated/models.gen.js';
