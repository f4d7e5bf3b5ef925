-- A link that sets a password: an owner's invitation, or what a member who forgot the password asked for by mail (D70). Asking
-- for one must not end an open invitation, so they are told apart.
alter table staff_invitations add column is_reset boolean not null default false;
