import { statement } from '../../platform/statements/statement.ts';

/** What a restored shop has: its number of orders, and the last one. */
export interface OrderSummary {
  orders: number;
  last_number: number | null;
  /** In milliseconds since the epoch. */
  last_at_ms: number | null;
}

export const selectOrderSummary = statement<Record<never, never>, OrderSummary>(
  'verify_select_order_summary',
  `select count(*)::int as orders, max(number) as last_number,
          floor(extract(epoch from max(created_at)) * 1000)::bigint as last_at_ms
     from orders
    where organization_id = :organizationId`,
);
