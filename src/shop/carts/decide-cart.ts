import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import type { DutyRefusal } from '../../engines/duties/judge-duties.ts';
import { unitContent } from '../../engines/goods/potency.ts';
import type { Jurisdiction, Sourced } from '../../engines/jurisdictions/jurisdiction.ts';
import { isInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { priceCart } from '../../engines/pricing/price-cart.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import type { CartLine, CartTax, DeliveryFee, IntendedPayment } from '../../engines/pricing/pricing-facts.ts';
import { reducedUnitPriceCents } from '../../engines/pricing/reduced-unit-price.ts';
import type { PurchaseLimitsVerdict } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { type SellableOptionRow, statedContent } from '../catalog/products.ts';
import type { CustomerRow } from '../customers/customer-queries.ts';
import { chooseCustomer, fullNameOf, withoutPlaceholders } from '../customers/customers.ts';
import type { IdentifiedCustomer } from '../customers/match-customer.ts';
import {
  accountCredits,
  assertDiscountsApply,
  assertRewardsTake,
  chosenRewards,
  discountFacts,
  type OfferedDiscountRow,
} from '../promotions/promotions.ts';
import type { DeliveryZoneRow } from '../settings/delivery-zone-queries.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import { cartTax, taxesOf, undecidedInWords } from '../settings/terms-of-sale.ts';
import { isNamed, judgeByLaw, lawfulDiscounts } from './cart-duties.ts';
import type { FactRows } from './cart-facts.ts';
import type { CartPayment, CartRequest } from './cart-request.ts';
import type { CartWarning, OrderType } from './cart-schemas.ts';
import { assertBuyer, type LegalStanding, legalEligibility, unknownOfLimits } from './customer-rules.ts';
import { withWeights } from './weighed-option.ts';

export interface DecidedCart {
  readonly organization: OrganizationRow;
  /** By option id. */
  readonly options: ReadonlyMap<number, SellableOptionRow>;
  readonly zone: DeliveryZoneRow | null;
  readonly customerCandidates: readonly CustomerRow[];
  /** The customer of the request, without placeholders of contacts (D84); null: none, or one by id. */
  readonly presented: IdentifiedCustomer | null;
  /** The customer, if they are on file and known to be that person. */
  readonly person: { readonly id: number; readonly fullName: string } | null;
  readonly deliveryFee: DeliveryFee | null;
  readonly isMedical: boolean;
  readonly taxExempt: boolean;
  /** True if the request's `taxExempt` exempts a customer who would otherwise be charged. */
  readonly isExemptByHand: boolean;
  readonly purchaseLimits: PurchaseLimitsVerdict;
  readonly priced: PricedCart;
  readonly orderMinimumCents: number;
  readonly metOrderMinimum: boolean;
  /** The discounts that were offered, and the taxes that were in force: the terms of the cart, which an order keeps. */
  readonly offered: readonly OfferedDiscountRow[];
  readonly taxIds: readonly number[];
  /** How its taxes are charged. */
  readonly cartTaxes: readonly CartTax[];
  readonly taxBase?: string | undefined;
  /** The duties of the state and the shop that an order of the cart would break now (D93). */
  readonly dutyRefusals: readonly DutyRefusal[];
  /** The edition of the law that decided it. */
  readonly lawEdition: string;
  /** Uncertainties about the amounts; texts are about taxes. */
  readonly warnings: readonly (string | CartWarning)[];
}

/**
 * Prices a cart or refuses it, in the order of D13: missing things first, then business refusals. Reads nothing; the
 * caller supplies all facts. The caller also decides on stock, purchase limits and the order minimum, because a
 * preview does not refuse for them.
 */
export function decideCart(
  request: CartRequest,
  rows: FactRows,
  law: Law,
  nowMs: number,
  explain: boolean,
): DecidedCart {
  const [[organization], optionRows, taxRows, [zoneRow], paymentTypeRows, customerCandidates] = rows;
  const [, , , , , , limitRules, , offered, rewards, caregivers] = rows;
  assert(organization !== undefined, 'the organization does not exist');
  const catalog = optionsById(optionRows);

  assertOptionsKnown(request.lineItems, catalog);
  const options = withWeights(request.lineItems, catalog);
  const lines = cartLinesOf(request, options);
  const paymentTypes = knownPaymentTypes(request.payments, paymentTypeRows);
  const { presented, person } = customerOf(request, organization, customerCandidates);
  const birthday = person?.birthday ?? request.customer?.birthday ?? null;
  const eligibility = eligibilityOf(person, birthday, law, organization, nowMs);
  const buyer = buyerOf(request, person, eligibility, customerCandidates);
  const lawful = lawfulDiscounts({ standing: eligibility, request, lines }, offered);
  const promotions = { offered: lawful.offered, rewards };
  const discounts = discountFacts(request, promotions, buyer, organization.tz, nowMs);

  if (!offers(organization, request.type)) {
    throw failure('INVALID_ORDER_TYPE', `type ${request.type} is not offered by this organization`);
  }
  assertProductsActive(request, options);
  const payments = intendedPayments(request.payments, paymentTypes, request.type);
  const zone = servedZone(request, zoneRow);
  assertBuyer(eligibility, request, caregivers);

  const taxExempt = request.taxExempt?.exempt ?? eligibility.taxExempt;
  const deliveryFee = deliveryFeeOf(request, zone, organization);
  const priceRules = priceRulesOf(eligibility.jurisdiction, organization, eligibility.today);
  refuseSaleBelowFloor(lines, options, organization, priceRules.freeProductFloorCents);
  const place = { orderType: request.type, postalCode: request.postalCode };
  const taxes = taxesOf(place, zone, eligibility.isMedical, taxRows);
  const cartTaxes = taxes.map(cartTax);
  const priced = priceCart({
    lines: taxedLines(lines, cartTaxes, options),
    taxes: cartTaxes,
    taxExempt,
    deliveryFee,
    payments,
    discountLimits: discountLimitsOf(organization),
    discounts,
    adjustments: request.adjustments ?? [],
    loyaltyRewards: chosenRewards(request, promotions, buyer),
    credits: (request.autoApplyCredits ?? organization.auto_apply_credits) ? accountCredits(buyer) : [],
    freeProductFloorCents: priceRules.freeProductFloorCents,
    taxBase: priceRules.taxBase,
    explain,
  });
  assertDiscountsApply(request, promotions, priced);
  assertRewardsTake(request, priced);
  assertPaymentsAddUp(priced);

  const orderMinimumCents = orderMinimumOf(request.type, zone, organization);
  const owed = { taxes: cartTaxes, taxExempt };
  const sale = { organization, options, priced, nowMs, owed, isNamed: isNamed(presented, person) };
  return {
    organization,
    options,
    zone,
    person: person && { id: person.id, fullName: fullNameOf(person.first_name, person.last_name) },
    ...{ customerCandidates, presented, isMedical: eligibility.isMedical },
    ...{ deliveryFee, taxExempt, isExemptByHand: taxExempt && !eligibility.taxExempt },
    priced,
    ...judgeByLaw(request, sale, eligibility, limitRules, boughtBy(person, request, rows)),
    ...{ orderMinimumCents, metOrderMinimum: priced.merchandiseCents >= orderMinimumCents },
    ...{ lawEdition: law.edition.edition, cartTaxes, taxBase: priceRules.taxBase },
    ...{ offered, taxIds: taxRows.map(({ id }) => id) },
    warnings: zoneWarnings(request, zoneRow).concat(
      lawful.warnings,
      lines.some(({ isCannabis }) => isCannabis) ? unknownOfLimits(eligibility) : [],
      eligibility.isMedical && taxExempt ? undecidedInWords(taxes) : [],
    ),
  };
}

/** What the customer bought, less what comes back for this cart. */
function boughtBy(
  person: { readonly id: number } | null,
  { boughtBack = [] }: CartRequest,
  { 7: bought }: FactRows,
): FactRows[7] {
  return person === null ? [] : [...bought, ...boughtBack].filter((row) => row.customer_id === person.id);
}

function optionsById(rows: readonly SellableOptionRow[]): Map<number, SellableOptionRow> {
  const options = new Map<number, SellableOptionRow>();
  for (const row of rows) options.set(row.option_id, row);
  return options;
}

/** Fails with INVALID_ORDER for a price of an option that the cart does not have. */
function cartLinesOf(
  { lineItems, priceOverrides = [], lineReductions = [] }: CartRequest,
  options: DecidedCart['options'],
): CartLine[] {
  const given = new Map(priceOverrides.map((it) => [it.productOptionId, it.unitPriceCents]));
  assertOfLines('priceOverrides', priceOverrides, lineItems);
  assertOfLines('lineReductions', lineReductions, lineItems);
  for (const reduction of lineReductions) {
    const option = options.get(reduction.productOptionId)!;
    const unitPriceCents = option.sales_price_cents ?? option.price_cents;
    given.set(reduction.productOptionId, reducedUnitPriceCents(unitPriceCents, reduction));
  }
  return lineItems.map(({ productOptionId, quantity }) => {
    const option = options.get(productOptionId)!;
    return {
      productOptionId,
      productId: option.product_id,
      productCategoryId: option.category_id,
      productBrandId: option.brand_id,
      productTagIds: option.tag_ids,
      isCannabis: option.cannabis_type !== 'none',
      quantity,
      priceCents: option.price_cents,
      salesPriceCents: option.sales_price_cents,
      givenPriceCents: given.get(productOptionId) ?? null,
      ...(option.weight_rule !== undefined && { priceRule: option.weight_rule }),
    };
  });
}

/** The lines, with what their units hold where a tax asks for it. */
function taxedLines(
  lines: readonly CartLine[],
  taxes: readonly CartTax[],
  options: DecidedCart['options'],
): readonly CartLine[] {
  if (taxes.every(({ basis }) => basis == null)) return lines;
  return lines.map((line) => ({
    ...line,
    content: unitContent(statedContent(options.get(line.productOptionId)!)),
  }));
}

function assertOfLines(
  field: string,
  given: readonly { readonly productOptionId: number }[],
  lineItems: CartRequest['lineItems'],
): void {
  for (const [index, { productOptionId }] of given.entries()) {
    if (lineItems.some((line) => line.productOptionId === productOptionId)) continue;
    throw failure(
      'INVALID_ORDER',
      `${field}[${index}].productOptionId must be an option of lineItems, not ${productOptionId}`,
    );
  }
}

/** Fails with PRODUCT_IS_INACTIVE for the first line whose product is inactive or deleted. */
function assertProductsActive({ lineItems }: CartRequest, options: DecidedCart['options']): void {
  for (const { productOptionId } of lineItems) {
    const option = options.get(productOptionId)!;
    const { product_id: productId, product_is_active: isActive, product_is_deleted: isDeleted } = option;
    if (isActive && !isDeleted) continue;
    const why = isDeleted ? 'has been deleted' : 'is off the menu';
    throw failure('PRODUCT_IS_INACTIVE', `Product ${productId} ${why}`, { productId });
  }
}

/** The delivery zone of the ZIP code, if any. Fails with DELIVERY_AREA_NOT_SERVED. */
function servedZone(
  { type, postalCode }: CartRequest,
  zoneRow: FactRows[3][number] | undefined,
): DeliveryZoneRow | null {
  const zone = zoneRow === undefined || zoneRow.id === null ? null : zoneRow;
  if (type === 'delivery' && postalCode !== null && zone === null && zoneRow?.has_zones) {
    throw failure('DELIVERY_AREA_NOT_SERVED', `postalCode ${postalCode} is outside every delivery zone`, {
      postalCode,
    });
  }
  return zone;
}

/** D79: zones decide fee, minimum and taxes, and the cart does not say which one. */
function zoneWarnings(
  { postalCode }: CartRequest,
  zoneRow: FactRows[3][number] | undefined,
): (string | CartWarning)[] {
  if (postalCode !== null || !zoneRow?.has_zones) return [];
  const message =
    'The delivery zone is not known without address.postalCode or postalCode: its fee, minimum and taxes are not in these amounts';
  return [{ code: 'DELIVERY_ZONE_UNKNOWN', message }];
}

function discountLimitsOf(organization: OrganizationRow) {
  return {
    budtenderPercent: organization.budtender_discount_percent,
    managerPercent: organization.manager_discount_percent,
    maximumPercent: organization.maximum_discount_percent,
  };
}

/** Fails with INVALID_ORDER. */
function assertPaymentsAddUp({ paymentsVerdict }: PricedCart): void {
  if (paymentsVerdict.ok) return;
  const { expectedCents, givenCents } = paymentsVerdict;
  throw failure(
    'INVALID_ORDER',
    `payments must add up to ${expectedCents} cents (the amount due before payment fees), not ${givenCents}`,
  );
}

/** D27: deliveries use the zone's minimum; otherwise the organization's minimum for the order type applies. */
function orderMinimumOf(
  type: OrderType,
  zone: DeliveryZoneRow | null,
  organization: OrganizationRow,
): number {
  if (type === 'delivery') return zone?.order_minimum_cents ?? organization.delivery_minimum_cents;
  return type === 'pickup' ? organization.pickup_minimum_cents : 0;
}

/** The customer as sent, and as on file. Fails with USER_NOT_FOUND when `customerId` matches no customer. */
function customerOf(
  { customer, customerId, isUnproven }: CartRequest,
  { placeholder_contacts: listed }: OrganizationRow,
  candidates: readonly CustomerRow[],
): { readonly presented: IdentifiedCustomer | null; readonly person: CustomerRow | null } {
  if (customerId === undefined) {
    const presented = customer && withoutPlaceholders(customer, listed);
    // D62a: who is only claimed is a stranger. Nothing on file is used, counted or told.
    const isKnown = presented !== null && isUnproven !== true;
    return { presented, person: isKnown ? chooseCustomer(presented, candidates) : null };
  }
  const person = candidates.find(({ id }) => id === customerId);
  if (person === undefined) throw failure('USER_NOT_FOUND', `customerId names no customer: ${customerId}`);
  return { presented: null, person };
}

/** The customer of the request with their account, if they are on file; null: no customer is named. */
function buyerOf(
  { customer }: CartRequest,
  person: CustomerRow | null,
  { birthday, isMedical }: LegalStanding,
  candidates: FactRows[5],
) {
  if (customer === null && person === null) return null;
  return { birthday, isMedical, account: candidates.find(({ id }) => id === person?.id) ?? null };
}

function eligibilityOf(
  person: CustomerRow | null,
  birthday: string | null,
  law: Law,
  organization: OrganizationRow,
  nowMs: number,
) {
  const facts = {
    birthday,
    medicalExpiration: person?.medical_expiration ?? null,
    residence: person?.residence ?? null,
    taxExempt: person?.tax_exempt ?? null,
  };
  return legalEligibility(law, organization, facts, nowMs);
}

/** The state's price rules on a local day. An organization's floor can only raise the legal floor. */
export function priceRulesOf(
  jurisdiction: Jurisdiction | null,
  { free_product_floor_cents: ownFloorCents }: OrganizationRow,
  today: string,
) {
  const holds = (datum: Sourced | null | undefined) => datum != null && isInForce(datum, today);
  const legalFloorCents = holds(jurisdiction?.freeProductsBarred) ? 1 : 0;
  return {
    freeProductFloorCents: Math.max(ownFloorCents ?? 0, legalFloorCents),
    taxBase: holds(jurisdiction?.taxedBeforeDiscounts)
      ? ('before-discounts' as const)
      : ('after-discounts' as const),
  };
}

/**
 * The pricing engine keeps discounts above the floor. A sale price and a price by hand are discounts too; one below the floor is refused,
 * because charging more than the displayed price is not allowed. An option whose regular price is below the floor
 * sells for that price, and an option priced at 0 is free (D28a): there is nothing to trim. Fails with INVALID_ORDER.
 */
function refuseSaleBelowFloor(
  lines: readonly CartLine[],
  options: DecidedCart['options'],
  { state, free_product_floor_cents: ownFloorCents }: OrganizationRow,
  floorCents: number,
): void {
  if (floorCents === 0) return;
  for (const [index, line] of lines.entries()) {
    const { isCannabis, priceCents, givenPriceCents = null, productOptionId } = line;
    const reducedCents = givenPriceCents ?? line.salesPriceCents;
    if (!isCannabis || reducedCents === null || reducedCents >= Math.min(floorCents, priceCents)) continue;
    const name = options.get(productOptionId)!.product_name;
    const source =
      floorCents === ownFloorCents ? 'set by the organization' : `required by the law of ${state}`;
    throw failure(
      'INVALID_ORDER',
      `lineItems[${index}]: a unit of ${name} is ${givenPriceCents === null ? 'on sale for' : 'set to'} ${reducedCents} cents, but cannabis must cost at least ${floorCents} cents, ${source}`,
    );
  }
}

function offers(organization: OrganizationRow, type: OrderType): boolean {
  return {
    delivery: organization.has_delivery,
    pickup: organization.has_pickup,
    'in-store': organization.has_in_store,
  }[type];
}

/** D28: the fee in the request (also 0) if present, else the zone's fee, which is the shop's own. */
function deliveryFeeOf(
  request: CartRequest,
  zone: DeliveryZoneRow | null,
  { tax_pass_through_fees: taxesPassedThrough }: OrganizationRow,
): DeliveryFee | null {
  const { deliveryFeeCents: cents, deliveryFeeDescription: description, deliveryFeeIsTaxed = true } = request;
  if (cents !== null) return { cents, description, isTaxed: deliveryFeeIsTaxed ?? taxesPassedThrough };
  if (request.type !== 'delivery' || zone?.delivery_fee_cents == null) return null;
  return { cents: zone.delivery_fee_cents, description: zone.delivery_fee_description };
}

/** Each payment with the terms of its type. Fails with INVALID_ORDER for a type that the order type does not allow. */
export function intendedPayments(
  payments: readonly CartPayment[],
  paymentTypes: readonly PaymentTypeRow[],
  orderType: OrderType,
): IntendedPayment[] {
  return payments.map(({ amountCents }, index) => {
    const type = paymentTypes[index]!;
    if (orderType === 'delivery' && !type.available_delivery) {
      throw failure('INVALID_ORDER', `payments[${index}]: ${type.name} cannot be used for delivery orders`);
    }
    return {
      paymentTypeId: type.id,
      name: type.name,
      feeCents: type.fee_cents,
      feePercent: type.fee_percent,
      feeDescription: type.fee_description,
      amountCents,
    };
  });
}

/* Checks that everything a cart names exists, before any business refusal (D13). */

/** Fails with PRODUCT_OPTION_NOT_FOUND for the first line whose option does not exist. `options`: by id. */
export function assertOptionsKnown(
  lineItems: readonly { readonly productOptionId: number }[],
  options: ReadonlyMap<number, unknown>,
): void {
  for (const [index, { productOptionId }] of lineItems.entries()) {
    if (options.has(productOptionId)) continue;
    throw failure(
      'PRODUCT_OPTION_NOT_FOUND',
      `lineItems[${index}].productOptionId must be the id of an option, as in the \`options\` of a product, not of the product: ` +
        `there is no option ${productOptionId}.`,
    );
  }
}

/** The type of each payment. Fails with PAYMENT_TYPE_NOT_FOUND for the first payment whose type does not exist. */
export function knownPaymentTypes(
  payments: readonly { readonly paymentTypeId: number }[],
  paymentTypes: readonly PaymentTypeRow[],
): PaymentTypeRow[] {
  return payments.map(({ paymentTypeId }, index) => {
    const type = paymentTypes.find((row) => row.id === paymentTypeId);
    if (type !== undefined) return type;
    throw failure(
      'PAYMENT_TYPE_NOT_FOUND',
      `payments[${index}].paymentTypeId names no payment type: ${paymentTypeId}`,
    );
  });
}
