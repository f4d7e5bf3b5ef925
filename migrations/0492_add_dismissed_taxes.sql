-- A state's preset leaves local taxes to the owner. Each stays a warning until it is set up, or the owner says why it is not due.

-- expand: a default; the former release shows no such warnings
alter table organizations add column left_taxes_dismissed jsonb not null default '[]'
  check (jsonb_typeof(left_taxes_dismissed) = 'array');
