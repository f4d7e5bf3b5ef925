-- D59: the trace of the write that an event tells of, for webhooks (W3C Trace Context). A write that is traced says so for its
-- transaction. No part of what readers of events are shown.
alter table outbox_events
  add column traceparent text default nullif(current_setting('app.traceparent', true), '');
