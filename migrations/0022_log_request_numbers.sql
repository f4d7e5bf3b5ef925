-- The log of requests, cheaper to write. An id of our own is a head, which a process keeps, and a number: a thousand such
-- ids as texts were a third of what it took to store a row. And what is the same for all requests of a row, in the
-- columns from `methods` to `codes`, is from now on a single element that stands for each of them.

alter table api_request_batches
  -- All three, in place of `request_ids`; null where callers have sent ids of their own.
  add column request_id_head text,
  add column first_request_number bigint,
  -- From the first. As numbers of eight bytes they take the database nearly twenty times as long to store.
  add column request_number_offsets integer[],
  add constraint api_request_batches_have_ids check (
    (request_id_head is null) = (request_number_offsets is null)
    and (first_request_number is null) = (request_number_offsets is null)
    and coalesce(cardinality(request_number_offsets), cardinality(request_ids)) = request_count);
