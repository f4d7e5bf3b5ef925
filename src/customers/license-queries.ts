import { statement } from '../database/statement.ts';

/** All SQL on the digests of driver's licenses. */

/**
 * The customer of a license: by the digest under any known key, else by both names and the birthday, the one who changed last.
 * Erased customers are not found.
 */
export const selectCustomerOfLicense = statement<
  { digests: readonly string[]; firstName: string; lastName: string; birthday: string },
  { id: number }
>(
  'select_customer_of_license',
  `select id from (
      select c.id, 0 as place, c.updated_at from customer_licenses l
        join customers c on c.organization_id = :organizationId and c.id = l.user_id
       where l.organization_id = :organizationId and l.digest = any(:digests)
       union all
      select c.id, 1, c.updated_at from customers c
       where c.organization_id = :organizationId and c.erased_at is null and c.birthday = :birthday::date
         and c.last_name_key = search_key(:lastName) and c.first_name_key = search_key(:firstName)) found
    order by place, updated_at desc, id desc limit 1`,
);

/** A digest that is there stays with its customer: the primary key tells a race, and the caller looks again. */
export const insertLicense = statement<{ digest: string; userId: number; at: string }, never>(
  'insert_customer_license',
  `insert into customer_licenses (organization_id, digest, user_id, recorded_at)
   values (:organizationId, :digest, :userId, :at)`,
);

export const selectLicense = statement<{ digest: string }, { user_id: number }>(
  'select_customer_license',
  'select user_id from customer_licenses where organization_id = :organizationId and digest = :digest',
);

/** The licenses of a merged customer go to the target. */
export const moveLicenses = statement<{ fromId: number; intoId: number }, never>(
  'move_customer_licenses',
  'update customer_licenses set user_id = :intoId where organization_id = :organizationId and user_id = :fromId',
);

export const eraseLicenses = statement<{ userId: number }, never>(
  'erase_customer_licenses',
  'delete from customer_licenses where organization_id = :organizationId and user_id = :userId',
);

/** The digests say nothing without the number of a license and the key. */
export const selectLicensesForExport = statement<{ userId: number }, { recorded_at: number }>(
  'select_licenses_for_export',
  `select recorded_at from customer_licenses
    where organization_id = :organizationId and user_id = :userId order by recorded_at limit 1000`,
);
