import { statement } from '../database/statement.ts';
import type { CustomerCreditRow } from './promotion-queries.ts';

/** SQL of issuing credits and showing them; orders move them by `account-queries.ts`. */

/** Whether there is such a customer; held until the commit, so that nobody takes them away, or erases them. */
export const holdCustomerOfCredit = statement<{ userId: number }, { id: number; erased_at: number | null }>(
  'hold_customer_of_credit',
  `select id, erased_at from customers where organization_id = :organizationId and id = :userId for share`,
);

export const selectCustomerOfCredits = statement<{ userId: number }, { id: number }>(
  'select_customer_of_credits',
  `select id from customers where organization_id = :organizationId and id = :userId`,
);

/** All of a customer, used up and expired ones too. */
export const selectCreditsOfCustomer = statement<{ userId: number }, CustomerCreditRow>(
  'select_credits_of_customer',
  `select id, user_id, type, description, amount_cents, remaining_cents, percent, remaining_uses, expires_at,
          created_at, updated_at
     from customer_credits where organization_id = :organizationId and user_id = :userId order by id`,
);
