import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { JoinedBrand } from '../catalog/product-queries.ts';
import { type InventoryType, type OptionRow, potencyColumns, type StrainType } from '../catalog/products.ts';

/** Products and options of purchasing and transfers, including deleted ones, because their history stays. */

export interface TradedProductRow extends JoinedBrand {
  id: number;
  organization_id: number;
  name: string;
  description: string;
  unit: 'gram' | 'item';
  strain_type: StrainType;
  inventory_type: InventoryType;
  is_active: boolean;
  is_featured: boolean;
  is_compliant: boolean;
  moving_average_cost_per_unit: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  category_id: number;
  category_name: string;
  category_cannabis_type: CannabisType;
  category_created_at: number;
  category_updated_at: number;
}

export const selectTradedProducts = statement<{ ids: readonly number[] }, TradedProductRow>(
  'select_traded_products',
  `select p.id, p.organization_id, p.name, p.description, p.unit, p.strain_type, p.inventory_type, p.is_active,
          p.is_featured, p.is_compliant, p.moving_average_cost_per_unit, p.created_at, p.updated_at, p.deleted_at,
          b.id as brand_id, b.name as brand_name, b.description as brand_description,
          b.created_at as brand_created_at, b.updated_at as brand_updated_at, c.id as category_id,
          c.name as category_name, c.cannabis_type as category_cannabis_type, c.created_at as category_created_at,
          c.updated_at as category_updated_at
     from products p
     left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
     join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id
    where p.organization_id = :organizationId and p.id = any(:ids)`,
);

export type TradedOptionRow = OptionRow & { deleted_at: number | null };

export const selectTradedOptions = statement<{ ids: readonly number[] }, TradedOptionRow>(
  'select_traded_options',
  `select id, product_id, name, amount, price_cents, sales_price_cents, upc, content,
          ${potencyColumns}, moving_average_cost_per_unit, created_at, updated_at, deleted_at
     from product_options where organization_id = :organizationId and id = any(:ids)`,
);
