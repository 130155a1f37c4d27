-- Moves the past of some mandates back by some days. The sandbox defines this function in its own
-- session, because the service has no command for it. The worker then runs the jobs that have become due.
create or replace function pg_temp.let_time_pass(mandate_ids text[], days integer) returns void
language sql as $$
  update signature_requests
     set created_on = created_on - days * interval '1 day',
         sent_on = sent_on - days * interval '1 day',
         expires_on = expires_on - days * interval '1 day',
         answered_on = answered_on - days * interval '1 day',
         renews_until = renews_until - days
   where id in (select signature_request_id from mandates where id = any(mandate_ids));
  update request_mails
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
     and j.key = 'sendSignatureRequest:' || r.id || ':' || r.delivery;
$$;
