import { statement } from '../../platform/statements/statement.ts';
import type { CustomerCreditRow } from './promotion-queries.ts';

/** SQL that issues and shows credits; orders change them by `account-queries.ts`. */

/** Whether the customer exists; locked until the commit against deletion and erasure. */
export const holdCustomerOfCredit = statement<{ userId: number }, { id: number; erased_at: number | null }>(
  'hold_customer_of_credit',
  `select id, erased_at from customers where organization_id = :organizationId and id = :userId for share`,
);

export const selectCustomerOfCredits = statement<{ userId: number }, { id: number }>(
  'select_customer_of_credits',
  `select id from customers where organization_id = :organizationId and id = :userId`,
);

/** All credits of a customer, including used and expired ones. */
export const selectCreditsOfCustomer = statement<{ userId: number }, CustomerCreditRow>(
  'select_credits_of_customer',
  `select id, user_id, type, description, amount_cents, remaining_cents, percent, remaining_uses, expires_at,
          created_at, updated_at
     from customer_credits where organization_id = :organizationId and user_id = :userId order by id`,
);
