-- A batch of requests with many ids has one row for them, in place of a row for each.
-- A Bloom filter, as api-request-marks.ts writes and reads it; null: the mark stands for what its text says.
alter table api_request_marks add column ids bytea;
