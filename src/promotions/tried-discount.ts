import type { Static } from 'typebox';
import type { Context } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { normalizeCode } from '../pricing/discounts/choose-discounts.ts';
import type { PromotionRequest } from './cart-promotions.ts';
import { checkDiscount } from './check-discount.ts';
import { setupOfRow } from './discount-rows.ts';
import type { DiscountBody } from './discount-schemas.ts';
import type { DiscountSetup } from './discount-setup.ts';
import { type AskDiscountOrders, selectDiscountSetup } from './discount-setup-queries.ts';
import { rowOfOwnTerms } from './own-terms.ts';
import type { OfferedDiscountRow } from './promotion-queries.ts';
import { readDiscount } from './read-discount.ts';

/** A discount that a cart is priced with although nobody has saved it. */
export interface TriedDiscount {
  /** Of the one that it would take the place of, else one that comes after all others. */
  readonly id: number;
  readonly setup: DiscountSetup;
  /** Orders that used the one that it would take the place of. */
  readonly used: number;
}

/** No discount has it, and it comes after all others, as a new one does. */
export const newDiscountId = Number.MAX_SAFE_INTEGER;

/**
 * A whole discount as it was sent, in place of a saved one if one is named. Fails with DISCOUNT_NOT_FOUND, and with
 * INVALID_PARAMS where it could not be saved.
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

/** The request with the discount asked for in the way of its trigger: by its first code, or by hand. */
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

/** What a cart is offered if the discount were saved; in the order of all others. */
export function offeredWith(
  offered: readonly OfferedDiscountRow[],
  { id, setup, used }: TriedDiscount,
  nowMs: number,
): OfferedDiscountRow[] {
  const others = offered.filter((row) => row.id !== id);
  const hasEnded = setup.conditions.endsAtMs !== null && setup.conditions.endsAtMs <= nowMs;
  // As the statement that selects them has it.
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
    minimum_subtotal_cents: conditions.minimumSubtotalCents,
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
