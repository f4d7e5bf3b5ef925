import { normalizeCode } from '../../src/engines/pricing/discounts/choose-discounts.ts';
import type { DiscountKind } from '../../src/engines/pricing/discounts/discount-kinds.ts';
import type {
  CartOrderType,
  DiscountAudience,
  DiscountTargets,
  ScheduleWindow,
} from '../../src/engines/pricing/discounts/discount-settings.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import { isoTimestamp } from '../../src/kernel/local-time.ts';
import type { Context } from '../../src/platform/database/context.ts';
import {
  insertCustomerCredits,
  insertDiscountCodes,
  insertDiscounts,
  insertLoyaltyRewards,
  recountDiscountUses,
} from '../../src/shop/promotions/promotions.ts';

/** An automatic stackable discount on every line or order, at any time, with the given changes. */
export interface TestDiscount {
  readonly kind: DiscountKind;
  readonly type: 'flat' | 'percent';
  readonly amount: string;
  readonly name?: string;
  readonly perUnit?: boolean;
  readonly maximumAmountCents?: number;
  readonly targets?: Partial<DiscountTargets>;
  readonly orderTypes?: readonly CartOrderType[];
  readonly customerGroupIds?: readonly number[];
  readonly customerType?: DiscountAudience;
  readonly minimumSubtotalCents?: number;
  readonly minimumQuantity?: number;
  readonly countsWholeCart?: boolean;
  readonly excludeSaleItems?: boolean;
  readonly firstOrder?: boolean;
  readonly birthdayMonth?: boolean;
  readonly schedule?: readonly ScheduleWindow[];
  readonly startsAtMs?: number;
  readonly endsAtMs?: number;
  readonly trigger?: 'automatic' | 'code' | 'manual';
  readonly codes?: readonly string[];
  readonly stackable?: boolean;
  readonly priority?: number;
  readonly usesPerOrder?: number;
  readonly usesPerCustomer?: number;
  readonly usesTotal?: number;
  readonly buyQuantity?: number;
  readonly getQuantity?: number;
  readonly buyTargets?: DiscountTargets;
  readonly bundleQuantity?: number;
}

/** Creates a discount with the statements of its slice. Resolves to its id. */
export async function addDiscount(
  { database, ids, clock }: Context,
  organization: OrganizationId,
  discount: TestDiscount,
): Promise<number> {
  const id = await ids.takeOne();
  const now = isoTimestamp(clock.now());
  const { targets = {}, codes = [] } = discount;
  await database.write(organization, async (tx) => {
    tx.queue(
      ...insertDiscounts([
        {
          id,
          name: discount.name ?? `${discount.kind} ${discount.amount}`,
          kind: discount.kind,
          type: discount.type,
          amount: discount.amount,
          perUnit: discount.perUnit ?? false,
          maximumAmountCents: discount.maximumAmountCents ?? null,
          productIds: targets.productIds ?? [],
          productOptionIds: targets.optionIds ?? [],
          categoryIds: targets.categoryIds ?? [],
          brandIds: targets.brandIds ?? [],
          tagIds: targets.tagIds ?? [],
          orderTypes: discount.orderTypes ?? [],
          customerGroupIds: discount.customerGroupIds ?? [],
          customerType: discount.customerType ?? null,
          minimumSubtotalCents: discount.minimumSubtotalCents ?? null,
          minimumQuantity: discount.minimumQuantity ?? null,
          countsWholeCart: discount.countsWholeCart ?? false,
          excludeSaleItems: discount.excludeSaleItems ?? false,
          firstOrder: discount.firstOrder ?? false,
          birthdayMonth: discount.birthdayMonth ?? false,
          schedule: JSON.stringify(discount.schedule ?? []),
          startsAt: discount.startsAtMs === undefined ? null : isoTimestamp(discount.startsAtMs),
          endsAt: discount.endsAtMs === undefined ? null : isoTimestamp(discount.endsAtMs),
          trigger: discount.trigger ?? (codes.length > 0 ? 'code' : 'automatic'),
          stackable: discount.stackable ?? true,
          priority: discount.priority ?? 0,
          usesPerOrder: discount.usesPerOrder ?? null,
          usesPerCustomer: discount.usesPerCustomer ?? null,
          usesTotal: discount.usesTotal ?? null,
          buyQuantity: discount.buyQuantity ?? null,
          getQuantity: discount.getQuantity ?? null,
          buyTargets: discount.buyTargets ? JSON.stringify(discount.buyTargets) : null,
          bundleQuantity: discount.bundleQuantity ?? null,
          createdAt: now,
          updatedAt: now,
        },
      ]),
      ...insertDiscountCodes(codes.map((code) => ({ discountId: id, code, codeKey: normalizeCode(code) }))),
      ...recountDiscountUses([id]),
    );
  });
  return id;
}

/** A credit on a customer's account: cents, or percent (a promo code) of that many orders. */
export async function addCredit(
  { database, ids, clock }: Context,
  organization: OrganizationId,
  userId: number,
  credit: {
    readonly cents?: number;
    readonly percent?: string;
    readonly uses?: number;
    readonly type?: 'promo-code' | 'store-credit';
    readonly description?: string;
    readonly expiresAtMs?: number;
  },
): Promise<number> {
  const id = await ids.takeOne();
  const now = isoTimestamp(clock.now());
  const isPercent = credit.percent !== undefined;
  await database.write(organization, async (tx) => {
    tx.queue(
      ...insertCustomerCredits([
        {
          id,
          userId,
          type: credit.type ?? (isPercent ? 'promo-code' : 'store-credit'),
          description: credit.description ?? 'Credit',
          amountCents: credit.cents ?? null,
          remainingCents: credit.cents ?? null,
          percent: credit.percent ?? null,
          remainingUses: isPercent ? (credit.uses ?? 1) : null,
          expiresAt: credit.expiresAtMs === undefined ? null : isoTimestamp(credit.expiresAtMs),
          createdAt: now,
          updatedAt: now,
        },
      ]),
    );
  });
  return id;
}

/** A reward that staff can choose. */
export async function addReward(
  { database, ids, clock }: Context,
  organization: OrganizationId,
  reward: {
    readonly type: 'cash-back' | 'flat' | 'percent' | 'free-product';
    readonly pointsRequirement: string;
    readonly discountAmount?: string;
    readonly productOptionId?: number;
  },
): Promise<number> {
  const id = await ids.takeOne();
  const now = isoTimestamp(clock.now());
  await database.write(organization, async (tx) => {
    tx.queue(
      ...insertLoyaltyRewards([
        {
          id,
          name: `Reward: ${reward.type}`,
          type: reward.type,
          pointsRequirement: reward.pointsRequirement,
          discountAmount: reward.discountAmount ?? null,
          productOptionId: reward.productOptionId ?? null,
          createdAt: now,
          updatedAt: now,
        },
      ]),
    );
  });
  return id;
}
