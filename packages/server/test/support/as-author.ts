import { insertAuditEntries } from '../../src/audit/audit-entry.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import type { Principal } from '../../src/identity/principal.js';
import type { Author } from '../../src/identity/request-context.js';

const apiKeyId = newObjectId();

/** Returns the author of changes that a test makes without a call of the interface. */
export function asAuthor(principal: Principal): Author {
  const { userId, firmId } = principal;
  return {
    principal,
    record: (trx, subject) =>
      insertAuditEntries(trx, [
        {
          ...{ occurredOn: new Date(), actor: 'user', userId, firmId, apiKeyId, ...subject },
          ...{ action: 'test', outcome: 'done' },
        },
      ]),
  };
}
