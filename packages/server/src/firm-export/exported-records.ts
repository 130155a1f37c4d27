import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { entryColumns, type StoredEntry } from '../audit/audit-store.js';
import { toEntry } from '../audit/visible-entries.js';
import {
  type CustomerRecord,
  customerColumnsOf,
  toCustomer,
} from '../customers/customer-record.js';
import {
  type MandateRow,
  mandateColumns,
  namesOfMandate,
  toMandate,
} from '../mandates/mandate-record.js';

const PAGE = 500;

/** @param sql - the query of a page by ids, with `firmId`, `after` (an id) and `limit` */
async function* readAll<Row extends { readonly id: string | number }>(
  knex: Knex,
  firmId: string,
  sql: string,
): AsyncGenerator<Row> {
  let after: string | number = '';
  for (;;) {
    const { rows }: { rows: Row[] } = await knex.raw(sql, { firmId, after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

async function* mapped<Row>(
  rows: AsyncIterable<Row>,
  toJson: (row: Row) => object,
): AsyncGenerator<object> {
  for await (const row of rows) yield toJson(row);
}

/** A customer with its transfer (D-48) and former names (D-63), which no call shows. */
type ExportedCustomer = CustomerRecord & {
  readonly archived_on: Date | null;
  readonly transferred_to: string | null;
  readonly transfer_agreed_by: string | null;
  readonly former_names: readonly string[];
};

const customers = `
        select ${customerColumnsOf(':firmId')}, c.archived_on, c.transferred_to, c.transfer_agreed_by,
               array(select n.name from former_names n
                      where n.firm_id = c.firm_id and n.customer_id = c.id order by n.name) as former_names
          from customers c where c.firm_id = :firmId and c.id > :after order by c.id limit :limit`;

const customerJson = (row: ExportedCustomer) => ({
  ...toCustomer(row),
  archivedOn: row.archived_on,
  // If the customer gave way to another firm, its former firm does not learn to which one (D-66).
  transferredTo: row.transfer_agreed_by === null ? null : row.transferred_to,
  transferAgreedBy: row.transfer_agreed_by,
  formerNames: row.former_names,
});

type ExportedMandate = MandateRow & {
  readonly closed_on: Date | null;
  readonly signature_request_id: string | null;
  readonly history: readonly object[];
};

const mandates = `
        select ${mandateColumns}, m.closed_on, m.signature_request_id,
               (select coalesce(json_agg(json_build_object('from', h.from_status, 'to', h.to_status,
                         'trigger', h.trigger, 'actor', h.actor, 'actorId', h.actor_id,
                         'happenedOn', h.happened_on) order by h.id), '[]')
                  from mandate_history h
                 where h.mandate_id = m.id and h.firm_id = :firmId) as history
          from (select * from mandates where firm_id = :firmId and id > :after
                 order by id limit :limit) m
          join customers c on c.id = m.customer_id and c.firm_id = :firmId ${namesOfMandate}
         order by m.id`;

const mandateJson = ({ closed_on, signature_request_id, history, ...row }: ExportedMandate) => ({
  ...toMandate(row),
  closedOn: closed_on,
  signatureRequestId: signature_request_id,
  history,
});

/** The users, without passwords. */
const users = `
        select u.id, u.username, u.access_level as "accessLevel", u.sees_customers as "seesCustomers",
               u.created_on as "createdOn", u.disabled_on as "disabledOn",
               array(select a.customer_id from user_customers a
                      where a.user_id = u.id and a.firm_id = :firmId order by 1) as "customerIds"
          from users u where u.firm_id = :firmId and u.id > :after order by u.id limit :limit`;

/** The signature requests, without signing URLs. */
const requests = `
        select r.id, r.customer_id as "customerId", r.created_on as "createdOn", r.sent_on as "sentOn",
               r.sent_to as "sentTo", r.expires_on as "expiresOn", r.answer,
               r.answered_on as "answeredOn", r.signer_name as "signerName",
               array(select a.mandate_id from asked_mandates a
                      where a.request_id = r.id and a.firm_id = r.firm_id order by 1) as "mandateIds"
          from signature_requests r
         where r.firm_id = :firmId and r.id > :after order by r.id limit :limit`;

/** The evidence, also of erased customers. The hash is that of `content`. */
const evidence = `
        (select e.request_id as id, r.customer_id as "customerId", e.content,
                encode(e.sha256, 'hex') as sha256
           from signature_evidence e
           join signature_requests r on r.id = e.request_id and r.firm_id = e.firm_id
          where r.firm_id = :firmId and r.id > :after order by r.id limit :limit)
         union all
        (select k.request_id, k.customer_id, k.content, encode(k.sha256, 'hex')
           from kept_evidence k
          where k.firm_id = :firmId and k.request_id > :after order by k.request_id limit :limit)
         order by id limit :limit`;

const uploads = `
        select u.id, u.product, u.status, u.object_key as key, u.etag, u.size,
               u.received_on as "receivedOn", u.settled_on as "settledOn", u.findings,
               g.user_id as "userId", g.api_key_id as "apiKeyId"
          from uploads u join upload_grants g on g.id = u.grant_id and g.firm_id = u.firm_id
         where g.firm_id = :firmId and u.id > :after order by u.id limit :limit`;

const missing = `
        select m.id, m.customer_id as "customerId", m.iban, m.currency, m.kind,
               m.from_number as "fromNumber", m.to_number as "toNumber", m.after_date as after,
               m.before_date as before, m.detected_on as "detectedOn", m.closed_on as "closedOn"
          from missing_statements m join customers c on c.id = m.customer_id and c.firm_id = m.firm_id
         where c.firm_id = :firmId and m.id > :after order by m.id limit :limit`;

const auditEntries = `
        select ${entryColumns} from audit_entries e
         where e.firm_id = :firmId and e.id > coalesce(nullif(:after::text, ''), '0')::bigint
         order by e.id limit :limit`;

/** Returns the records by the name of their file. */
export function recordsOf(
  knex: Knex,
  firmId: string,
): Readonly<Record<string, AsyncGenerator<object>>> {
  return {
    'users.jsonl': readAll(knex, firmId, users),
    'customers.jsonl': mapped(readAll<ExportedCustomer>(knex, firmId, customers), customerJson),
    'mandates.jsonl': mapped(readAll<ExportedMandate>(knex, firmId, mandates), mandateJson),
    'signature-requests.jsonl': readAll(knex, firmId, requests),
    'evidence.jsonl': readAll(knex, firmId, evidence),
    'uploads.jsonl': readAll(knex, firmId, uploads),
    'missing-statements.jsonl': readAll(knex, firmId, missing),
    'audit-entries.jsonl': mapped(readAll<StoredEntry>(knex, firmId, auditEntries), toEntry),
  };
}

export interface ExportedFile {
  readonly id: string;
  readonly customerId: string;
  readonly product: Product;
  readonly isPrinted: boolean;
  /** The other fields of the record. */
  readonly [field: string]: unknown;
}

const files = `
        select f.id, f.customer_id as "customerId", f.product, f.file_name as "fileName",
               f.statement_number as "statementNumber", f.statement_date as "statementDate",
               f.processed_on as "processedOn", f.upload_id as "uploadId", u.sender,
               f.is_delivered as "isDelivered", f.iban, f.currency,
               f.payroll_provider as "payrollProvider", f.account_period as "accountPeriod",
               (select coalesce(json_agg(json_build_object('userId', w.user_id, 'apiKeyId', w.api_key_id)
                                         order by w.user_id, w.api_key_id), '[]')
                  from acknowledged_arrivals w
                 where w.firm_id = f.firm_id and w.customer_id = f.customer_id
                   and w.product = f.product
                   and (f.arrival <= w.up_to or exists (
                          select from file_acknowledgements a
                           where a.api_key_id = w.api_key_id and a.user_id = w.user_id
                             and a.firm_id = w.firm_id and a.customer_id = w.customer_id
                             and a.product = w.product and a.arrival = f.arrival)))
                 as acknowledgements,
               not exists (select from unprinted_files p
                            where p.file_id = f.id and p.firm_id = f.firm_id
                              and p.status <> 'present') as "isPrinted"
          from files f
          left join uploads u on u.id = f.upload_id and u.firm_id in (f.firm_id, '')
         where f.firm_id = :firmId and f.id > :after order by f.id limit :limit`;

export function filesOf(knex: Knex, firmId: string): AsyncGenerator<ExportedFile> {
  return readAll(knex, firmId, files);
}
