import { statement } from '../../platform/statements/statement.ts';

/** SQL on the ids that integrators have for products and options (D71). What was deleted holds no id. */

/**
 * The product with an id of an integrator. Id and product are each looked up by themselves (`limit 1`), from a list of ids, whose
 * length PostgreSQL does not know: joined, or from one id, it reads whole tables if they were small when they were analyzed, and
 * each product of a catalog that is sent takes the longer the more there are.
 */
export const selectProductOfExternalId = statement<
  { integratorId: number; externalIds: readonly [string] },
  { product_id: number }
>(
  'select_product_of_external_id',
  `select e.product_id from unnest(:externalIds::text[]) as n(external_id)
    cross join lateral (select * from product_external_ids e
            where e.organization_id = :organizationId and e.integrator_id = :integratorId
              and e.external_id = n.external_id limit 1) e
    cross join lateral (select p.deleted_at from products p
            where p.organization_id = :organizationId and p.id = e.product_id limit 1) p
    where p.deleted_at is null`,
);

/**
 * The options with ids of an integrator, with their products. Each is looked up by itself (`limit 1`): in a table that
 * grew since it was analyzed, PostgreSQL reads all ids of the integrator instead. What is deleted is left out behind that: in the
 * look-up, it would make an index of the options that are not deleted the cheapest of a table without statistics.
 */
export const selectOptionsOfExternalIds = statement<
  { integratorId: number; externalIds: readonly string[] },
  { external_id: string; product_option_id: number; product_id: number }
>(
  'select_options_of_external_ids',
  `select n.external_id, e.product_option_id, o.product_id
     from unnest(:externalIds::text[]) as n(external_id)
    cross join lateral (select * from product_option_external_ids e
            where e.organization_id = :organizationId and e.integrator_id = :integratorId
              and e.external_id = n.external_id limit 1) e
    cross join lateral (select o.product_id, o.deleted_at from product_options o
            where o.organization_id = :organizationId and o.id = e.product_option_id limit 1) o
    cross join lateral (select p.deleted_at from products p
            where p.organization_id = :organizationId and p.id = o.product_id limit 1) p
    where o.deleted_at is null and p.deleted_at is null`,
);

export interface OptionExternalIdRow {
  product_option_id: number;
  external_id: string;
}

/** The ids of an integrator for the options of a product. */
export const selectExternalIdsOfOptions = statement<
  { integratorId: number; productId: number },
  OptionExternalIdRow
>(
  'select_external_ids_of_options',
  `select e.product_option_id, e.external_id from product_options o
    cross join lateral (select * from product_option_external_ids e
            where e.organization_id = :organizationId and e.product_option_id = o.id
              and e.integrator_id = :integratorId limit 1) e
    where o.organization_id = :organizationId and o.product_id = :productId and o.deleted_at is null
    order by o.position, o.id`,
);

/** The id of an integrator for a product. */
export const selectExternalIdsOfProduct = statement<
  { integratorId: number; productId: number },
  { external_id: string }
>(
  'select_external_ids_of_product',
  `select external_id from product_external_ids
    where organization_id = :organizationId and product_id = :productId and integrator_id = :integratorId`,
);

/**
 * Gives a product its id; no row if another product that is not deleted has it meanwhile. Its former product is looked up as a
 * value: with `exists`, PostgreSQL would read the ids of all deleted products first.
 */
export const claimProductExternalId = statement<
  { integratorId: number; externalId: string; productId: number },
  { product_id: number }
>(
  'claim_product_external_id',
  `insert into product_external_ids as e (organization_id, integrator_id, external_id, product_id)
   values (:organizationId, :integratorId, :externalId, :productId)
   on conflict (organization_id, integrator_id, external_id) do update set product_id = excluded.product_id
    where (select p.deleted_at is not null from products p
            where p.organization_id = e.organization_id and p.id = e.product_id)
   returning product_id`,
  {
    onDistributed: `with freed as (
     delete from product_external_ids e using products p
      where e.organization_id = :organizationId and e.integrator_id = :integratorId and e.external_id = :externalId
        and p.organization_id = e.organization_id and p.id = e.product_id and p.deleted_at is not null)
   insert into product_external_ids (organization_id, integrator_id, external_id, product_id)
   values (:organizationId, :integratorId, :externalId, :productId)
   on conflict do nothing returning product_id`,
  },
);

/** Takes the ids of options that no longer have them. Runs before `claimOptionExternalIds`, so that two options can swap. */
export const releaseOptionExternalIds = statement<{ integratorId: number; optionIds: readonly number[] }>(
  'release_option_external_ids',
  `delete from product_option_external_ids
    where organization_id = :organizationId and integrator_id = :integratorId
      and product_option_id = any(:optionIds)`,
);

/** Gives options their ids; no row for an id that another option has meanwhile. A former option is looked up as a value, too. */
export const claimOptionExternalIds = statement<
  { integratorId: number; externalIds: readonly string[]; optionIds: readonly number[] },
  { product_option_id: number }
>(
  'claim_option_external_ids',
  `insert into product_option_external_ids as e (organization_id, integrator_id, external_id, product_option_id)
   select :organizationId::bigint, :integratorId::bigint, n.external_id, n.option_id
     from unnest(:externalIds::text[], :optionIds::bigint[]) as n(external_id, option_id)
    order by n.external_id collate "C"
   on conflict (organization_id, integrator_id, external_id) do update
      set product_option_id = excluded.product_option_id
    where (select o.deleted_at is not null
                  or (select p.deleted_at is not null from products p
                       where p.organization_id = o.organization_id and p.id = o.product_id)
             from product_options o
            where o.organization_id = e.organization_id and o.id = e.product_option_id)
   returning product_option_id`,
  {
    onDistributed: `with freed as (
     delete from product_option_external_ids e using product_options o, products p
      where e.organization_id = :organizationId and e.integrator_id = :integratorId
        and e.external_id = any(:externalIds::text[])
        and o.organization_id = e.organization_id and o.id = e.product_option_id
        and p.organization_id = o.organization_id and p.id = o.product_id
        and (o.deleted_at is not null or p.deleted_at is not null))
   insert into product_option_external_ids (organization_id, integrator_id, external_id, product_option_id)
   select :organizationId::bigint, :integratorId::bigint, n.external_id, n.option_id
     from unnest(:externalIds::text[], :optionIds::bigint[]) as n(external_id, option_id)
    order by n.external_id collate "C"
   on conflict do nothing returning product_option_id`,
  },
);
