-- Work that entered each organization to look whether there is some asks once for all of them: checksums every five minutes, former
-- sandboxes each hour, photos each day.

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['package_changes', 'product_options', 'products', 'record_changes', 'record_sum_states',
                                      'sandboxes'] loop
    if not exists (select from pg_policy where polrelid = tenant_table::regclass and polname = 'operator') then
      execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
    end if;
  end loop;
end
$$;

-- expand: it answers what it answered before, and further kinds
create or replace function organizations_with_work(work text, before timestamptz) returns table (id bigint)
  language sql stable as $$
  select o.id from organizations o
   where case work
     when 'idempotency_keys' then exists (
       select from idempotency_keys k where k.organization_id = o.id and k.created_at < before)
     when 'outbox_events' then exists (
       select from outbox_events e where e.organization_id = o.id and e.position is null and e.announced is not null)
       or before > (select e.created_at from outbox_events e
                     where e.organization_id = o.id and e.position is not null order by e.position limit 1)
     when 'report_changes' then exists (select from report_changes c where c.organization_id = o.id)
       or not exists (select from report_states s where s.organization_id = o.id and s.counted_from = '-infinity'
                         and s.time_zone = o.tz)
       or exists (select from sales_sums f join report_states s on s.organization_id = f.organization_id
                   where f.organization_id = o.id and f.generation < s.generation)
     when 'product_stock_changes' then exists (select from product_stock_changes c where c.organization_id = o.id)
     when 'former_sandboxes' then exists (
       select from sandboxes s where s.organization_id = o.id and s.ended_at < before)
     when 'product_photos' then exists (
       select from product_photos h
        where h.organization_id = o.id and h.location like '/%' and h.byte_count is null)
       or exists (
       select from product_photos h
         left join product_options v on v.organization_id = h.organization_id and v.id = h.product_option_id
         join products p on p.organization_id = h.organization_id and p.id = coalesce(h.product_id, v.product_id)
        where h.organization_id = o.id and (p.deleted_at < before or v.deleted_at < before))
   end
   order by o.id
$$;

-- Which organizations have a collection without sums, or changes that its sums lack.
create function organizations_with_unsummed(collections text[]) returns table (id bigint) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select o.id from organizations o
      left join (select s.organization_id, count(*) as known from record_sum_states s
                  where s.collection = any(collections) group by s.organization_id) k on k.organization_id = o.id
     where coalesce(k.known, 0) < cardinality(collections)
    union
    select c.organization_id from record_changes c
    union
    select g.organization_id from package_changes g where g.summed_at is distinct from g.changed_at;
end $$;
-- expand: the function is new
revoke execute on function organizations_with_unsummed(text[]) from public;
