import type { Knex } from 'knex';

/** An entry before it is stored (D-58). It has ids only: no names and no IBANs. */
export interface NewAuditEntry {
  readonly occurredOn: Date;
  readonly actor: 'user' | 'operator' | 'signer' | 'visitor' | 'service';
  readonly userId?: string | undefined;
  /** The software through which a user called. */
  readonly apiKeyId?: string | undefined;
  readonly operator?: string | undefined;
  /** The firm of the user, or whose data it was. */
  readonly firmId?: string | undefined;
  /** Absent for a call that concerns several customers, such as a list. */
  readonly customerId?: string | undefined;
  /** The mandate, file, upload, signature request, user and so on. */
  readonly objectId?: string | undefined;
  /**
   * An operation of the interface, an operator command, or what was done with a signature request.
   */
  readonly action: string;
  /**
   * `done`; for a command also `begun` or `refused`; for a call also `repeated`, or the code of the
   * error that refused it.
   */
  readonly outcome: string;
  /** The IP address of a user. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Stores entries. In a transaction they are those of its changes, and have its number (D-71). The
 * transaction gets its number before they get ids, by which sealing finds closed gaps.
 */
export async function insertAuditEntries(
  knex: Knex,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  await knex.raw(
    `insert into audit_entries (occurred_on, actor, user_id, api_key_id, operator, firm_id,
                                customer_id, object_id, action, outcome, address, request_id,
                                change)
     select "occurredOn", actor, "userId", "apiKeyId", operator, coalesce("firmId", ''),
            "customerId", "objectId", action, outcome, address, "requestId",
            case when ? then change end
       from pg_current_xact_id() as change, json_to_recordset(?::json) as entry (
              "occurredOn" timestamptz, actor text, "userId" text, "apiKeyId" text, operator text,
              "firmId" text, "customerId" text, "objectId" text, action text, outcome text,
              address text, "requestId" uuid)`,
    [knex.isTransaction === true, JSON.stringify(entries)],
  );
}
