import { sqlMigration } from './migration.js';

const schema = `
alter table asked_mandates add column is_declined boolean not null default false;
comment on column asked_mandates.is_declined is
  'true if the contact signed others of the request and excluded this one';
`;

/** Mandates that a signer declined while signing others. */
export const excludedMandates = sqlMigration('0036-excluded-mandates', schema);
