-- Where owners are to be told of keys that end within so many days: one statement for any number of organizations, on the owner's
-- connection.
create function organizations_with_ending_keys(at timestamptz, days integer) returns table (id bigint)
  language sql stable as $$
  select distinct k.organization_id from client_keys k
   where k.revoked_at is null and k.end_told_at is null and k.expires_at > at
     and k.expires_at <= at + make_interval(days => days) and k.created_at < k.expires_at - make_interval(days => days)
$$;
-- expand: the function is new
revoke execute on function organizations_with_ending_keys(timestamptz, integer) from public;
