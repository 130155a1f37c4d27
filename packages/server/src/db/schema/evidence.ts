/** The evidence of signatures, also of customers that were erased. */
export const evidence = `
create table signature_evidence (
  request_id text not null,
  firm_id text not null,
  content text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (request_id, firm_id),
  foreign key (request_id, firm_id) references signature_requests (id, firm_id) on delete cascade
);
comment on table signature_evidence is
  'what was shown and answered, when and by whom; rows never change (D-37)';
comment on column signature_evidence.content is 'JSON, exactly as it was hashed';
comment on column signature_evidence.sha256 is 'of content in UTF-8, also sent to signer and firm';

create table kept_evidence (
  request_id text not null,
  firm_id text not null,
  customer_id text not null,
  mandate_ids text[] not null,
  content text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  ended_on timestamptz(3) not null,
  primary key (request_id, firm_id)
);
comment on table kept_evidence is
  'evidence of erased customers, until its retention ends (D-63), so without foreign keys';
comment on column kept_evidence.ended_on is 'when the last mandate that it covers ended';
create index kept_evidence_ended_on on kept_evidence (ended_on);
create index kept_evidence_of_firm on kept_evidence (firm_id, request_id);

create function require_evidence() returns trigger language plpgsql as $$
begin
  if not exists (select from signature_evidence
                  where request_id = new.id and firm_id = new.firm_id) then
    raise 'an answer needs evidence (D-37)';
  end if;
  return new;
end $$;

create trigger require_evidence before update of answer on signature_requests
  for each row when (old.answer is null and new.answer is not null)
  execute function require_evidence();

create function keep_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    if not exists (select from signature_requests) then
      return null;
    end if;
  elsif tg_op = 'DELETE' and not exists (select from signature_requests
                                          where id = old.request_id and firm_id = old.firm_id) then
    return old;
  end if;
  raise 'evidence never changes, and is deleted only with its request (D-37)';
end $$;

create trigger keep_all_evidence after truncate on signature_evidence
  for each statement execute function keep_evidence();

create trigger keep_evidence before delete or update on signature_evidence
  for each row execute function keep_evidence();

create function keep_erased_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('adx.removes_evidence', true) = 'yes' then
    return old;
  end if;
  raise 'evidence never changes, and is deleted only when its retention ends (D-63)';
end $$;

create trigger keep_all_erased_evidence before truncate on kept_evidence
  for each statement execute function keep_erased_evidence();

create trigger keep_erased_evidence before delete or update on kept_evidence
  for each row execute function keep_erased_evidence();
`;
