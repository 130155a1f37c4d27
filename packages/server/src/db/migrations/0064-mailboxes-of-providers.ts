import { sqlMigration } from './migration.js';

const schema = `
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    rtrim(lower(address), '.'),
    '([^@])[+][^@]*@', '\\1@'),
    '@googlemail[.]com$', '@gmail.com'),
    '@(me|mac)[.]com$', '@icloud.com'),
    '@(protonmail[.](com|ch)|pm[.]me)$', '@proton.me'),
    '[.](\\?=[^@]*@gmail[.]com$)|[._-](\\?=[^@]*@proton[.]me$)', '', 'g')
$$;
comment on function mailbox_of is
  'the mailbox to which the provider delivers an address (D-36); only for counting mails, never for sending them';
create index request_mails_of_mailbox on request_mails (mailbox_of(address), allowed_on);
drop index request_mails_by_mailbox;

alter table audit_entries drop constraint audit_entries_actor_check;
alter table audit_entries add constraint audit_entries_actor_check
  check (actor in ('user', 'operator', 'signer', 'visitor', 'service')) not valid;
comment on column audit_entries.action is
  'an operation of the interface, an operator command, what was done with a signature request, or that a link gave way';
`;

/** Addresses of one mailbox share its budget of mails, and whoever fetches a signing page is no signer. */
export const mailboxesOfProviders = sqlMigration('0064-mailboxes-of-providers', schema);
