import { statement } from '../../platform/statements/statement.ts';

/** All SQL on the digests of driver's licenses. */

/** Who a license may be of: recorded with it, or with its birthday. */
export interface LicenseCandidateRow {
  id: number;
  is_recorded: boolean;
  first_name: string;
  last_name: string;
}

/** More than the people of one birthday in any shop. */
const candidatesMax = 1_000;

/** By the digest under any known key, first, and all with the birthday of the card. Erased customers are not found. */
export const selectLicenseCandidates = statement<
  { digests: readonly string[]; birthday: string },
  LicenseCandidateRow
>(
  'select_license_candidates',
  `select c.id, true as is_recorded, c.first_name, c.last_name from customer_licenses l
     join customers c on c.organization_id = :organizationId and c.id = l.user_id
    where l.organization_id = :organizationId and l.digest = any(:digests)
    union all
   (select id, false as is_recorded, first_name, last_name from customers
     where organization_id = :organizationId and erased_at is null and birthday = :birthday::date
     order by id limit ${candidatesMax})`,
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

/** So many digests go in one step. */
export const licensesAtOnce = 500;

/** Those that were recorded before, oldest first. */
export const deleteOldLicenses = statement<{ before: string }, { digest: string }>(
  'delete_old_customer_licenses',
  `delete from customer_licenses
    where organization_id = :organizationId
      and digest = any(array(select digest from customer_licenses
                              where organization_id = :organizationId and recorded_at <= :before
                              order by recorded_at, digest limit ${licensesAtOnce}))
    returning digest`,
);

/** The digests say nothing without the number of a license and the key. */
export const selectLicensesForExport = statement<{ userId: number }, { recorded_at: number }>(
  'select_licenses_for_export',
  `select recorded_at from customer_licenses
    where organization_id = :organizationId and user_id = :userId order by recorded_at limit 1000`,
);
