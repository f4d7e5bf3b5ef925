import { type Decimal, decimal } from '../../kernel/decimal.ts';
import { statement } from '../../platform/statements/statement.ts';
import { convertedAmount, type StockedGoods, stockUnitOf, unitFactor } from './package-units.ts';

/** What the packages of an incoming transfer are, for who orders them. */

export interface TransferGoodsRow {
  id: number;
  label: string;
  unit: string;
  initial_amount: string;
  external_product_name: string | null;
  wholesale_cents: number | null;
  manifest_number: string;
  shipper_name: string;
  /** What goods of this name were received as before; null: they were not. */
  known_product_id: number | null;
  known_option_id: number | null;
  known_multiplier: string | null;
}

/** The packages of a transfer that are not received, each with what goods of its name were before. */
export const selectTransferGoods = statement<{ transferId: number }, TransferGoodsRow>(
  'select_transfer_goods',
  `select k.id, k.label, k.unit, k.initial_amount, k.external_product_name, k.wholesale_cents, t.manifest_number, t.shipper_name,
          p.product_id as known_product_id, p.product_option_id as known_option_id, p.multiplier as known_multiplier
     from compliance_transfers t
     left join packages k on k.organization_id = t.organization_id and k.compliance_transfer_id = t.id and k.status = 'ready'
     left join lateral (select f.product_id, f.product_option_id, f.multiplier from packages f
                         where f.organization_id = :organizationId and f.external_product_name = k.external_product_name
                           and f.product_id is not null and f.received_at is not null and f.unit = k.unit
                         order by f.received_at desc, f.id desc limit 1) p on true
    where t.organization_id = :organizationId and t.id = :transferId order by k.id`,
);

/** What a package on its way is in units of stock of a product. Fails with INVALID_PARAMS: no factor. */
export function stockAmountOf(
  { unit, initial_amount: amount }: { readonly unit: string; readonly initial_amount: string },
  goods: StockedGoods,
  multiplier: string | null,
  path: string,
): Decimal {
  const factor = unitFactor(unit, stockUnitOf(goods), null, multiplier, `${path}.multiplier`);
  return convertedAmount(decimal(amount), unit, unit, factor, (field) => `${path}.${field}`).stock;
}
