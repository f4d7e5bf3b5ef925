-- Erasure reaches the words that people typed about a customer; what else these histories say still never changes.
grant update (reason) on loyalty_events to dispensary_app;
grant update (reason) on order_return_lines to dispensary_app;

-- The ids of records that a kept reply shows: the reply itself is encrypted, and goes when such a record's data is erased.
alter table idempotency_keys add column about bigint[];
