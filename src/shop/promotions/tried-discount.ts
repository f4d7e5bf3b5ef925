import type { Static } from 'typebox';
import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { PromotionRequest } from './cart-promotions.ts';
import { checkDiscount } from './check-discount.ts';
import { setupOfRow } from './discount-rows.ts';
import type { DiscountBody } from './discount-schemas.ts';
import type { DiscountSetup } from './discount-setup.ts';
import { type AskDiscountOrders, selectDiscountSetup } from './discount-setup-queries.ts';
import { rowOfOwnTerms } from './own-terms.ts';
import type { OfferedDiscountRow } from './promotion-queries.ts';
import { readDiscount } from './read-discount.ts';

/** An unsaved discount that a cart is priced with. */
interface TriedDiscount {
  /** The id of the discount that it replaces, or `newDiscountId`. */
  readonly id: number;
  readonly setup: DiscountSetup;
  /** The number of orders that used the replaced discount. */
  readonly used: number;
}

/** No discount has this id; like a new discount, it applies after all others of its priority. */
export const newDiscountId = Number.MAX_SAFE_INTEGER;

/**
 * Reads a whole discount, which replaces a saved one if `replaces` is given. Fails with DISCOUNT_NOT_FOUND, and
 * with INVALID_PARAMS if it could not be saved.
 */
export async function loadTriedDiscount(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  body: Static<typeof DiscountBody>,
  replaces: number | undefined,
  askDiscountOrders: AskDiscountOrders,
): Promise<TriedDiscount> {
  const setup = readDiscount(body);
  const id = replaces ?? newDiscountId;
  const run: TenantTransaction['run'] = (...statements) => database.read(organization, ...statements);
  const [[saved], [uses]] = await run(
    replaces === undefined ? null : selectDiscountSetup({ id }),
    replaces === undefined ? null : askDiscountOrders({ ids: [id] }),
  );
  if (replaces !== undefined && saved === undefined) {
    throw failure('DISCOUNT_NOT_FOUND', `replaces names no discount: ${replaces}`);
  }
  const before = saved === undefined ? null : setupOfRow(saved);
  await checkDiscount({ run }, id, before, setup, clock.now(), { lock: false });
  return { id, setup, used: uses?.total ?? 0 };
}

/** The request with the discount added according to its trigger: by its first code, or as a manual discount. */
export function askingFor<Request extends PromotionRequest>(
  request: Request,
  { id, setup }: TriedDiscount,
): Request {
  const others = (request.chosenDiscountIds ?? []).filter((chosen) => chosen !== id);
  const [code] = setup.codes;
  const keys = request.discountCodes.map(normalizeCode);
  const isAsked = code === undefined || keys.includes(normalizeCode(code));
  return {
    ...request,
    discountCodes: isAsked ? request.discountCodes : [...request.discountCodes, code],
    chosenDiscountIds: setup.trigger === 'manual' ? [...others, id] : others,
  };
}

/** The discounts of a cart as if this one were saved, in their usual order. */
export function offeredWith(
  offered: readonly OfferedDiscountRow[],
  { id, setup, used }: TriedDiscount,
  nowMs: number,
): OfferedDiscountRow[] {
  const others = offered.filter((row) => row.id !== id);
  const hasEnded = setup.conditions.endsAtMs !== null && setup.conditions.endsAtMs <= nowMs;
  // As in the statement that selects discounts.
  if (setup.trigger === 'automatic' && hasEnded) return others;
  const rows = [...others, { ...rowOf(id, setup), used: setup.usesTotal === null ? null : used }];
  return rows.sort((a, b) => a.priority - b.priority || a.id - b.id);
}

function rowOf(id: number, setup: DiscountSetup): Omit<OfferedDiscountRow, 'used'> {
  const { targets, conditions } = setup;
  return {
    id,
    name: setup.name,
    kind: setup.kind,
    type: setup.type,
    amount: setup.amount,
    per_unit: setup.perUnit,
    maximum_amount_cents: setup.maximumAmountCents,
    product_ids: [...targets.productIds],
    product_option_ids: [...targets.optionIds],
    category_ids: [...targets.categoryIds],
    brand_ids: [...targets.brandIds],
    tag_ids: [...targets.tagIds],
    order_types: [...conditions.orderTypes],
    customer_group_ids: [...conditions.customerGroupIds],
    customer_type: conditions.customerType,
    minimum_subtotal_cents: conditions.minimumSubtotalCents,
    minimum_quantity: conditions.minimumQuantity,
    counts_whole_cart: conditions.countsWholeCart,
    exclude_sale_items: conditions.excludeSaleItems,
    first_order: conditions.firstOrder,
    birthday_month: conditions.birthdayMonth,
    schedule: [...conditions.schedule],
    starts_at: conditions.startsAtMs,
    ends_at: conditions.endsAtMs,
    trigger: setup.trigger,
    stackable: setup.stackable,
    priority: setup.priority,
    uses_per_order: setup.usesPerOrder,
    uses_per_customer: setup.usesPerCustomer,
    uses_total: setup.usesTotal,
    ...rowOfOwnTerms(setup),
    created_at: 0,
    updated_at: 0,
    code_keys: setup.codes.map(normalizeCode),
  };
}
