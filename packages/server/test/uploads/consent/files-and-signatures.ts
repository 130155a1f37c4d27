import { customersWithVisibleFiles, type Principal } from '../../../src/identity/principal.js';
import type { Uploads } from '../set-up-uploads.js';

interface ListedFile {
  readonly id: string;
  readonly customer_id: string;
  readonly firm_id: string;
  readonly file_name: string;
  readonly hash: string;
  readonly source: string;
  readonly grant_firm_id: string | null;
  /** True if an open mandate for it was signed, and has not ended or been requested again since. */
  readonly is_signed: boolean;
  /**
   * True if only one firm ever had the account or enterprise number, and nothing was delivered for
   * it before, or its bank or provider confirmed such a mandate.
   */
  readonly is_confirmed: boolean;
}

/**
 * Returns the listed files. `is_signed` and `is_confirmed` depend on the history of mandates and on
 * rows of accounts and customers only.
 *
 * @param releasedLink - the link for which the operator has just released a delivery
 * @param deliveredFirst - the accounts, and the enterprise numbers with a provider, that no firm
 *   had when something was delivered for them
 */
export async function listedFiles(
  { knex }: Uploads,
  releasedLink: string | undefined,
  deliveredFirst: ReadonlySet<string>,
): Promise<readonly ListedFile[]> {
  const ofMandate = `m.customer_id = f.customer_id and m.product = f.product
                       and case when :releasedLink::text is not null
                                then coalesce(m.bank_account_id, m.payroll_link_id) = :releasedLink
                                else m.iban = f.iban or m.payroll_provider_code = u.sender end
                       and m.closed_on is null`;
  const { rows } = await knex.raw<{ rows: ListedFile[] }>(
    `select f.id, f.customer_id, f.firm_id, f.file_name, encode(f.content_hash, 'hex') as hash,
            u.source, g.firm_id as grant_firm_id,
            exists (select from mandates m
                      join mandate_history signed on signed.mandate_id = m.id
                     where ${ofMandate}
                       and signed.trigger = 'signed'
                       and not exists (select from mandate_history later
                                        where later.mandate_id = m.id and later.id > signed.id
                                          and (later.trigger in ('bankRefused', 'providerRefused',
                                                                 'validityEnded')
                                            or later.trigger = 'requested'
                                               and later.to_status = 'created'))
                   ) as is_signed,
            not exists (select from customers own
                          join customers other on other.firm_id <> own.firm_id
                          left join bank_accounts a on a.customer_id = other.id
                         where own.id = f.customer_id
                           and case f.product when 'CODA' then a.iban = f.iban
                                    else other.enterprise_number = own.enterprise_number end)
              and not exists (select from mandates m
                               where ${ofMandate}
                                 and coalesce(m.iban, m.enterprise_number || ' ' || m.payroll_provider_code)
                                     = any(:deliveredFirst))
            or exists (select from mandates m
                         join mandate_history h on h.mandate_id = m.id and h.actor = 'operator'
                                               and h.trigger in ('bankConfirmed', 'fileReceived')
                        where ${ofMandate}) as is_confirmed
       from files f
       join uploads u on u.id = f.upload_id
       left join upload_grants g on g.id = u.grant_id`,
    { releasedLink: releasedLink ?? null, deliveredFirst: [...deliveredFirst] },
  );
  return rows;
}

/** Returns the ids of the files that a user may see, in order. */
export async function filesOf({ knex }: Uploads, principal: Principal): Promise<string[]> {
  const visible = customersWithVisibleFiles(principal);
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select f.id from files f join customers c on c.id = f.customer_id
      where ${visible.sql} order by f.id collate "C"`,
    [...visible.bindings],
  );
  return rows.map(({ id }) => id);
}

/** Returns the content hashes of all listed and held documents. */
export async function hashesOf({ knex }: Uploads): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { hash: string }[] }>(
    `select encode(content_hash, 'hex') as hash from files
      union select encode(content_hash, 'hex') from held_deliveries`,
  );
  return new Set(rows.map(({ hash }) => hash));
}
