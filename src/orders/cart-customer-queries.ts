import { type CustomerRow, customerColumns } from '../customers/customers.ts';
import { statement } from '../database/statement.ts';
import {
  accountColumns,
  type CustomerAccountRow,
  creditAccountColumns,
  rewardlessAccountColumns,
} from '../promotions/promotions.ts';

/** A customer with all that prices a cart. */
export interface CartCustomerRow extends CustomerRow, CustomerAccountRow {}

/**
 * The people that an email and a phone point at (D33): none, one or two, so that all about them comes in one round
 * trip before it is known which of them is meant. Two look-ups by key and no OR, which PostgreSQL may answer by
 * reading all customers; as scalars and not a union, whose sorting costs as much as both of them. Parameters that
 * are null match nothing.
 */
export const selectCartCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; at: string },
  CartCustomerRow
>(
  'select_cart_customers',
  `select ${customerColumns}, ${accountColumns}
     from (select (select e.id from customers e
                    where e.organization_id = :organizationId and e.email_normalized = :emailNormalized) as by_email,
                  (select p.id from customers p
                    where p.organization_id = :organizationId and p.phone_normalized = :phoneNormalized) as by_phone
            offset 0) found
     cross join lateral (values (found.by_email), (nullif(found.by_phone, found.by_email))) as pointed_at(id)
     join customers c on c.organization_id = :organizationId and c.id = pointed_at.id`,
);

/** The same of several carts at once: everybody whom an email or a phone of theirs points at. */
const among = (columns: string): string => `select ${customerColumns}, ${columns}
     from (select e.id from customers e
            where e.organization_id = :organizationId and e.email_normalized = any(:emails)
            union
           select p.id from customers p
            where p.organization_id = :organizationId and p.phone_normalized = any(:phones)) pointed_at
     join customers c on c.organization_id = :organizationId and c.id = pointed_at.id`;

type Among = { emails: readonly string[]; phones: readonly string[]; at: string };

/** For carts without loyalty rewards. */
export const selectCartCustomersAmong = statement<Among, CartCustomerRow>(
  'select_cart_customers_among',
  among(rewardlessAccountColumns),
);

/** For carts without loyalty rewards, of an organization without automatic discounts. */
export const selectCreditedCustomersAmong = statement<Among, CartCustomerRow>(
  'select_credited_customers_among',
  among(creditAccountColumns),
);

/** Some customers by id; who was erased buys nothing any more. */
export const selectCartCustomersOf = statement<{ ids: readonly number[]; at: string }, CartCustomerRow>(
  'select_cart_customers_of',
  `select ${customerColumns}, ${accountColumns}
     from customers c where c.organization_id = :organizationId and c.id = any(:ids) and c.erased_at is null`,
);
