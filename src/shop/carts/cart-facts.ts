import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import type { CaregiverRow } from '../customers/caregivers.ts';
import { lockCustomer, lockCustomersOfContacts, selectCaregiver } from '../customers/customers.ts';
import type { IdentifiedCustomer } from '../customers/match-customer.ts';
import {
  type LoyaltyRewardRow,
  type OfferedDiscountRow,
  offeredDiscountKeys,
  selectLoyaltyRewards,
  selectOfferedDiscounts,
} from '../promotions/promotions.ts';
import type { DeliveryZoneRow } from '../settings/delivery-zone-queries.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import type { TaxRow } from '../settings/tax-queries.ts';
import {
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectPurchaseLimitRules,
  selectTaxesInForce,
} from '../settings/terms-of-sale.ts';
import {
  type BoughtRow,
  type CartCustomerRow,
  selectBoughtByContact,
  selectBoughtByCustomer,
  selectCartCustomers,
  selectCartCustomersOf,
  selectClaimedCustomers,
} from './cart-customer-queries.ts';
import { type CartRequest, zoneKeyOf } from './cart-request.ts';

/** A placeholder id that no order has. */
const noOrder = '00000000-0000-0000-0000-000000000000';

/** The customer, by id or by email and phone (D33), with their purchases except those of one order. */
function buyerStatements(
  { customer, customerId, isUnproven }: CartRequest,
  law: Law,
  nowMs: number,
  exceptOrderId: string,
) {
  const at = isoTimestamp(nowMs);
  if (customerId !== undefined) {
    return {
      customers: selectCartCustomersOf({ ids: [customerId], at }),
      bought: selectBoughtByCustomer(law, customerId, exceptOrderId, nowMs),
    };
  }
  if (customer === null) return { customers: null, bought: null };
  if (isUnproven === true) {
    return { customers: selectClaimedCustomers(contactsOf([{ customer }])), bought: null };
  }
  return {
    customers: selectCartCustomers({ ...contactOf(customer), at }),
    bought: selectBoughtByContact(law, customer, nowMs),
  };
}

/**
 * Locks the carts' customers until the transaction ends, for callers that write what customers have. Null: the carts name
 * none. A cart that names its customer by id comes alone.
 */
export function lockBuyers(requests: readonly Pick<CartRequest, 'customer' | 'customerId'>[]) {
  const [first] = requests;
  if (first?.customerId !== undefined) return lockCustomer({ id: first.customerId });
  const contacts = contactsOf(requests);
  return contacts.emails.length + contacts.phones.length === 0 ? null : lockCustomersOfContacts(contacts);
}

/**
 * Statements that read everything the decision needs, on one snapshot or in the order's transaction. They look up only
 * what the request names. The decision must use the same `law`.
 */
export function cartFactStatements(request: CartRequest, law: Law, nowMs: number, exceptOrderId = noOrder) {
  const zoneKey = zoneKeyOf(request);
  const { payments } = request;
  const buyer = buyerStatements(request, law, nowMs, exceptOrderId);
  const at = isoTimestamp(nowMs);
  return [
    selectOrganization({}),
    selectSellableOptions({ optionIds: [...new Set(request.lineItems.map((line) => line.productOptionId))] }),
    selectTaxesInForce({ at }),
    zoneKey === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(zoneKey) }),
    payments.length === 0 ? null : selectPaymentTypes({}),
    buyer.customers,
    selectPurchaseLimitRules({}),
    buyer.bought,
    selectOfferedDiscounts(offeredDiscountKeys(request, at)),
    chosenRewardsStatement(request, at),
    caregiverStatement(request),
  ] as const;
}

/** Null: the customer buys for themselves. */
function caregiverStatement({ boughtById, customerId }: CartRequest) {
  if (boughtById === undefined || customerId === undefined) return null;
  return selectCaregiver({ caregiverId: boughtById, patientId: customerId });
}

/** Null: no rewards are chosen. */
export function chosenRewardsStatement({ loyaltyRewards = [] }: CartRequest, at: string) {
  if (loyaltyRewards.length === 0) return null;
  return selectLoyaltyRewards({ ids: loyaltyRewards.map(({ rewardId }) => rewardId), at });
}

/** The emails and phones of the carts, each once. */
export function contactsOf(requests: readonly Pick<CartRequest, 'customer'>[]) {
  const emails = new Set<string>();
  const phones = new Set<string>();
  for (const { customer } of requests) {
    if (customer?.emailNormalized != null) emails.add(customer.emailNormalized);
    if (customer?.phoneNormalized != null) phones.add(customer.phoneNormalized);
  }
  return { emails: [...emails], phones: [...phones] };
}

/** The fields that look up a customer. */
export function contactOf({ emailNormalized, phoneNormalized }: IdentifiedCustomer) {
  return { emailNormalized, phoneNormalized };
}

export type FactRows = readonly [
  readonly OrganizationRow[],
  readonly SellableOptionRow[],
  readonly TaxRow[],
  readonly DeliveryZoneRow[],
  readonly PaymentTypeRow[],
  readonly CartCustomerRow[],
  readonly PurchaseLimitRuleRow[],
  readonly BoughtRow[],
  readonly OfferedDiscountRow[],
  readonly LoyaltyRewardRow[],
  /** The caregiver of a cart that staff take; absent where carts share their facts. */
  (readonly CaregiverRow[])?,
];

/** The facts of carts that are decided one after the other. */
export interface CartFacts {
  of(request: CartRequest): FactRows;
  /** The customers on file whom the cart's email and phone match. */
  customersOf(request: CartRequest): readonly { readonly id: number }[];
  /** Counts the uses of an order's discounts for the carts after it. */
  use(discountIds: Iterable<number>): void;
}

/**
 * A read of the facts of carts: on one snapshot, or in the transaction that decides them. The decision must use the same law.
 * `factsOf` takes the rows of each statement.
 */
export interface FactReading<Facts extends CartFacts | null = CartFacts | null> {
  readonly statements: readonly (BoundStatement<unknown> | null)[];
  /** Null: the terms have changed since they were read. */
  factsOf(rows: readonly unknown[][]): Facts;
}

/** Reads all facts of one cart. */
export function readOwnFacts(request: CartRequest, law: Law, nowMs: number): FactReading<CartFacts> {
  return {
    statements: cartFactStatements(request, law, nowMs),
    factsOf: (rows) => {
      const facts = rows as unknown as FactRows;
      return { of: () => facts, customersOf: () => facts[5], use: () => undefined };
    },
  };
}
