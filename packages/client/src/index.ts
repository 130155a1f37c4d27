export type { CallOptions } from './core/call.js';
export type { ChangesOptions, Polling } from './core/changes.js';
export type { Download, DownloadOptions, ListedFile } from './core/files/download.js';
export type { Upload, UploadContent } from './core/files/upload.js';
export type { Page, PageRecords } from './core/page.js';
export { type ClientOptions, createClient, encodePassword } from './create-client.js';
export * from './errors.js';
export type * from './generated/client.gen.js';
export type * from './generated/models.gen.js';
