import { statement } from '../database/statement.ts';

/** What a restored shop has: its number of orders, and the last one. */
export interface OrderSummary {
  orders: number;
  last_number: number | null;
  last_at: string | null;
}

export const selectOrderSummary = statement<Record<never, never>, OrderSummary>(
  'verify_select_order_summary',
  `select count(*)::int as orders, max(number) as last_number, max(created_at) as last_at from orders
    where organization_id = :organizationId`,
);
