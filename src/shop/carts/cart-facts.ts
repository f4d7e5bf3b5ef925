import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import { lockCustomer, lockMatchingCustomers } from '../customers/customers.ts';
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
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-queries.ts';
import type { TaxRow } from '../settings/tax-queries.ts';
import {
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectPurchaseLimitRules,
  selectTaxesInForce,
} from '../settings/terms-of-sale.ts';
import {
  type CartCustomerRow,
  selectCartCustomers,
  selectCartCustomersOf,
  selectClaimedCustomers,
} from './cart-customer-queries.ts';
import { type CartRequest, zoneKeyOf } from './cart-request.ts';
import { type BoughtRow, selectBoughtByContact, selectBoughtByCustomer } from './purchase-history-queries.ts';

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
 * Locks the customer until the transaction ends, for callers that write what a customer has. Null: the cart names no
 * customer.
 */
export function lockBuyer({ customer, customerId }: CartRequest) {
  if (customerId !== undefined) return lockCustomer({ id: customerId });
  return customer === null ? null : lockMatchingCustomers(customer);
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
  ] as const;
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
];
