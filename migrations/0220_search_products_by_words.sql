-- Products are found by words in any order, of their name, brand, strain, SKU, options and UPCs, and one wrong letter is
-- forgiven. The tokens say which products can be meant; whether one is, its texts say.

-- The tokens of what is sought: of each line of it. (A line is a word, or a part of one.)
create or replace function sought_tokens() returns integer[] language sql stable parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(substr(said.line, at, size) collate "C",
                                                       current_organization_id()) & 2147483647)::integer), '{}')
    from (select regexp_split_to_table(lower(current_setting('app.sought', true)), E'\n') as line) said,
         least(3, char_length(said.line)) size, generate_series(1, char_length(said.line) - size + 1) at
   where said.line <> ''
$$;

-- What a product is found by, without case, a line for each text: its name first. Codes are those that find it as a whole:
-- each between two line ends. Beside the tokens, whose policy would draw every reading to their index.
create table product_texts (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  created_at timestamptz not null,
  -- For lists by name: without case and accents.
  name_key text collate "C" not null,
  texts text not null,
  codes text not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products
);

-- Lists of stock also have options that were deleted: their names stay among the tokens.
-- An option without a name is found by what menus show: "3.5 grams", and as it is said, "3.5g".
create or replace function note_product_searches(organization bigint, products bigint[]) returns void
  language plpgsql as $$
begin
  with noted as (
    insert into product_texts (organization_id, product_id, created_at, name_key, texts, codes)
    select p.organization_id, p.id, p.created_at, search_key(p.name),
           lower(concat_ws(E'\n', p.name, b.name, p.strain, p.sku, o.texts)),
           lower(concat(E'\n', p.sku, E'\n', o.codes, E'\n'))
      from products p
      left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
      cross join lateral (
        select string_agg(concat_ws(E'\n', o.name,
                            trim_scale(o.amount) || ' ' || p.unit || case when o.amount = 1 then '' else 's' end,
                            case p.unit when 'gram' then trim_scale(o.amount) || 'g' end, o.upc), E'\n'
                          order by o.position, o.id) as texts,
               string_agg(o.upc, E'\n' order by o.position, o.id) as codes
          from product_options o
         where o.organization_id = p.organization_id and o.product_id = p.id and o.deleted_at is null) o
     where p.organization_id = organization and p.id = any(note_product_searches.products)
    on conflict (organization_id, product_id) do update
       set name_key = excluded.name_key, texts = excluded.texts, codes = excluded.codes
     where (product_texts.name_key, product_texts.texts, product_texts.codes)
           is distinct from (excluded.name_key, excluded.texts, excluded.codes)
    returning organization_id, product_id, created_at, texts)
  insert into product_searches (organization_id, product_id, created_at, tokens)
  select n.organization_id, n.product_id, n.created_at,
         search_tokens(n.organization_id, variadic string_to_array(n.texts, E'\n') || array(
           select unnest(array[o.name, o.upc]) from product_options o
            where o.organization_id = n.organization_id and o.product_id = n.product_id
              and o.deleted_at is not null))
    from noted n
  on conflict (organization_id, product_id) do update set tokens = excluded.tokens
   where product_searches.tokens is distinct from excluded.tokens;
end
$$;

-- The same tokens as before, each once and without a loop: they are made for every product that is written.
create or replace function search_tokens(organization_id bigint, variadic texts text[]) returns integer[]
  language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(substr(said, at, size) collate "C", organization_id)
                                      & 2147483647)::integer), '{}')
    from unnest(texts) as t(text), lower(t.text) said, generate_series(1, char_length(said)) at,
         generate_series(1, least(3, char_length(said) - at + 1)) size
$$;

-- What there is already, by the owner without the policies.
alter table products no force row level security;
alter table product_options no force row level security;
alter table brands no force row level security;
alter table product_searches no force row level security;
select note_product_searches(organization_id, array_agg(id)) from products group by organization_id;
alter table products force row level security;
alter table product_options force row level security;
alter table brands force row level security;
alter table product_searches force row level security;

create index product_texts_in_order on product_texts (organization_id, created_at desc, product_id desc);
create index product_texts_by_key on product_texts (organization_id, name_key, product_id);
create index product_texts_by_name on product_texts (organization_id, left(texts, 100) text_pattern_ops);

alter table product_texts enable row level security;
alter table product_texts force row level security;
create policy tenant on product_texts using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

drop trigger product_searched_anew on products;
create trigger product_searched_anew after update of name, brand_id, strain, sku, unit on products
  for each row when (old.name is distinct from new.name or old.brand_id is distinct from new.brand_id
                     or old.strain is distinct from new.strain or old.sku is distinct from new.sku
                     or old.unit is distinct from new.unit)
  execute function note_searches_of_product();
drop trigger option_searched_anew on product_options;
create trigger option_searched_anew after update of name, upc, amount, deleted_at on product_options
  for each row when (old.name is distinct from new.name or old.upc is distinct from new.upc
                     or old.amount is distinct from new.amount or old.deleted_at is distinct from new.deleted_at)
  execute function note_searches_of_option();
