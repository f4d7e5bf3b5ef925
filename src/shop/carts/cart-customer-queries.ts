import { statement } from '../../platform/statements/statement.ts';
import type { CustomerRow } from '../customers/customer-queries.ts';
import { customerColumns } from '../customers/customers.ts';
import type { AccountQuestions, CustomerAccountRow } from '../promotions/customer-account-queries.ts';
import { accountColumns, accountColumnsFor } from '../promotions/promotions.ts';
import { boughtColumn, type CustomerWithPurchases } from './purchase-history-queries.ts';

/** A customer with everything that prices a cart. */
export interface CartCustomerRow extends CustomerRow, CustomerAccountRow {}

/**
 * The customers matched by an email and a phone (D33); several people may have the phone (D85). All their data comes in one
 * round trip, before it is known which of them is meant. The query uses two lookups by key and no OR: PostgreSQL may answer
 * an OR by reading all customers. The lookups are arrays and not a union, whose sort costs as much as both lookups. Null
 * parameters match nothing.
 */
export const selectCartCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; at: string },
  CartCustomerRow
>(
  'select_cart_customers',
  `select ${customerColumns}, ${accountColumns}
     from unnest(array(select e.id from customers e
                        where e.organization_id = :organizationId and e.email_normalized = :emailNormalized)
                 || array(select p.id from customers p
                           where p.organization_id = :organizationId and p.phone_normalized = :phoneNormalized
                             and not coalesce(p.email_normalized = :emailNormalized, false))) as pointed_at(id)
     join customers c on c.organization_id = :organizationId and c.id = pointed_at.id`,
);

/** What a cart has of a customer who is only claimed: the profile, to which the order belongs, and nothing of its account. */
const strangersAccount = `array[]::bigint[] as group_ids, false as has_ordered, null::json as uses, null::json as credits,
          null::text as points, null::json as bought`;

/** The customers matched by the emails and phones of carts of unproven callers: as much work for those who bought much (D62a). */
export const selectClaimedCustomers = statement<
  { emails: readonly string[]; phones: readonly string[] },
  BuyingCustomerRow
>(
  'select_claimed_customers',
  `select ${customerColumns}, ${strangersAccount}
     from (select e.* from customers e
            where e.organization_id = :organizationId and e.email_normalized = any(:emails)
            union all
           select p.* from customers p
            where p.organization_id = :organizationId and p.phone_normalized = any(:phones)
              and (p.email_normalized is null or p.email_normalized <> all(:emails))) c`,
);

/** A matched customer with the purchases that limits count (D36). */
export type BuyingCustomerRow = CartCustomerRow & CustomerWithPurchases;

type Among = {
  emails: readonly string[];
  phones: readonly string[];
  at: string;
  tz: string;
  since: string;
};

/**
 * All customers matched by the emails and phones of several carts, each once. For carts without loyalty rewards whose
 * discounts need nothing more. One statement serves all carts, because starting a statement costs as much as running
 * it. Each branch gives whole rows: joined by their ids, the customers of a small shop were all read.
 */
const amongWith = (questions: AccountQuestions) =>
  statement<Among, BuyingCustomerRow>(
    ['select_buying_customers', ...asked(questions)].join('_'),
    `select ${customerColumns}, ${accountColumnsFor(questions)}, ${boughtColumn}
     from (select e.* from customers e
            where e.organization_id = :organizationId and e.email_normalized = any(:emails)
            union all
           select p.* from customers p
            where p.organization_id = :organizationId and p.phone_normalized = any(:phones)
              and (p.email_normalized is null or p.email_normalized <> all(:emails))) c`,
  );

const statementsAmong = new Map<string, ReturnType<typeof amongWith>>();
for (const groups of [false, true]) {
  for (const firstOrder of [false, true]) {
    for (const uses of [false, true]) {
      const questions = { groups, firstOrder, uses };
      statementsAmong.set(asked(questions).join(), amongWith(questions));
    }
  }
}

function asked(questions: AccountQuestions): string[] {
  return Object.entries(questions).flatMap(([question, isAsked]) => (isAsked ? question.toLowerCase() : []));
}

/**
 * The customers matched by the contacts of some carts, with the purchases since given moments that discounts and
 * limits count.
 */
export function selectBuyingCustomers(questions: AccountQuestions, among: Among) {
  return statementsAmong.get(asked(questions).join())!(among);
}

/** Customers by id, without erased ones. */
export const selectCartCustomersOf = statement<{ ids: readonly number[]; at: string }, CartCustomerRow>(
  'select_cart_customers_of',
  `select ${customerColumns}, ${accountColumns}
     from customers c where c.organization_id = :organizationId and c.id = any(:ids) and c.erased_at is null`,
);

/** The data of one customer that limits need, without the purchases. Days are YYYY-MM-DD. */
export const selectLimitedCustomer = statement<
  { customerId: number },
  { birthday: string | null; medical_expiration: string | null }
>(
  'select_limited_customer',
  `select birthday::text as birthday, medical_expiration::text as medical_expiration
     from customers where organization_id = :organizationId and id = :customerId`,
);
