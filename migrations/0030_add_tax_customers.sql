-- Whose purchases a tax is charged on, and what the law was read to say of patients, with the owner's decision where it
-- was not known (D35). A tax that was set up by hand has no reading.
alter table taxes
  add column customer_type text not null default 'all' check (customer_type in ('all', 'adult-use', 'medical')),
  add column patients jsonb check (jsonb_typeof(patients) = 'object'),
  -- Carts read this and nothing else of the reading.
  add column patients_undecided boolean not null generated always as (
    coalesce(patients ->> 'rule' = 'not-known' and patients -> 'decision' = 'null'::jsonb, false)
  ) stored;
