import { sqlMigration } from './migration.js';

const schema = `
create table idempotent_answers (
  api_key_id text not null references api_keys,
  user_id text not null references users,
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  answer text not null,
  created_on timestamptz not null,
  primary key (api_key_id, user_id, key_hash)
);
comment on table idempotent_answers is
  'what calls with an Idempotency-Key returned, for 24 hours, written in the transaction of their effect (D-43)';
comment on column idempotent_answers.key_hash is 'SHA-256 of the key';
comment on column idempotent_answers.fingerprint is 'SHA-256 of operation, path, query and body';
comment on column idempotent_answers.answer is 'the body of the response as JSON, in the order in which it was sent';

create index idempotent_answers_by_age on idempotent_answers (created_on);
`;

/** Answers of calls that their callers may repeat (D-43). */
export const idempotentAnswers = sqlMigration('0029-idempotent-answers', schema);
