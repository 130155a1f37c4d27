-- The sandbox defines these functions in a session of its own, because the service has no commands for them.
-- The worker then runs the jobs that have become due.

-- Moves the past of some mandates back by some days.
create or replace function pg_temp.let_time_pass(mandate_ids text[], days integer) returns void
language sql as $$
  update signature_requests
     set created_on = created_on - days * interval '1 day',
         sent_on = sent_on - days * interval '1 day',
         expires_on = expires_on - days * interval '1 day',
         answered_on = answered_on - days * interval '1 day',
         renews_until = renews_until - days
   where id in (select signature_request_id from mandates where id = any(mandate_ids));
  update outgoing_mails
     set allowed_on = allowed_on - days * interval '1 day',
         sent_on = sent_on - days * interval '1 day'
   where request_id in (select signature_request_id from mandates where id = any(mandate_ids));
  update mandates
     set created_on = created_on - days * interval '1 day', valid_until = valid_until - days
   where id = any(mandate_ids);
  update mandate_history set happened_on = happened_on - days * interval '1 day'
   where mandate_id = any(mandate_ids);
  update graphile_worker._private_jobs set run_at = now()
   where key in (select 'endValidity:' || unnest(mandate_ids)
           union select 'endSigningPeriod:' || signature_request_id
                   from mandates where id = any(mandate_ids));
$$;

-- Delays the messages to the contacts of some customers that have not been sent yet.
create or replace function pg_temp.delay_messages(customer_ids text[], seconds integer) returns void
language sql as $$
  update graphile_worker._private_jobs j set run_at = now() + seconds * interval '1 second'
    from signature_requests r
   where r.customer_id = any(customer_ids)
     and j.key = 'sendMail:' || r.id || '.' || r.delivery;
$$;

-- Moves the past of the whole service back by some seconds.
--
-- Some columns stay: those by which callers follow changes (`updated_on` of mandates, `processed_on` of files),
-- the dates of statements, the evidence of signatures and the audit trail, which never change, signing keys, and the counts and
-- heartbeats of processes that are running.
create or replace function pg_temp.let_all_time_pass(seconds integer) returns void
language plpgsql as $$
declare
  span constant interval := seconds * interval '1 second';
  days constant integer := current_date - (now() - span)::date;
begin
  update api_keys
     set created_on = created_on - span, revoked_on = revoked_on - span, old_until = old_until - span;
  update firms set created_on = created_on - span, disabled_on = disabled_on - span;
  update users set created_on = created_on - span;
  -- Only those: the service ends the ID tokens of users of whom this column is set.
  update users set disabled_on = disabled_on - span where disabled_on is not null;
  update customers set created_on = created_on - span, archived_on = archived_on - span;
  update bank_accounts set created_on = created_on - span, disabled_on = disabled_on - span;
  update customer_payroll_providers
     set created_on = created_on - span, removed_on = removed_on - span;
  update refresh_tokens set created_on = created_on - span, expires_on = expires_on - span;
  update idempotent_answers set created_on = created_on - span;
  update mandates
     set created_on = created_on - span, closed_on = closed_on - span, valid_until = valid_until - days;
  update mandate_history set happened_on = happened_on - span;
  update signature_requests
     set created_on = created_on - span, sent_on = sent_on - span, expires_on = expires_on - span,
         answered_on = answered_on - span, renews_until = renews_until - days;
  update outgoing_mails set allowed_on = allowed_on - span, sent_on = sent_on - span;
  update upload_grants set issued_on = issued_on - span;
  update uploads
     set received_on = received_on - span, settled_on = settled_on - span,
         copy_removed_on = copy_removed_on - span;
  update held_deliveries set held_on = held_on - span;
  update missing_statements set detected_on = detected_on - span, closed_on = closed_on - span;
  update object_removals set remove_after = remove_after - span;
  update graphile_worker._private_jobs set run_at = run_at - span where locked_at is null;
end
$$;
