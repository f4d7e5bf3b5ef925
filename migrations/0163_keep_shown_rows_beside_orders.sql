-- What lists show of an order is made of its own row, which says most of it, and of what its lines, taxes, payments … show, packed
-- without the names of members and beside the order: a step of an order's life changes its own row, but seldom these.
-- `document` stays on orders that no write has touched since; the next change of such an order takes it away.
alter table orders alter column document drop not null;
alter table order_explanations add column shown_rows text;
-- Null: the order is older than explanations.
alter table order_explanations alter column steps drop not null;
-- Packed texts are short: compressing them takes more time than it saves space. Room for one change in each page.
alter table order_explanations set (toast_tuple_target = 8160, fillfactor = 70);
