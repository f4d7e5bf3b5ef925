-- What `dispensary verify` asks of tables that it does not know by name. All of them only read. Each runs on the snapshot of the
-- statement that calls it, beside a service that writes.

-- The rows of a table as its pages have them.
create function count_by_table(relation regclass) returns bigint
  language plpgsql stable
  set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off
as $$
declare
  counted bigint;
begin
  execute format('select count(*) from only %s', relation) into counted;
  return counted;
end $$;

-- The same rows as the index of the primary key finds them; null for a table without one. An entry of the index that points to a
-- page that is gone is an error.
create function count_by_index(relation regclass) returns bigint
  language plpgsql stable
  set enable_seqscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
  counted bigint;
  key text;
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place) into key
    from pg_index i
   cross join lateral unnest(i.indkey::smallint[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
   where i.indrelid = relation and i.indisprimary;
  if key is null then return null; end if;
  execute format('select count(*) from (select from only %s order by %s offset 0) r', relation, key) into counted;
  return counted;
end $$;

-- Rows that refer to a row that does not exist, by the key that they refer with; at most 100.
create function broken_references(reference oid) returns setof text
  language plpgsql stable
as $$
declare
  kept pg_constraint;
  own text;
  other text;
  filled text;
begin
  select * into strict kept from pg_constraint where oid = reference and contype = 'f';
  select string_agg(format('t.%I', a.attname), ', ' order by k.place),
         string_agg(format('r.%I', b.attname), ', ' order by k.place),
         string_agg(format('t.%I is not null', a.attname), ' and ')
    into own, other, filled
    from unnest(kept.conkey, kept.confkey) with ordinality k(number, referred, place)
    join pg_attribute a on a.attrelid = kept.conrelid and a.attnum = k.number
    join pg_attribute b on b.attrelid = kept.confrelid and b.attnum = k.referred;
  return query execute format(
    'select concat_ws('' '', %s) from %s t where %s and not exists (select from %s r where (%s) = (%s)) limit 100',
    own, kept.conrelid::regclass, filled, kept.confrelid::regclass, other, own);
end $$;

-- Rows that break a condition of their table, by their primary key; at most 100.
create function broken_conditions(condition oid) returns setof text
  language plpgsql stable
as $$
declare
  kept pg_constraint;
  key text;
begin
  select * into strict kept from pg_constraint where oid = condition and contype = 'c';
  select coalesce(string_agg(format('t.%I', a.attname), ', ' order by k.place), 't.ctid') into key
    from pg_index i
   cross join lateral unnest(i.indkey::smallint[]) with ordinality k(number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
   where i.indrelid = kept.conrelid and i.indisprimary;
  return query execute format('select concat_ws('' '', %s) from only %s t where not (%s) limit 100',
    key, kept.conrelid::regclass, pg_get_expr(kept.conbin, kept.conrelid));
end $$;
