-- concurrently: customers sign in meanwhile. For the job that deletes sessions that have ended.
drop index concurrently if exists customer_sessions_by_end;
create index concurrently customer_sessions_by_end on customer_sessions (organization_id, expires_at);
