-- Whether the owner has put the list of first steps away. The steps themselves are read from what the shop has.
alter table organizations add column first_steps_hidden boolean not null default false;
