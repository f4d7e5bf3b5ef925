-- Requests that are answered in the order they came in, as those of a menu are, have consecutive numbers. Their offsets, the
-- numbers from 0 on, were most of such a row, and nearly half of what it took to store it: now they are left out.

alter table api_request_batches
  drop constraint api_request_batches_have_ids,
  add constraint api_request_batches_have_ids check (
    (first_request_number is null) = (request_id_head is null)
    and (request_id_head is not null or cardinality(request_ids) = request_count)
    and (request_number_offsets is null
         or request_id_head is not null and cardinality(request_number_offsets) = request_count));
