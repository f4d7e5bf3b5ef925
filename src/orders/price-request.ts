import { type OrganizationRow, selectOrganization } from '../access/organizations.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import {
  type CustomerRow,
  chooseCustomer,
  type IdentifiedCustomer,
  identifyCustomer,
  type PresentedCustomer,
  selectMatchingCustomers,
} from '../customers/customers.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import { mergeLines } from '../pricing/merge-lines.ts';
import { priceCart } from '../pricing/price-cart.ts';
import type { PricedCart } from '../pricing/priced-cart.ts';
import type { CartLine, DeliveryFee, IntendedPayment } from '../pricing/pricing-facts.ts';
import {
  cartTax,
  type DeliveryZoneRow,
  type PaymentTypeRow,
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectTaxesInForce,
  type TaxRow,
} from '../settings/terms-of-sale.ts';
import type { OrderType } from './order-record.ts';
import { quantityMax } from './order-schemas.ts';

/** A cart as a preview and an order ask for it: the same fields, the same decisions, the same cents. */
export interface CartRequest {
  readonly type: OrderType;
  readonly lineItems: readonly { readonly productOptionId: number; readonly quantity: number }[];
  readonly customer: IdentifiedCustomer | null;
  readonly postalCode: string | null;
  readonly deliveryFeeCents: number | null;
  readonly deliveryFeeDescription: string | null;
  readonly discountCodes: readonly string[];
  readonly payments: readonly CartPayment[];
}

export interface CartPayment {
  readonly paymentTypeId: number;
  readonly amountCents: number | 'remaining';
}

/** The fields that pricing and creation share, as they come from a checked body. */
interface CartBody {
  readonly type: 'delivery' | 'pickup';
  readonly lineItems: CartRequest['lineItems'];
  readonly deliveryFee?: number;
  readonly deliveryFeeDescription?: string;
  readonly discountCodes?: readonly string[];
  readonly payments?: readonly {
    readonly paymentTypeId: number;
    readonly amount?: number;
    readonly remaining?: boolean;
  }[];
}

/** Reads what a schema cannot say (D19, D32), before anything is looked up. Fails with 400 codes only. */
export function readCart<Customer extends PresentedCustomer | undefined>(
  body: CartBody & { readonly customer?: Customer },
  postalCode: string | null,
) {
  const customer = body.customer === undefined ? null : identifyCustomer(body.customer);
  const quantities = new Map<number, number>();
  for (const { productOptionId, quantity } of body.lineItems) {
    const sum = (quantities.get(productOptionId) ?? 0) + quantity;
    if (sum > quantityMax) {
      throw failure(
        'INVALID_ORDER_QUANTITY',
        `lineItems: the quantities of option ${productOptionId} must add up to at most ${quantityMax}`,
      );
    }
    quantities.set(productOptionId, sum);
  }
  const payments = (body.payments ?? []).map(({ paymentTypeId, amount, remaining }, index): CartPayment => {
    const takesRest = remaining === true;
    if (takesRest === (amount !== undefined)) {
      throw failure('INVALID_PARAMS', `payments[${index}] must have either amount or remaining: true`);
    }
    return { paymentTypeId, amountCents: amount ?? 'remaining' };
  });
  if (payments.filter((payment) => payment.amountCents === 'remaining').length > 1) {
    throw failure('INVALID_PARAMS', 'payments must have at most one with remaining: true');
  }
  return {
    type: body.type,
    lineItems: body.lineItems,
    customer: customer as Customer extends undefined ? IdentifiedCustomer | null : IdentifiedCustomer,
    postalCode,
    deliveryFeeCents: body.deliveryFee ?? null,
    deliveryFeeDescription: body.deliveryFeeDescription ?? null,
    discountCodes: body.discountCodes ?? [],
    payments,
  };
}

/**
 * All that the decision rests on, to be read on one snapshot or in the order's transaction. What a request does
 * not name is not looked up.
 */
export function cartFactStatements(request: CartRequest, nowMs: number) {
  const { customer, postalCode, payments } = request;
  return [
    selectOrganization({}),
    selectSellableOptions({ optionIds: [...new Set(request.lineItems.map((line) => line.productOptionId))] }),
    selectTaxesInForce({ at: isoTimestamp(nowMs) }),
    postalCode === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(postalCode) }),
    payments.length === 0 ? null : selectPaymentTypes({}),
    customer === null ? null : selectMatchingCustomers(customer),
  ] as const;
}

export type FactRows = readonly [
  OrganizationRow[],
  SellableOptionRow[],
  TaxRow[],
  DeliveryZoneRow[],
  PaymentTypeRow[],
  CustomerRow[],
];

export interface DecidedCart {
  readonly organization: OrganizationRow;
  /** By option id. */
  readonly options: ReadonlyMap<number, SellableOptionRow>;
  readonly zone: DeliveryZoneRow | null;
  readonly customerCandidates: readonly CustomerRow[];
  readonly deliveryFee: DeliveryFee | null;
  readonly isMedical: boolean;
  readonly taxExempt: boolean;
  readonly priced: PricedCart;
  readonly orderMinimumCents: number;
  readonly metOrderMinimum: boolean;
}

/**
 * Decides what a cart costs, or refuses it, in the order of D13: things that are not there first, then
 * business refusals. Reads nothing: all facts are given. Stock and order minimum are for the caller: a
 * preview does not refuse for them.
 */
export function decideCart(
  request: CartRequest,
  rows: FactRows,
  nowMs: number,
  explain: boolean,
): DecidedCart {
  const [[organization], optionRows, taxRows, [zoneRow], paymentTypeRows, customerCandidates] = rows;
  assert(organization !== undefined, 'the organization has vanished');
  const options = new Map(optionRows.map((row) => [row.option_id, row]));

  const lines: CartLine[] = request.lineItems.map(({ productOptionId, quantity }, index) => {
    const option = options.get(productOptionId);
    if (option === undefined || option.product_is_deleted) {
      throw failure(
        'PRODUCT_OPTION_NOT_FOUND',
        `lineItems[${index}].productOptionId names no product option: ${productOptionId}`,
      );
    }
    return {
      productOptionId,
      productId: option.product_id,
      productCategoryId: option.category_id,
      quantity,
      priceCents: option.price_cents,
      salesPriceCents: option.sales_price_cents,
    };
  });
  const payments = request.payments.map((payment, index) =>
    intendedPayment(payment, index, paymentTypeRows, request.type),
  );

  if (!offers(organization, request.type)) {
    throw failure('INVALID_ORDER_TYPE', `type ${request.type} is not offered by this organization`);
  }
  for (const { productOptionId } of request.lineItems) {
    const { product_id: productId, product_is_active: isActive } = options.get(productOptionId)!;
    if (!isActive) {
      throw failure('PRODUCT_IS_INACTIVE', `Product ${productId} is off the menu`, { productId });
    }
  }
  const zone = zoneRow === undefined || zoneRow.id === null ? null : zoneRow;
  if (request.type === 'delivery' && zone === null && zoneRow?.has_zones) {
    throw failure(
      'DELIVERY_AREA_NOT_SERVED',
      `postalCode ${request.postalCode} lies outside every delivery zone`,
      {
        postalCode: request.postalCode,
      },
    );
  }
  const discountCode = request.discountCodes[0];
  if (discountCode !== undefined) {
    throw failure('DISCOUNT_CODE_INVALID', 'discountCodes[0] is not a code of this organization', {
      discountCode,
    });
  }

  const person = request.customer === null ? null : chooseCustomer(request.customer, customerCandidates);
  const isMedical =
    person?.medical_expiration != null && person.medical_expiration >= localDateAt(nowMs, organization.tz);
  const taxExempt = isMedical && organization.medical_tax_exempt;

  const deliveryFee = deliveryFeeOf(request, zone);
  const priced = priceCart({
    lines: mergeLines(lines),
    taxes: taxRows.map(cartTax),
    taxExempt,
    deliveryFee,
    payments,
    discountLimits: {
      budtenderPercent: organization.budtender_discount_percent,
      managerPercent: organization.manager_discount_percent,
    },
    explain,
  });
  if (!priced.paymentsVerdict.ok) {
    const { expectedCents, givenCents } = priced.paymentsVerdict;
    throw failure(
      'INVALID_ORDER',
      `payments must add up to ${expectedCents} cents (what is to be paid before payment fees), not ${givenCents}`,
    );
  }

  // D27: the zone's minimum for deliveries, else the organization's for the order type.
  const orderMinimumCents = {
    delivery: zone?.order_minimum_cents ?? organization.delivery_minimum_cents,
    pickup: organization.pickup_minimum_cents,
    'in-store': 0,
  }[request.type];
  return {
    organization,
    options,
    zone,
    customerCandidates,
    deliveryFee,
    isMedical,
    taxExempt,
    priced,
    orderMinimumCents,
    metOrderMinimum: priced.merchandiseCents >= orderMinimumCents,
  };
}

function offers(organization: OrganizationRow, type: OrderType): boolean {
  return {
    delivery: organization.has_delivery,
    pickup: organization.has_pickup,
    'in-store': true,
  }[type];
}

/** D28: the passed-through fee if one is sent (also 0), else the zone's. */
function deliveryFeeOf(request: CartRequest, zone: DeliveryZoneRow | null): DeliveryFee | null {
  if (request.deliveryFeeCents !== null) {
    return { cents: request.deliveryFeeCents, description: request.deliveryFeeDescription };
  }
  if (request.type !== 'delivery' || zone?.delivery_fee_cents == null) return null;
  return { cents: zone.delivery_fee_cents, description: zone.delivery_fee_description };
}

function intendedPayment(
  payment: CartPayment,
  index: number,
  paymentTypes: readonly PaymentTypeRow[],
  orderType: OrderType,
): IntendedPayment {
  const type = paymentTypes.find((row) => row.id === payment.paymentTypeId);
  if (type === undefined) {
    throw failure(
      'PAYMENT_TYPE_NOT_FOUND',
      `payments[${index}].paymentTypeId names no payment type: ${payment.paymentTypeId}`,
    );
  }
  if (orderType === 'delivery' && !type.available_delivery) {
    throw failure('INVALID_ORDER', `payments[${index}]: ${type.name} cannot be used for delivery orders`);
  }
  return {
    paymentTypeId: type.id,
    name: type.name,
    feeCents: type.fee_cents,
    feePercent: type.fee_percent,
    feeDescription: type.fee_description,
    amountCents: payment.amountCents,
  };
}
