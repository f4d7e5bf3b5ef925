-- What limits count of an order (D36), by cannabis type: {"concentrated": "1.5"}. Written with its lines. Null for an order
-- with returns, and for one that no write has touched since this column came: then its lines say it.
alter table orders add column counted_contents jsonb;
