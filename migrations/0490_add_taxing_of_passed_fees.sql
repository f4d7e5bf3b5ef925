-- A delivery fee that an integrator passes through is added to the total and bears no tax, unless the shop says that it charges such
-- fees itself.

-- expand: a default; the former release taxes these fees until it ends
alter table organizations add column tax_pass_through_fees boolean not null default false;
