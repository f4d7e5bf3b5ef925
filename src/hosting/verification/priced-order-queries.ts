import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { TaxBasis } from '../../engines/goods/tax-basis.ts';
import type { TaxTier, TaxType } from '../../engines/pricing/pricing-facts.ts';
import { statement } from '../../platform/statements/statement.ts';
import { inRange, type OrderRange } from './data-check.ts';

/** What the pricing engine needs to tax a stored order again, and what it had come to. */

type RangeParameters = { [Key in keyof OrderRange]: string };

export interface PricedOrderRow {
  id: string;
  number: number | null;
  tax_exempt: boolean;
  due_cents: number;
  delivery_fee_cents: number | null;
  delivery_fee_description: string | null;
  customer_grand_total_cents: number;
  total_price_cents: number;
  is_unproven: boolean;
  /** What limits count of it, by cannabis type. */
  counted_contents: Readonly<Record<string, string>>;
  /** What lists and pages show of its rows; null: it is lost. */
  shown_rows: string | null;
}

export const selectPricedOrders = statement<RangeParameters, PricedOrderRow>(
  'verify_select_orders',
  `select o.id::text as id, o.number, o.tax_exempt, o.net_price_cents + coalesce(o.delivery_fee_cents, 0) as due_cents,
          o.delivery_fee_cents, o.delivery_fee_description, o.customer_grand_total_cents, o.total_price_cents,
          o.is_unproven, o.counted_contents, e.shown_rows
     from orders o
     left join order_explanations e on e.organization_id = o.organization_id and e.order_id = o.id
    where o.organization_id = :organizationId and o.id > :after::uuid and o.id <= :until::uuid
    order by o.id`,
);

export interface PricedLineRow {
  order_id: string;
  product_category_id: number;
  option_name: string;
  gross_cents: number;
  list_cents: number;
  quantity: number;
  returned_quantity: number;
  product_cannabis_type: CannabisType;
  product_unit: 'gram' | 'item';
  option_amount: string;
  option_content: string | null;
  option_thc_percent: string | null;
  option_thc_mg: string | null;
}

export const selectPricedLines = statement<RangeParameters, PricedLineRow>(
  'verify_select_lines',
  `select t.order_id::text as order_id, t.product_category_id, t.option_name, t.gross_cents,
          t.option_price_cents * t.quantity as list_cents, t.quantity, t.returned_quantity, t.product_cannabis_type, t.product_unit,
          t.option_amount::text as option_amount, t.option_content::text as option_content,
          t.option_thc_percent::text as option_thc_percent, t.option_thc_mg::text as option_thc_mg
     from order_line_items t where t.organization_id = :organizationId and ${inRange} order by t.order_id, t.position`,
);

export interface PricedTaxRow {
  order_id: string;
  id: number;
  tax_id: number;
  description: string;
  rate: string;
  tier: TaxTier;
  type: TaxType;
  included: boolean;
  encompass: boolean;
  exemptable: boolean;
  excluded_category_ids: number[];
  non_exemptable_category_ids: number[];
  amount_cents: number;
  amount_before_exemption_cents: number;
  fee_allocation_cents: number;
  /** As the tax is set; null: the rate, of the price. A tax never changes its basis. */
  basis: TaxBasis | null;
  /** As the tax is set now; null if it is gone. The order does not keep them. */
  rounding: 'half-up' | 'up' | null;
  applies_to_fees: boolean | null;
}

export const selectPricedTaxes = statement<RangeParameters, PricedTaxRow>(
  'verify_select_taxes',
  `select t.order_id::text as order_id, t.id, t.tax_id, t.description, t.rate::text as rate, t.tier, t.type, t.included,
          t.encompass, t.exemptable, t.excluded_category_ids, t.non_exemptable_category_ids, t.amount_cents,
          t.amount_before_exemption_cents, t.fee_allocation_cents, x.basis, x.rounding, x.applies_to_fees
     from order_taxes t left join taxes x on x.organization_id = t.organization_id and x.id = t.tax_id
    where t.organization_id = :organizationId and ${inRange} order by t.order_id, t.position`,
);

export interface PricedPaymentRow {
  order_id: string;
  id: number;
  payment_type_id: number;
  name: string;
  amount_cents: number;
  final_amount_cents: number;
  fee_cents: number;
  fee_percent: string;
  fee_amount_cents: number;
  fee_description: string | null;
}

export const selectPricedPayments = statement<RangeParameters, PricedPaymentRow>(
  'verify_select_payments',
  `select t.order_id::text as order_id, t.id, t.payment_type_id, t.name, t.amount_cents, t.final_amount_cents, t.fee_cents,
          t.fee_percent::text as fee_percent, t.fee_amount_cents, t.fee_description
     from order_payments t where t.organization_id = :organizationId and ${inRange} order by t.order_id, t.position`,
);
