import { sqlMigration } from './migration.js';

const schema = `
create table api_usage (
  day         date not null,
  api_key_id  text not null references api_keys,
  operation   text not null check (operation <> ''),
  field       text not null,
  value       text not null check (value = '' or field <> ''),
  calls       bigint not null check (calls > 0),
  primary key (day, api_key_id, operation, field, value)
);
comment on table api_usage is
  'how often an API key used an operation, a field of its request or a value of an enumeration, on a day in UTC (D-41)';
comment on column api_usage.operation is 'operationId of the spec';
comment on column api_usage.field is 'name in the spec, such as body.address.street2; empty for the operation itself';
comment on column api_usage.value is 'value of an enumeration of the spec as JSON, such as "nl"; empty for the field itself';
`;

/** Counts of what API keys use (D-41). */
export const apiUsage = sqlMigration('0028-api-usage', schema);
