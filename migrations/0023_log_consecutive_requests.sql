-- Of one key that asks a lot, the requests of a row have consecutive numbers, as a rule. Their offsets, the numbers from 0
-- on, were then most of the row, and nearly half of what it took to store it: left out, they say so.

alter table api_request_batches
  drop constraint api_request_batches_have_ids,
  add constraint api_request_batches_have_ids check (
    (first_request_number is null) = (request_id_head is null)
    and (request_number_offsets is null or request_id_head is not null)
    and case when request_id_head is null then cardinality(request_ids)
             else coalesce(cardinality(request_number_offsets), request_count) end = request_count);
