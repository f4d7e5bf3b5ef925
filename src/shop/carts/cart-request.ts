import type { UnitReduction } from '../../engines/pricing/reduced-unit-price.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { AbsentField, Caller } from '../../platform/http/endpoint.ts';
import { identifyCustomer, isPhone, provenContact } from '../customers/customers.ts';
import type { IdentifiedCustomer, PresentedCustomer } from '../customers/match-customer.ts';
import type { GivenAmount } from '../promotions/cart-promotions.ts';
import type { RewardChoice } from '../promotions/promotions.ts';
import type { BoughtRow } from './cart-customer-queries.ts';
import { type OrderType, quantityMax } from './cart-schemas.ts';
import { addWeights, type CartLineItem } from './weighed-option.ts';

/** A cart as previews and orders request it: the same fields, decisions and amounts. */
export interface CartRequest {
  readonly type: OrderType;
  readonly lineItems: readonly CartLineItem[];
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
  /** The begin of the time slot that was chosen; absent: none. */
  readonly slotFromMs?: number;
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
  /** The caregiver who buys for the customer, a patient (D94). */
  readonly boughtById?: number;
  /** Rows of purchases that limits do not count: the goods come back for this cart. */
  readonly boughtBack?: readonly BoughtRow[];
  /** Selects a customer by id instead of by email and phone. */
  readonly customerId?: number;
  readonly adjustments?: readonly CartAdjustment[];
  /** Unit prices that a manager set by hand; each option at most once. */
  readonly priceOverrides?: readonly PriceOverride[];
  /** Each option at most once, and in only one of both lists. */
  readonly lineReductions?: readonly LineReduction[];
  /** The packages that lines are taken from; all other stock comes from the oldest. */
  readonly chosenPackages?: readonly ChosenPackage[];
  /** Overrides the customer's tax exemption (D35), with a stored reason. */
  readonly taxExempt?: { readonly exempt: boolean; readonly reason: string };
}

/** What of an option comes from a package that staff chose: so many units, or of goods sold loose a weight. */
export interface ChosenPackage {
  readonly productOptionId: number;
  readonly packageId: number;
  readonly quantity: number;
  /** Grams, as decimal text; the quantity is 1. */
  readonly weight?: string | undefined;
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
  readonly pickupAt?: string | null;
  readonly deliverAt?: string | null;
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
  return {
    type: body.type,
    lineItems: readLines(body.lineItems),
    customer: customer as Customer extends null | undefined ? IdentifiedCustomer | null : IdentifiedCustomer,
    postalCode,
    deliveryFeeCents: body.deliveryFee ?? null,
    deliveryFeeDescription: body.deliveryFeeDescription ?? null,
    deliveryFeeIsTaxed: null,
    discountCodes: body.discountCodes ?? [],
    payments: readPayments(body.payments ?? []),
    ...readSlot(body),
    // Otherwise the organization's setting decides.
    ...(body.useCredits === false && { autoApplyCredits: false }),
  };
}

/** The time slot of the order type. Fails with INVALID_PARAMS when the field of the other type is sent. */
export function readSlot({ type, pickupAt, deliverAt }: Pick<CartBody, 'type' | 'pickupAt' | 'deliverAt'>) {
  const sent = { pickup: pickupAt ?? null, delivery: deliverAt ?? null };
  for (const [of, field] of [
    ['pickup', 'pickupAt'],
    ['delivery', 'deliverAt'],
  ] as const) {
    if (sent[of] === null || type === of) continue;
    throw failure('INVALID_PARAMS', `${field} must be left out of an order of type ${type}`);
  }
  const chosen = sent.pickup ?? sent.delivery;
  return chosen === null ? {} : { slotFromMs: Date.parse(chosen) };
}

/** The lines, with one weight for each option. Fails with INVALID_ORDER_QUANTITY when those of one option add up to too much, and as `addWeights`. */
export function readLines(sent: CartRequest['lineItems']): CartRequest['lineItems'] {
  const lineItems = addWeights(sent);
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
  return lineItems;
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

/* Carts whose caller only claims who the customer is (D62), and those of web pages, where the caller is any visitor (D67). */

/** Fails with INVALID_PARAMS for fields that visitors could set to their advantage: the fee is the zone's. */
function assertPageMaySend(
  { origins }: Pick<Caller, 'origins'>,
  body: { readonly deliveryFee?: number | null; readonly deliveryFeeDescription?: string | null },
): void {
  if (origins === null) return;
  for (const field of ['deliveryFee', 'deliveryFeeDescription'] as const) {
    if (body[field] == null) continue;
    throw failure(
      'INVALID_PARAMS',
      `${field} must be left out with a publishable key: the fee of the delivery zone applies`,
    );
  }
}

/**
 * The cart of a caller of the API, whose customer is proven or only claimed (`isUnproven`). Fails as `readCart`, with
 * INVALID_PARAMS for fields that visitors of a page may not send, and with CUSTOMER_SESSION_ENDED.
 */
export async function readProvenCart<
  Customer extends PresentedCustomer & { readonly token?: string | null },
  Body extends CartBody & { readonly customer?: Customer | null },
>(context: Pick<Context, 'database' | 'wallClock'>, caller: Caller, body: Body, postalCode: string | null) {
  assertPageMaySend(caller, body);
  const proof = await proofOf(context, caller, body.customer);
  return withProof(readCart(withProvenContact(body, proof), postalCode), proof);
}

type Proof = { readonly isUnproven: boolean; readonly contact: string | null };

/**
 * What proves that the customer of a request is the one it names: the token of a customer session, or the word of an
 * integrator whose key vouches. Another caller without a token proves nothing. Fails with CUSTOMER_SESSION_ENDED.
 */
async function proofOf(
  context: Pick<Context, 'database' | 'wallClock'>,
  caller: Caller,
  customer: { readonly token?: string | null } | null | undefined,
): Promise<Proof> {
  if (customer?.token == null || customer.token === '') {
    return { isUnproven: !caller.vouches, contact: null };
  }
  return { isUnproven: false, contact: await provenContact(context, caller, customer.token) };
}

/**
 * The body with the email or phone that was proven, if one was: it counts instead of the one that was sent. Beside a proven
 * phone no email counts: it may be another person's.
 */
function withProvenContact<
  Customer extends PresentedCustomer,
  Body extends { readonly customer?: Customer | null },
>(body: Body, { contact }: Proof): Body {
  const { customer } = body;
  if (customer == null || contact === null) return body;
  const proven = isPhone(contact) ? { email: null, phone: contact } : { email: contact };
  return { ...body, customer: { ...customer, ...proven } };
}

/** A cart with what its proof means: whether the customer is proven, or a stranger. */
function withProof<Request extends CartRequest>(
  request: Request,
  { isUnproven, contact }: Proof,
): Request & { readonly isUnproven: boolean } {
  if (contact === null || request.customer === null) return { ...request, isUnproven };
  return { ...request, isUnproven, customer: { ...request.customer, isProven: true } };
}

/**
 * The cart as a stranger's of the same birthday, for a preview (D62): nothing on file is looked up, so neither amounts nor
 * the time of the reply tell whether the email is known.
 */
export function asStranger<Request extends CartRequest>(request: Request): Request {
  const { customer } = request;
  if (customer === null) return request;
  return { ...request, customer: { ...customer, emailNormalized: null, phoneNormalized: null } };
}
