export type { CallOptions } from './core/call.js';
export type { ChangesOptions, Polling } from './core/changes.js';
export { encodePassword } from './core/encode-password.js';
export type { Page, PageRecords } from './core/page.js';
export { type ClientOptions, createClient } from './create-client.js';
export * from './errors.js';
export type * from './generated/client.gen.js';
export type * from './generated/models.gen.js';
