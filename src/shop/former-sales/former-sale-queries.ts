import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { insertRows, statement } from '../../platform/statements/statement.ts';
import type { InventoryType } from '../catalog/catalog-queries.ts';
import type { FormerLine } from './former-sale-schemas.ts';

/** All SQL on former sales. */

export const insertFormerSales = insertRows<{
  id: number;
  till: string;
  number: string;
  soldAt: string;
  localDate: string;
  userId: number | null;
  grossCents: number;
  discountCents: number;
  netCents: number;
  taxCents: number;
  lines: readonly FormerLine[];
  countedContents: Readonly<Record<string, string>>;
  importedAt: string;
}>(
  'former_sales',
  'former_sale_row',
  {
    id: 'id',
    till: 'till',
    number: 'number',
    soldAt: 'sold_at',
    localDate: 'local_date',
    userId: 'user_id',
    grossCents: 'gross_cents',
    discountCents: 'discount_cents',
    netCents: 'net_cents',
    taxCents: 'tax_cents',
    lines: 'lines',
    countedContents: 'counted_contents',
    importedAt: 'imported_at',
  },
  { structures: ['lines', 'countedContents'] },
);

export const selectShopOfFormerSales = statement<Record<never, never>, { tz: string }>(
  'select_shop_of_former_sales',
  'select tz from organizations where id = :organizationId',
);

/** The sales among these that are here already. `at` counts from 1. */
export const selectKnownFormerSales = statement<
  { tills: readonly string[]; numbers: readonly string[]; days: readonly string[] },
  { at: number; id: number }
>(
  'select_known_former_sales',
  `select asked.at, f.id
     from unnest(:tills::text[], :numbers::text[], :days::date[]) with ordinality as asked(till, number, day, at)
     join former_sales f on f.organization_id = :organizationId
      and f.till = asked.till and f.number = asked.number and f.local_date = asked.day`,
);

/** The sales of a merged customer go to the target. */
export const moveFormerSales = statement<{ fromId: number; intoId: number }, never>(
  'move_former_sales',
  'update former_sales set user_id = :intoId where organization_id = :organizationId and user_id = :fromId',
);

/** The goods and amounts stay. */
export const eraseCustomerOfFormerSales = statement<{ userId: number }, never>(
  'erase_customer_of_former_sales',
  'update former_sales set user_id = null where organization_id = :organizationId and user_id = :userId',
);

export interface FormerSaleRow {
  id: number;
  till: string;
  number: string;
  sold_at: number;
  gross_cents: number;
  discount_cents: number;
  net_cents: number;
  tax_cents: number;
  lines: readonly FormerLine[];
}

const columns = 'id, till, number, sold_at, gross_cents, discount_cents, net_cents, tax_cents, lines';

/** All of a customer, for the export of what is kept about a person. */
export const selectFormerSalesForExport = statement<{ userId: number }, FormerSaleRow>(
  'select_former_sales_for_export',
  `select ${columns} from former_sales
    where organization_id = :organizationId and user_id = :userId order by sold_at, id limit 100000`,
  { isLong: true },
);

/** A customer's page shows the latest; the export of a customer has all. */
export const latestFormerSalesMax = 50;

export const selectFormerSalesOfCustomer = statement<{ userId: number }, FormerSaleRow>(
  'select_former_sales_of_customer',
  `select ${columns} from former_sales
    where organization_id = :organizationId and user_id = :userId
    order by sold_at desc, id desc limit ${latestFormerSalesMax}`,
);

export const sumFormerSalesOfCustomer = statement<{ userId: number }, { count: number; net_cents: number }>(
  'sum_former_sales_of_customer',
  `select count(*) as count, coalesce(sum(net_cents), 0)::bigint as net_cents from former_sales
    where organization_id = :organizationId and user_id = :userId`,
);

/** An option as purchase limits count it. */
export interface CountedOptionRow {
  option_id: number;
  product_id: number;
  inventory_type: InventoryType;
  product_name: string;
  brand_name: string | null;
  sku: string | null;
  upc: string | null;
  option_name: string | null;
  cannabis_type: CannabisType;
  /** In the unit of the type; null: it counts for no limit. */
  content: string | null;
}

/** The options of the products that have one of these codes or names; names in lower case, without outer spaces. */
export const selectCountedOptions = statement<
  { upcs: readonly string[]; skus: readonly string[]; names: readonly string[] },
  CountedOptionRow
>(
  'select_counted_options',
  `select o.id as option_id, p.id as product_id, p.inventory_type, p.name as product_name, b.name as brand_name, p.sku, o.upc, o.name as option_name, c.cannabis_type,
          coalesce(o.content, case when c.cannabis_type = 'non-concentrated' and p.unit = 'gram' then o.amount end)::text
            as content
     from (select product_id as id from product_options
            where organization_id = :organizationId and upc = any(:upcs) and deleted_at is null
            union
           select id from products
            where organization_id = :organizationId and sku = any(:skus) and deleted_at is null
            union
           select id from products
            where organization_id = :organizationId and lower(btrim(name)) = any(:names) and deleted_at is null) found
     join products p on p.organization_id = :organizationId and p.id = found.id and p.deleted_at is null
     join product_categories c on c.organization_id = :organizationId and c.id = p.primary_category_id
     left join brands b on b.organization_id = :organizationId and b.id = p.brand_id
     join product_options o on o.organization_id = :organizationId and o.product_id = p.id and o.deleted_at is null
    order by p.id, o.position`,
  { isLong: true },
);
