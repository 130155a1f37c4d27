import { sqlMigration } from './migration.js';

const schema = `
alter table signature_requests add column last_failure text;
comment on column signature_requests.failed_sendings is 'number of failures to send it to the present address';
comment on column signature_requests.last_failure is 'why the last of them failed, for the operator; without addresses';
comment on column signature_requests.delivery is
  'number of the address it is sent to, from 1; links that were sent to an earlier address no longer work (D-14)';
`;

/** The reason why a signature request could not be sent. */
export const lastFailure = sqlMigration('0009-last-failure', schema);
