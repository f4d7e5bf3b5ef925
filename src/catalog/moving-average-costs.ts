import { statement } from '../database/statement.ts';

/*
 * Costs that receptions of stock move (D52): inventory reckons them and these columns are the catalog's. Whoever writes
 * here has locked the products of all items first, in the order of their ids. `costs` are dollars for a unit of stock.
 */

/** Of products whose stock is kept as a whole. */
export const setProductCosts = statement<{ ids: readonly number[]; costs: readonly string[] }, never>(
  'set_product_costs',
  `update products p set moving_average_cost_per_unit = c.cost
     from unnest(:ids::bigint[], :costs::numeric[]) as c(id, cost)
    where p.organization_id = :organizationId and p.id = c.id`,
);

/** Of options. */
export const setOptionCosts = statement<{ ids: readonly number[]; costs: readonly string[] }, never>(
  'set_option_costs',
  `update product_options o set moving_average_cost_per_unit = c.cost
     from unnest(:ids::bigint[], :costs::numeric[]) as c(id, cost)
    where o.organization_id = :organizationId and o.id = c.id`,
);
