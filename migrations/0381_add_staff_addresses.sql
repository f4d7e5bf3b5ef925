-- Staff sign in and act from these addresses and ranges only (D72); none: from everywhere.
alter table staff_sign_in_rules add column allowed_addresses text[] not null default '{}';
