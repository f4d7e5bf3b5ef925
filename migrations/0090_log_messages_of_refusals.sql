-- The message of each refusal, as api-request-message.ts keeps it, and why keys were refused that belong to the organization.
-- Null: a batch without any, as all that were logged before.
alter table api_request_batches
  add column messages text[],
  add column key_problems text[];
