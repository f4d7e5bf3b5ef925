import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { barredLoyalty, mayBarDiscounts } from '../../engines/duties/barred-promotions.ts';
import { type DutyFacts, type DutyRefusal, refusedDuties } from '../../engines/duties/judge-duties.ts';
import { refusedForFacts } from '../../engines/duties/missing-facts.ts';
import type { ShopDuties } from '../../engines/duties/shop-duties.ts';
import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import type { CartLine, CartTax } from '../../engines/pricing/pricing-facts.ts';
import type {
  LimitedLine,
  PurchaseLimitsVerdict,
} from '../../engines/purchase-limits/check-purchase-limits.ts';
import type { PurchaseLimitRule } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { failure } from '../../kernel/failure.ts';
import { type SellableOptionRow, statedGoods } from '../catalog/products.ts';
import type { CaregiverRow } from '../customers/caregivers.ts';
import type { IdentifiedCustomer } from '../customers/match-customer.ts';
import { barredOn, type OfferedDiscountRow } from '../promotions/promotions.ts';
import type { FactRows } from './cart-facts.ts';
import type { CartRequest } from './cart-request.ts';
import type { CartWarning } from './cart-schemas.ts';
import { countedLines, countsThc } from './counted-lines.ts';
import {
  assertMayBuy,
  assertWithinLimits,
  audienceOf,
  checkLimits,
  type LegalStanding,
  limitsFor,
} from './customer-rules.ts';

/* What the law of the state and the shop's own settings refuse, besides ages and limits (D93). Pure. */

/** How an organization meets its duties. */
export function shopDutiesOf({ duty_settings: stored }: Pick<OrganizationRow, 'duty_settings'>): ShopDuties {
  const { saleHours = null, overrides = {}, isPractice = false, idCheck = false } = stored;
  return { saleHours, overrides, isPractice, idCheck, vehicleValueCents: stored.vehicleValueCents ?? null };
}

/** The cart of a sale, for its duties. */
export interface DutyCart {
  readonly organization: Pick<OrganizationRow, 'tz' | 'duty_settings'>;
  readonly standing: LegalStanding;
  readonly nowMs: number;
  readonly channel: DutyFacts['channel'];
  readonly isHandOver: boolean;
  readonly isNamed: boolean;
  /** Absent: an ID is not asked yet. */
  readonly isIdChecked?: boolean;
  /** The value of the cannabis that the vehicle carries besides, in cents. */
  readonly carriedCents?: number;
  /** Whether the age is asked as well, and of which caregiver. */
  readonly asksAge?: boolean;
  readonly caregiver?: CaregiverRow | undefined;
  readonly lines: DutyFacts['lines'];
  readonly limits: readonly PurchaseLimitRule[];
}

/** What an order of this cart would be refused for; none: it keeps every duty that is enforced. */
function cartDuties(cart: DutyCart): DutyRefusal[] {
  const { organization, standing, isNamed } = cart;
  // Field by field: every price is judged, and a rest of fields costs more than the judgment.
  return refusedDuties({
    jurisdiction: standing.jurisdiction,
    nowMs: cart.nowMs,
    tz: organization.tz,
    shop: shopDutiesOf(organization),
    channel: cart.channel,
    isHandOver: cart.isHandOver,
    buyer: { isNamed, isMedical: standing.isMedical },
    lines: cart.lines,
    limits: cart.limits,
    ...(cart.isIdChecked !== undefined && { isIdChecked: cart.isIdChecked }),
    ...(cart.carriedCents !== undefined && { carriedCents: cart.carriedCents }),
  });
}

/** A cart as it was decided, or goods as they are handed over. */
type Judged = { readonly purchaseLimits: PurchaseLimitsVerdict } & (
  | { readonly dutyRefusals: readonly DutyRefusal[] }
  | { readonly handOver: DutyCart }
);

/** Fails for the age or the caregiver of a hand-over, with the error of the first duty that is broken, and then with PURCHASE_LIMIT_EXCEEDED. */
export function assertLawful({ purchaseLimits, ...judged }: Judged): void {
  if ('handOver' in judged && (judged.handOver.asksAge || judged.handOver.caregiver !== undefined)) {
    assertMayBuy(judged.handOver.standing, judged.handOver.caregiver);
  }
  const [refusal] = 'handOver' in judged ? cartDuties(judged.handOver) : judged.dutyRefusals;
  if (refusal !== undefined) {
    const { code, words, duty, citation } = refusal;
    throw failure(code, words, { duty, citation });
  }
  assertWithinLimits(purchaseLimits);
}

/** The broken duties as warnings of a preview. */
export function dutyWarnings(refusals: readonly DutyRefusal[]): CartWarning[] {
  return refusals.map(({ code, words }) => ({ code, message: words }));
}

/** The facts of a priced cart. */
export interface PricedSale {
  readonly organization: DutyCart['organization'];
  /** By option id. */
  readonly options: ReadonlyMap<number, SellableOptionRow>;
  readonly priced: Pick<PricedCart, 'lines'>;
  readonly nowMs: number;
  readonly isNamed: boolean;
  /** The taxes of the cart, as the buyer owes them. */
  readonly owed: { readonly taxes: readonly CartTax[]; readonly taxExempt: boolean };
}

/** The limits and the duties of a cart. Both count the same lines against the same limits. */
export function judgeByLaw(
  request: CartRequest,
  sale: PricedSale,
  standing: LegalStanding,
  ownRules: FactRows[6],
  bought: FactRows[7],
): { readonly purchaseLimits: PurchaseLimitsVerdict; readonly dutyRefusals: readonly DutyRefusal[] } {
  const { type: orderType, postalCode } = request;
  const limits = limitsFor(standing, audienceOf(standing), ownRules, { orderType, postalCode });
  const withThc = countsThc(standing.jurisdiction, ownRules);
  const counted = countedLines(request, sale.options, withThc);
  const purchaseLimits = checkLimits(limits, standing.today, counted, bought);
  const refusals = dutiesOf(request, standing, limits, counted, sale);
  const { owed, options } = sale;
  if (!withThc && owed.taxes.every(({ basis }) => basis == null)) {
    return { purchaseLimits, dutyRefusals: refusals };
  }
  const lacking = refusedForFacts([...options.values()].map(statedGoods), { ...owed, limits });
  return { purchaseLimits, dutyRefusals: refusals.concat(lacking) };
}

/** What an order of a cart would be refused for now, besides ages and limits. `limits`: those of this buyer at this place. */
function dutiesOf(
  { type: channel, lineItems }: Pick<CartRequest, 'type' | 'lineItems'>,
  standing: LegalStanding,
  limits: readonly PurchaseLimitRule[],
  counted: readonly LimitedLine[],
  { organization, options, priced, nowMs, isNamed: known }: PricedSale,
): DutyRefusal[] {
  const lines = counted.map(({ cannabisType, content, thcMg, quantity }, index) => {
    const { productOptionId } = lineItems[index]!;
    const option = options.get(productOptionId)!;
    const charged = priced.lines.find((it) => it.productOptionId === productOptionId);
    const unitPriceCents = charged?.unitPriceCents ?? option.price_cents;
    return { name: option.product_name, cannabisType, content, thcMg, quantity, unitPriceCents };
  });
  const isHandOver = channel === 'in-store';
  return cartDuties({ organization, standing, nowMs, channel, isHandOver, isNamed: known, lines, limits });
}

/** Whether a cart names its buyer. Placeholders of contacts name no person (D84). */
export function isNamed(presented: IdentifiedCustomer | null, person: object | null): boolean {
  return person !== null || presented?.emailNormalized != null || presented?.phoneNormalized != null;
}

interface OfferedCart {
  readonly standing: LegalStanding;
  readonly request: Pick<CartRequest, 'discountCodes' | 'chosenDiscountIds' | 'loyaltyRewards'>;
  readonly lines: readonly CartLine[];
}

/** The discounts that the law lets this buyer have, and what is said of the others. */
export interface LawfulDiscounts {
  readonly offered: readonly OfferedDiscountRow[];
  readonly warnings: readonly CartWarning[];
}

/**
 * Keeps barred discounts off cannabis: automatic ones are not given on it, which is told. One that the cart asks for fails with
 * DISCOUNT_NOT_ALLOWED_BY_LAW, and so do rewards where points are barred.
 */
export function lawfulDiscounts(
  { standing, request, lines }: OfferedCart,
  offered: readonly OfferedDiscountRow[],
): LawfulDiscounts {
  const { jurisdiction, today, isMedical } = standing;
  const cannabis = lines.filter(({ isCannabis }) => isCannabis);
  if (jurisdiction === null || cannabis.length === 0) return { offered, warnings: [] };
  const loyalty = request.loyaltyRewards?.length ? barredLoyalty(jurisdiction, today, isMedical) : null;
  if (loyalty !== null) throw notAllowed(loyalty);
  if (!mayBarDiscounts(jurisdiction).isSo) return { offered, warnings: [] };
  const codes = request.discountCodes.map(normalizeCode);
  const warnings: CartWarning[] = [];
  const kept = offered.map((row) => {
    // It is for others, so that it applies to nothing here.
    if (row.customer_type !== null && (row.customer_type === 'medical') !== isMedical) return row;
    const barred = barredOn(row, standing, lines);
    if (barred === null) return row;
    const { words, isOnOrder } = barred;
    const isAsked = row.trigger === 'manual' || row.code_keys.some((key) => codes.includes(key));
    if (isAsked) throw notAllowed(barred, row.name);
    warnings.push({
      code: 'DISCOUNT_NOT_ALLOWED_BY_LAW',
      message: `“${row.name}” is not given: ${words}`,
    });
    const others = lines
      .filter(({ isCannabis }) => !isCannabis && !isOnOrder)
      .map(({ productOptionId }) => productOptionId);
    const { only_option_ids: only } = row;
    return {
      ...row,
      only_option_ids: only === undefined ? others : others.filter((id) => only.includes(id)),
    };
  });
  return { offered: warnings.length === 0 ? offered : kept, warnings };
}

function notAllowed(
  { words, citation }: { readonly words: string; readonly citation: string },
  name?: string,
) {
  const what = name === undefined ? words : `“${name}”: ${words}`;
  return failure('DISCOUNT_NOT_ALLOWED_BY_LAW', what, { citation });
}
