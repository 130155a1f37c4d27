import { sqlMigration } from './migration.js';

const schema = `
alter table mandates add column renewal_status text
  check (renewal_status in ('renewalOffered', 'renewalDeclined', 'renewalUndeliverable'));
comment on column mandates.renewal_status is
  'where a consent stands in the lifecycle that is finished and whose renewal was offered (D-24)';
create index mandates_to_renew on mandates (valid_until)
  where closed_on is null and status = 'finished' and renewal_status is null and valid_until is not null;

alter table signature_requests add column renews_until date;
comment on column signature_requests.renews_until is
  'last day of the consents that it renews, after which it cannot be answered; null for other requests';
comment on column signature_requests.expires_on is
  '30 days after it was sent first, or the end of the consents that it renews';
`;

/** The renewal of consents before they end. */
export const renewals = sqlMigration('0035-renewals', schema);
