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
  refundOf: string | null;
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
    refundOf: 'refund_of',
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

export interface RefundedSaleRow {
  id: number;
  user_id: number | null;
  lines: readonly FormerLine[];
  /** The lines of the tickets that give it back. */
  refunds: readonly FormerLine[];
}

/**
 * The sales with one of these numbers that another ticket gives back. Numbers come again at some tills: a ticket gives back the latest
 * sale before it.
 */
export const selectRefundedSales = statement<
  { tills: readonly string[]; numbers: readonly string[] },
  RefundedSaleRow
>(
  'select_refunded_former_sales',
  `select s.id, s.user_id, s.lines, jsonb_path_query_array(jsonb_agg(r.lines), '$[*][*]') as refunds
     from (select distinct till, number from unnest(:tills::text[], :numbers::text[]) as named(till, number)) asked
     join former_sales r on r.organization_id = :organizationId and r.till = asked.till and r.refund_of = asked.number
    cross join lateral (
      select id, user_id, lines from former_sales
       where organization_id = :organizationId and till = r.till and number = r.refund_of and local_date <= r.local_date
         and id <> r.id
       order by local_date desc limit 1) s
    group by s.id, s.user_id, s.lines`,
);

/** What a sale counts since some of it came back. */
export const setCountedContents = statement<{ id: number; countedContents: string }, never>(
  'set_counted_contents',
  `update former_sales set counted_contents = :countedContents::jsonb
    where organization_id = :organizationId and id = :id`,
);

/** A ticket that gives back a customer's sale, and names no customer, is the customer's. */
export const claimRefunds = statement<{ tills: readonly string[]; numbers: readonly string[] }, never>(
  'claim_former_refunds',
  `update former_sales r set user_id = (
     select s.user_id from former_sales s
      where s.organization_id = :organizationId and s.till = r.till and s.number = r.refund_of
        and s.local_date <= r.local_date and s.id <> r.id
      order by s.local_date desc limit 1)
     from unnest(:tills::text[], :numbers::text[]) as asked(till, number)
    where r.organization_id = :organizationId and r.till = asked.till and r.refund_of = asked.number and r.user_id is null`,
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
  refund_of: string | null;
}

const columns =
  'id, till, number, sold_at, gross_cents, discount_cents, net_cents, tax_cents, lines, refund_of';

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
  `select count(*) filter (where refund_of is null) as count, coalesce(sum(net_cents), 0)::bigint as net_cents from former_sales
    where organization_id = :organizationId and user_id = :userId`,
);

export interface FormerSalesSumRow {
  till: string;
  tickets: number;
  gross_cents: number;
  discount_cents: number;
  net_cents: number;
  tax_cents: number;
}

/** What was sold on these local days, till by till; a ticket that gives another one back is none of its own. */
export const sumFormerSalesOfDays = statement<{ from: string; to: string }, FormerSalesSumRow>(
  'sum_former_sales_of_days',
  `select till, count(*) filter (where refund_of is null) as tickets, sum(gross_cents)::bigint as gross_cents,
          sum(discount_cents)::bigint as discount_cents, sum(net_cents)::bigint as net_cents, sum(tax_cents)::bigint as tax_cents
     from former_sales
    where organization_id = :organizationId and local_date between :from::date and :to::date
    group by till order by till limit 100`,
  { isLong: true },
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
  /** In the unit of the type; null: it is not stated. */
  content: string | null;
  unit: 'gram' | 'item';
  amount: string;
  thc_percent: string | null;
  thc_mg: string | null;
}

/** The options of the products that have one of these codes or names; names in lower case, without outer spaces. */
export const selectCountedOptions = statement<
  { upcs: readonly string[]; skus: readonly string[]; names: readonly string[] },
  CountedOptionRow
>(
  'select_counted_options',
  `select o.id as option_id, p.id as product_id, p.inventory_type, p.name as product_name, b.name as brand_name, p.sku, o.upc, o.name as option_name, c.cannabis_type,
          coalesce(o.content, case when c.cannabis_type = 'non-concentrated' and p.unit = 'gram' then o.amount end)::text
            as content, p.unit, o.amount::text as amount,
          coalesce(o.thc_percent, case when p.thc_unit = '%' then p.thc_amount end)::text as thc_percent,
          coalesce(o.thc_mg, case when p.thc_unit = 'mg' and not exists (
                     select 1 from product_options s
                      where s.organization_id = p.organization_id and s.product_id = p.id and s.id <> o.id
                        and s.deleted_at is null) then p.thc_amount end)::text as thc_mg
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
