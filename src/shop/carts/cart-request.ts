import type { UnitReduction } from '../../engines/pricing/reduced-unit-price.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { AbsentField } from '../../platform/http/endpoint.ts';
import { identifyCustomer } from '../customers/customers.ts';
import type { IdentifiedCustomer, PresentedCustomer } from '../customers/match-customer.ts';
import type { GivenAmount } from '../promotions/cart-promotions.ts';
import type { RewardChoice } from '../promotions/promotions.ts';
import { type OrderType, quantityMax } from './cart-schemas.ts';

/** A cart as previews and orders request it: the same fields, decisions and amounts. */
export interface CartRequest {
  readonly type: OrderType;
  readonly lineItems: readonly { readonly productOptionId: number; readonly quantity: number }[];
  readonly customer: IdentifiedCustomer | null;
  readonly postalCode: string | null;
  readonly deliveryFeeCents: number | null;
  readonly deliveryFeeDescription: string | null;
  /**
   * Whether taxes on fees touch `deliveryFeeCents`. Null: an integrator passes the fee through, and the organization's
   * setting decides (D80). Absent: the shop charges it, and they do.
   */
  readonly deliveryFeeIsTaxed?: boolean | null;
  readonly discountCodes: readonly string[];
  readonly payments: readonly CartPayment[];
  /**
   * Fields only staff can send: manual discounts and rewards; and whether credits pay (default: the organization's
   * setting), which other callers can only refuse.
   */
  readonly chosenDiscountIds?: readonly number[];
  /** Each of `chosenDiscountIds` at most once. */
  readonly givenAmounts?: readonly GivenAmount[];
  readonly loyaltyRewards?: readonly RewardChoice[];
  readonly autoApplyCredits?: boolean;
  /**
   * The email and phone are only claimed (D62): the cart is a stranger's, and nothing of the profile that they find is counted,
   * used up or told (D62a).
   */
  readonly isUnproven?: boolean;
  /** Selects a customer by id instead of by email and phone. */
  readonly customerId?: number;
  readonly adjustments?: readonly CartAdjustment[];
  /** Unit prices that a manager set by hand; each option at most once. */
  readonly priceOverrides?: readonly PriceOverride[];
  /** Each option at most once, and in only one of both lists. */
  readonly lineReductions?: readonly LineReduction[];
  /** Overrides the customer's tax exemption (D35), with a stored reason. */
  readonly taxExempt?: { readonly exempt: boolean; readonly reason: string };
}

export interface CartAdjustment {
  readonly amountCents: number;
  readonly description: string;
  /** The staff member who gave it; default: the caller. */
  readonly adminId?: number | null;
}

export interface PriceOverride {
  readonly productOptionId: number;
  readonly unitPriceCents: number;
  readonly reason: string;
  /** The staff member who set it; default: the caller. */
  readonly adminId?: number | null;
}

/** What staff take off each unit of an option by hand, before taxes. */
export type LineReduction = UnitReduction & {
  readonly productOptionId: number;
  readonly reason: string;
  /** The staff member who gave it; default: the caller. */
  readonly adminId?: number | null;
};

export interface CartPayment {
  readonly paymentTypeId: number;
  readonly amountCents: number | 'remaining';
}

/**
 * Names the delivery zone that a cart needs, as its ZIP code; "" asks only whether there are zones. Null: the cart is no delivery.
 */
export function zoneKeyOf({ type, postalCode }: Pick<CartRequest, 'type' | 'postalCode'>): string | null {
  return type === 'delivery' ? (postalCode ?? '') : null;
}

/** The fields that pricing and creation share, from a validated body. */
export interface CartBody {
  readonly type: OrderType;
  readonly lineItems: CartRequest['lineItems'];
  readonly deliveryFee?: number | null;
  readonly deliveryFeeDescription?: string | null;
  readonly discountCodes?: readonly string[];
  readonly useCredits?: boolean | null;
  readonly payments?: readonly {
    readonly paymentTypeId: number;
    readonly amount?: number;
    readonly remaining?: boolean;
  }[];
}

/** Applies the rules a schema cannot express (D19, D32), before any lookup. Fails with 400 codes only. */
export function readCart<Customer extends PresentedCustomer | null | undefined>(
  body: CartBody & { readonly customer?: Customer },
  postalCode: string | null,
) {
  const customer = body.customer == null ? null : identifyCustomer(body.customer);
  assertQuantities(body.lineItems);
  return {
    type: body.type,
    lineItems: body.lineItems,
    customer: customer as Customer extends null | undefined ? IdentifiedCustomer | null : IdentifiedCustomer,
    postalCode,
    deliveryFeeCents: body.deliveryFee ?? null,
    deliveryFeeDescription: body.deliveryFeeDescription ?? null,
    deliveryFeeIsTaxed: null,
    discountCodes: body.discountCodes ?? [],
    payments: readPayments(body.payments ?? []),
    // Otherwise the organization's setting decides.
    ...(body.useCredits === false && { autoApplyCredits: false }),
  };
}

/** Fails with INVALID_ORDER_QUANTITY when the lines of one option add up to too much. */
export function assertQuantities(lineItems: CartRequest['lineItems']): void {
  const quantities = new Map<number, number>();
  for (const { productOptionId, quantity } of lineItems) {
    const sum = (quantities.get(productOptionId) ?? 0) + quantity;
    if (sum > quantityMax) {
      throw failure(
        'INVALID_ORDER_QUANTITY',
        `lineItems: the quantities of option ${productOptionId} must add up to at most ${quantityMax}`,
      );
    }
    quantities.set(productOptionId, sum);
  }
}

/** Each payment has an amount, except that one can take the remainder (D19). */
export function readPayments(sent: NonNullable<CartBody['payments']>): CartPayment[] {
  const payments = sent.map(({ paymentTypeId, amount, remaining }, index): CartPayment => {
    const takesRest = remaining === true;
    if (takesRest === (amount !== undefined)) {
      throw failure('INVALID_PARAMS', `payments[${index}] must have either amount or remaining: true`);
    }
    return { paymentTypeId, amountCents: amount ?? 'remaining' };
  });
  if (payments.filter((payment) => payment.amountCents === 'remaining').length > 1) {
    throw failure('INVALID_PARAMS', 'payments must have at most one with remaining: true');
  }
  return payments;
}

/* Checks of a cart body that a schema cannot express. */

/** D19: an address is required for deliveries. */
export function missingAddress(body: unknown): string[] {
  const { type, address } = (body ?? {}) as Record<string, unknown>;
  return type === 'delivery' && (address ?? null) === null ? ['address'] : [];
}

/** D19: a customer needs email or phone. `at` is the body path, with its trailing dot. */
export function missingContact(body: unknown, at = ''): AbsentField[] {
  const { customer } = (body ?? {}) as Record<string, unknown>;
  if (typeof customer !== 'object' || customer === null || Array.isArray(customer)) return [];
  const { email, phone, token } = customer as Record<string, unknown>;
  if (!isBlank(token)) return [];
  return isBlank(email) && isBlank(phone) ? [[`${at}customer.email`, `${at}customer.phone`]] : [];
}

function isBlank(value: unknown): boolean {
  return (value ?? null) === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The ZIP code of a cart that is only priced (D79): the address counts before `postalCode`, as an order has only the address. Null:
 * neither names one, or the cart is no delivery.
 */
export function postalCodeOf(body: {
  readonly type: string;
  readonly postalCode?: string | null;
  readonly address?: { readonly postalCode?: string | null } | null;
}): string | null {
  if (body.type !== 'delivery') return null;
  return body.address?.postalCode ?? body.postalCode ?? null;
}

/** D19: an address is allowed only for deliveries. */
export function deliveryAddress(body: {
  readonly type: string;
  readonly address?: null | {
    readonly street1: string;
    readonly street2?: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  };
}) {
  if (body.type !== 'delivery') return null;
  assert(body.address != null, 'the check accepted a delivery without address');
  return { ...body.address, street2: body.address.street2 ?? null };
}
