import { statement } from '../../platform/statements/statement.ts';

/*
 * Moving average costs (D52): inventory calculates them, and the catalog owns these columns. Callers have locked the
 * products of all items first, in the order of their ids. `costs` are dollars per unit of stock.
 */

/** Costs of products whose stock is kept per product. */
export const setProductCosts = statement<{ ids: readonly number[]; costs: readonly string[] }, never>(
  'set_product_costs',
  `update products p set moving_average_cost_per_unit = c.cost
     from unnest(:ids::bigint[], :costs::numeric[]) as c(id, cost)
    where p.organization_id = :organizationId and p.id = c.id`,
);

/** Costs of options. */
export const setOptionCosts = statement<{ ids: readonly number[]; costs: readonly string[] }, never>(
  'set_option_costs',
  `update product_options o set moving_average_cost_per_unit = c.cost
     from unnest(:ids::bigint[], :costs::numeric[]) as c(id, cost)
    where o.organization_id = :organizationId and o.id = c.id`,
);
