import type { ReadCost } from './read-cost.ts';

/** Reports of a whole period, or of all stock: what they add up counts as answered. */
const wholePeriods: Readonly<Record<string, string>> = {
  select_sales_by_day: 'sums of each day of the period',
  select_sales_by: 'sums of each month and group of the period',
  select_sales_by_staff: 'sums of each month and member of the period',
  select_taxes_charged: 'sums of each month and tax of the period',
  select_inventory_value: 'the value of all stock that lies there',
  select_stock_needs: 'what sold in the weeks that it looks at',
};

/** What the command found and what is left so, by the names of the statements; some up to a number of rows. */
const foundReads: readonly (readonly [name: RegExp, reason: string, rowsMax?: number])[] = [
  [
    /^(products|select_stock_level_page|select_newest_packages)_.*(first|rows)$/,
    'a search looks through the newest rows first, a bounded number, whatever the text',
  ],
  [
    /^(products|select_stock_level_page|select_newest_packages)_.*(all|sought)$/,
    'a search for a text that nearly all copies have, beside another condition that none has',
  ],
  [
    /^products_.*subcategory(_count)?$/,
    'all copies are in one sub-category, and none has the other condition',
  ],
  [/^staff_list_orders_.*search/, 'orders of all customers with a name, at most 4,000 of them'],
  [/^list_orders_.*customer_/, 'orders of the busy customer, one in fifty; all come as one row of JSON'],
  [/^select_customer_detail$/, 'the number and sum of all orders of a customer'],
  [
    /^(select_(points|documents)_for_export|list_loyalty_events_.*|list_documents_of_customer_.*)$/,
    'the copies are all of one customer',
  ],
  [
    /^select_webhook_deliveries_for_export$/,
    'once for the data that a person asks for; an index by what a delivery is about would cost each of them a write',
  ],
  [/^search_products_/, 'a search looks through a bounded number of products, whatever the text', 60_000],
  [/^count_found_customers$/, 'customers with a name, at most 4,000 of them', 4_100],
  [
    /^list_order_returns_.*_after$/,
    'behind the last row of a filter: lists find out that it has more than two thousand',
    2_100,
  ],
  [
    /^select_(bought_by_contact|buying_customers)/,
    'purchases of the last days for limits, of a customer who buys every half second',
  ],
  [
    /^(select_(stock_of_products|stock_levels|stock_levels_of_products|stock_of_product|costs_of_items|low_stock_today)|products_stock_.*)$/,
    'the stock of one product, which lies in all the copied packages',
  ],
  [
    /^sort_stock_levels_/,
    'all levels are sorted: an index of what each sale changes, or of the names of products, would slow writes down',
  ],
  [
    /^count_products_of_(brand|category|sub_category)$/,
    'a number of products, nearly all copies; asked before a deletion',
  ],
  [
    /^select_(use_of_photos|use_of_documents|file_uses)$/,
    'counts what an organization keeps, before an upload is stored and for its settings',
  ],
  [/^select_unsummed_packages$/, 'packages that the worker has not summed, which does not run here'],
];

/** A count goes on to a thousand and one, in two tables at most, and skips what it does not count. */
const countedMax = 2_100;

/** Why a statement may read so many rows; undefined if it may not. */
export function knownReason(name: string, { read }: Pick<ReadCost, 'read'>): string | undefined {
  if (/(^count_|_count$)/.test(name) && read <= countedMax) return 'a count of at most a thousand';
  return (
    wholePeriods[name] ??
    foundReads.find(([names, , rowsMax = read]) => names.test(name) && read <= rowsMax)?.[1]
  );
}
