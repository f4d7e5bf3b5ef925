-- Lists of products, packages and stock that are searched by a part of a name, and products by sub-category: tables that an
-- index serves. Behind row-level security PostgreSQL takes a condition to an index only if its operator is leakproof, and
-- none is that looks into a text or an array. A condition of a policy is always taken. So what is sought is a setting of the
-- transaction, and a restrictive policy shows only the rows that can have it.

-- The parts of one, two and three characters that texts have, without case, as numbers that are different in each
-- organization. `hashtextextended` is what hash partitions go by, so it stays as it is from version to version.
create function search_tokens(organization_id bigint, variadic texts text[]) returns integer[]
  language plpgsql immutable parallel safe as $$
declare
  tokens integer[] := '{}';
  said text;
begin
  foreach said in array texts loop
    said := lower(said);
    for at in 1 .. coalesce(char_length(said), 0) loop
      for size in 1 .. least(3, char_length(said) - at + 1) loop
        tokens := tokens
          || (hashtextextended(substr(said, at, size) collate "C", organization_id) & 2147483647)::integer;
      end loop;
    end loop;
  end loop;
  return tokens;
end
$$;

-- The tokens that every text has in which the sought one occurs; none where nothing is sought, and all rows are shown.
create function sought_tokens() returns integer[] language sql stable parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(part collate "C", current_organization_id())
                                      & 2147483647)::integer), '{}')
    from (select lower(current_setting('app.sought', true)) as text) said,
         least(3, char_length(said.text)) size, generate_series(1, char_length(said.text) - size + 1) at,
         substr(said.text, at, size) part
   where part <> '' and position(E'\n' in part) = 0
$$;

-- Of a product: its name, its brand's, and names and UPCs of its options, also of deleted ones. With the time by which
-- products are listed.
create table product_searches (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  created_at timestamptz not null,
  tokens integer[] not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products
);
-- Of a package: its label and the names of its product, here and on the manifest.
create table package_searches (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  tokens integer[] not null,
  primary key (organization_id, package_id),
  foreign key (organization_id, package_id) references packages
);
-- The products of a sub-category that are not deleted, in the order of the list.
create table sub_category_products (
  organization_id bigint not null references organizations,
  sub_category_id bigint not null,
  created_at timestamptz not null,
  product_id bigint not null,
  primary key (organization_id, sub_category_id, created_at, product_id),
  foreign key (organization_id, product_id) references products
);

create index packages_of_product on packages (organization_id, product_id);
create index stock_balances_of_package on stock_balances (organization_id, package_id);

-- What the triggers below do. In a language whose plans are kept: planning it took longer than the work.
create function note_product_searches(organization bigint, products bigint[]) returns void language plpgsql as $$
begin
  insert into product_searches (organization_id, product_id, created_at, tokens)
  select p.organization_id, p.id, p.created_at,
         search_tokens(p.organization_id, variadic array[p.name, b.name] || array(
           select unnest(array[o.name, o.upc]) from product_options o
            where o.organization_id = p.organization_id and o.product_id = p.id))
    from products p
    left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
   where p.organization_id = organization and p.id = any(note_product_searches.products)
  on conflict (organization_id, product_id) do update set tokens = excluded.tokens
   where product_searches.tokens is distinct from excluded.tokens;
end
$$;
create function note_package_searches(organization bigint, packages bigint[]) returns void language plpgsql as $$
begin
  insert into package_searches (organization_id, package_id, tokens)
  select k.organization_id, k.id, search_tokens(k.organization_id, k.label, k.external_product_name, p.name)
    from packages k
    left join products p on p.organization_id = k.organization_id and p.id = k.product_id
   where k.organization_id = organization and k.id = any(note_package_searches.packages)
  on conflict (organization_id, package_id) do update set tokens = excluded.tokens
   where package_searches.tokens is distinct from excluded.tokens;
end
$$;

-- What there is already: one pass over each table, before the indexes, by the owner without the policies.
alter table products no force row level security;
alter table product_options no force row level security;
alter table brands no force row level security;
alter table packages no force row level security;
insert into product_searches (organization_id, product_id, created_at, tokens)
select p.organization_id, p.id, p.created_at,
       search_tokens(p.organization_id, variadic array[p.name, b.name] || o.texts)
  from products p
  left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
  left join (select organization_id, product_id, array_agg(name) || array_agg(upc) as texts
               from product_options group by organization_id, product_id) o
    on o.organization_id = p.organization_id and o.product_id = p.id;
insert into package_searches (organization_id, package_id, tokens)
select k.organization_id, k.id, search_tokens(k.organization_id, k.label, k.external_product_name, p.name)
  from packages k
  left join products p on p.organization_id = k.organization_id and p.id = k.product_id;
insert into sub_category_products (organization_id, sub_category_id, created_at, product_id)
select distinct p.organization_id, s.id, p.created_at, p.id
  from products p, unnest(p.sub_category_ids) as s(id)
 where p.deleted_at is null;
alter table products force row level security;
alter table product_options force row level security;
alter table brands force row level security;
alter table packages force row level security;

-- New entries wait in a list that each search reads: a short one.
create index product_searches_by_token on product_searches using gin (tokens) with (gin_pending_list_limit = 256);
create index package_searches_by_token on package_searches using gin (tokens) with (gin_pending_list_limit = 256);

alter table product_searches enable row level security;
alter table product_searches force row level security;
create policy tenant on product_searches using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
create policy sought on product_searches as restrictive for select using (tokens @> (select sought_tokens()));
alter table package_searches enable row level security;
alter table package_searches force row level security;
create policy tenant on package_searches using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
create policy sought on package_searches as restrictive for select using (tokens @> (select sought_tokens()));
alter table sub_category_products enable row level security;
alter table sub_category_products force row level security;
create policy tenant on sub_category_products using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Kept by the writes of names, which are rare; what an order changes fires none of these.
create function note_searches_of_product() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array[new.id]);
  if old.name is distinct from new.name then
    perform note_package_searches(new.organization_id, array(
      select k.id from packages k where k.organization_id = new.organization_id and k.product_id = new.id));
  end if;
  return null;
end
$$;
create function note_searches_of_products() returns trigger language plpgsql as $$
begin
  perform note_product_searches(p.organization_id, p.products)
     from (select organization_id, array_agg(id) as products from added group by organization_id) p;
  return null;
end
$$;
create trigger products_searched after insert on products
  referencing new table as added for each statement execute function note_searches_of_products();
create trigger product_searched_anew after update of name, brand_id on products
  for each row when (old.name is distinct from new.name or old.brand_id is distinct from new.brand_id)
  execute function note_searches_of_product();

create function note_searches_of_brand() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array(
    select p.id from products p where p.organization_id = new.organization_id and p.brand_id = new.id));
  return null;
end
$$;
create trigger brand_searched_anew after update of name on brands
  for each row when (old.name is distinct from new.name) execute function note_searches_of_brand();

-- All options of a product come in one statement, mostly.
create function note_searches_of_options() returns trigger language plpgsql as $$
begin
  perform note_product_searches(o.organization_id, o.products)
     from (select organization_id, array_agg(distinct product_id) as products from added group by organization_id) o;
  return null;
end
$$;
create trigger options_searched after insert on product_options
  referencing new table as added for each statement execute function note_searches_of_options();
create function note_searches_of_option() returns trigger language plpgsql as $$
begin
  perform note_product_searches(new.organization_id, array[new.product_id]);
  return null;
end
$$;
create trigger option_searched_anew after update of name, upc on product_options
  for each row when (old.name is distinct from new.name or old.upc is distinct from new.upc)
  execute function note_searches_of_option();

create function note_searches_of_package() returns trigger language plpgsql as $$
begin
  perform note_package_searches(new.organization_id, array[new.id]);
  return null;
end
$$;
create function note_searches_of_packages() returns trigger language plpgsql as $$
begin
  perform note_package_searches(k.organization_id, k.packages)
     from (select organization_id, array_agg(id) as packages from added group by organization_id) k;
  return null;
end
$$;
create trigger packages_searched after insert on packages
  referencing new table as added for each statement execute function note_searches_of_packages();
create trigger package_searched_anew after update of label, external_product_name, product_id on packages
  for each row when (old.label is distinct from new.label or old.product_id is distinct from new.product_id
                     or old.external_product_name is distinct from new.external_product_name)
  execute function note_searches_of_package();

create function note_sub_categories_of_product() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from sub_category_products
     where organization_id = new.organization_id and sub_category_id = any(old.sub_category_ids)
       and created_at = old.created_at and product_id = new.id;
  end if;
  insert into sub_category_products (organization_id, sub_category_id, created_at, product_id)
  select distinct new.organization_id, s.id, new.created_at, new.id from unnest(new.sub_category_ids) as s(id)
   where new.deleted_at is null;
  return null;
end
$$;
create trigger product_in_sub_categories after insert on products
  for each row when (new.sub_category_ids <> '{}') execute function note_sub_categories_of_product();
create trigger product_in_other_sub_categories after update of sub_category_ids, deleted_at on products
  for each row when (old.sub_category_ids is distinct from new.sub_category_ids
                     or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_sub_categories_of_product();
