/** The exports for other packages of the workspace. */
export { loadConfig } from './config.js';
export { createCustomerStore } from './customers/customer-store.js';
export { createKnex } from './db/knex.js';
export { migrate } from './db/migrate.js';
export { createFileStore } from './files/file-store.js';
export { createApiKeyStore } from './identity/api-keys.js';
export { createFirmStore } from './identity/firms.js';
export { hashPassword } from './identity/passwords.js';
export { createUserStore } from './identity/users.js';
export { createCustomerMandates } from './mandates/customer-mandates.js';
export { createMandateStore } from './mandates/mandate-store.js';
export { createReferenceStore } from './reference/reference-store.js';
export { startService } from './service.js';
export type { Storage } from './storage/open-storage.js';
export { createPresign } from './storage/presign.js';
