import { sqlMigration } from './migration.js';

const schema = `
alter table users add column token_version integer not null default 1;
comment on column users.token_version is
  'ID tokens carry it, and one with another version is refused (D-20)';

create function end_id_tokens() returns trigger language plpgsql as $$
begin
  new.token_version := old.token_version + 1;
  return new;
end $$;
create trigger end_id_tokens before update of password_hash, disabled_on on users
  for each row execute function end_id_tokens();

alter table api_keys
  add column old_hash bytea unique check (octet_length(old_hash) = 32),
  add column old_hint text,
  add column old_until timestamptz(3),
  add check (num_nulls(old_hash, old_hint, old_until) in (0, 3));
comment on column api_keys.old_hash is
  'SHA-256 of the secret before the last rotation, which works until old_until (D-35)';
`;

/** The version of a user's ID tokens, and the old secret of an API key that was rotated. */
export const credentials = sqlMigration('0012-credentials', schema);
