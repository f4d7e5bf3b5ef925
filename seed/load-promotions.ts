import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { adjustLoyaltyPoints, importCustomerGroups } from '../src/shop/customers/customers.ts';
import type { DiscountSetup } from '../src/shop/promotions/discount-setup.ts';
import {
  createDiscount,
  issueCustomerCredit,
  loyaltyRewards,
  noConditions,
  noOwnTerms,
  setLoyaltyProgram,
} from '../src/shop/promotions/promotions.ts';
import type { DiscountContent } from './promotions-content.ts';
import type { CustomerContent, ScriptedOrder, ShopContent } from './shop-content.ts';

type Ids = ReadonlyMap<string, number>;

interface PromotionIds {
  readonly categoryIds: Ids;
  readonly brandIds: Ids;
  readonly optionIds: Ids;
  /** In the order of the people. */
  readonly customerIds: readonly number[];
}

/**
 * Sets up the promotions of a demo shop: groups with their members, discounts, rewards, the earning rule. Resolves to
 * the ids of discounts and rewards, by name.
 */
export async function loadPromotions(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  shop: ShopContent,
  people: readonly CustomerContent[],
  ids: PromotionIds,
  atMidnight: (inDays: number) => number,
): Promise<{ readonly discountIds: Ids; readonly rewardIds: Ids }> {
  const { promotions } = shop;
  const groupIds = await importCustomerGroups(
    context,
    origin,
    organization,
    shop.customerGroups.map((group) => ({
      ...group,
      memberIds: ids.customerIds.filter((_, index) => people[index]!.groupNames.includes(group.name)),
    })),
  );
  const discountIds = new Map<string, number>();
  for (const discount of promotions.discounts) {
    const setup = setupOf(discount, { ...ids, groupIds }, atMidnight);
    discountIds.set(discount.name, await createDiscount(context, origin, organization, setup));
  }
  await setLoyaltyProgram(context, origin, organization, promotions.pointsPerDollar);
  const rewardIds = new Map<string, number>();
  for (const { categoryName, ...reward } of promotions.rewards) {
    const key = categoryName === null ? null : cheapestOption(shop, categoryName);
    const productOptionId = key === null ? null : ids.optionIds.get(key)!;
    const { id } = await loyaltyRewards.writes.create(context, origin, organization, {
      ...reward,
      productOptionId,
    });
    rewardIds.set(reward.name, id);
  }
  return { discountIds, rewardIds };
}

/** Credits and points that staff gave by hand: to the newest customers, so that a visitor sees them. */
export async function loadAccounts(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { promotions }: ShopContent,
  customerIds: readonly number[],
): Promise<void> {
  const gifts = customerIds.slice(-12);
  const lastDayMs = context.clock.now() + 45 * 86_400_000;
  for (const [index, userId] of gifts.entries()) {
    const { amountCents, description } = promotions.storeCredits[index % promotions.storeCredits.length]!;
    await issueCustomerCredit(context, origin, organization, userId, {
      type: 'store-credit',
      amountCents,
      percent: null,
      description,
      expiresAtMs: index % 4 === 3 ? lastDayMs : null,
    });
    const { points: pointsAmount, reason } = promotions.pointGifts[index % promotions.pointGifts.length]!;
    // Points are given before they are taken.
    const given = { pointsAmount: '20', reason: 'Welcome back' };
    await adjustLoyaltyPoints(context, origin, organization, userId, given);
    await adjustLoyaltyPoints(context, origin, organization, userId, { pointsAmount, reason });
  }
}

/**
 * One in this many new customers used the code, and one in this many of the manager's counter sales had a courtesy
 * discount.
 */
const codeEvery = 3;
const courtesyEvery = 9;

/** The discounts of each order of the history, by key: codes on first pickups, courtesies at the counter. */
export function promotionsAskedFor(
  shop: ShopContent,
  script: readonly ScriptedOrder[],
  subtotalCentsOf: (order: ScriptedOrder) => number,
): ReadonlyMap<string, { readonly codes: readonly string[]; readonly discountNames: readonly string[] }> {
  const { welcomeCode, courtesyName, discounts } = shop.promotions;
  const welcome = discounts.find(({ codes }) => codes?.includes(welcomeCode));
  const courtesy = discounts.find(({ name }) => name === courtesyName);
  const asked = new Map<string, { codes: readonly string[]; discountNames: readonly string[] }>();
  const seen = new Set<number>();
  let counterSales = 0;
  for (const order of script) {
    const { key, customerIndex, type, placedByStaffKey } = order;
    const isFirst = customerIndex !== null && !seen.has(customerIndex);
    if (customerIndex !== null) seen.add(customerIndex);
    const subtotalCents = subtotalCentsOf(order);
    const reaches = (discount?: DiscountContent) => subtotalCents >= (discount?.minimumSubtotalCents ?? 0);
    if (isFirst && type === 'pickup' && seen.size % codeEvery === 0 && reaches(welcome)) {
      asked.set(key, { codes: [welcomeCode], discountNames: [] });
    } else if (placedByStaffKey === 'manager' && type === 'in-store' && reaches(courtesy)) {
      counterSales++;
      if (counterSales % courtesyEvery === 0) asked.set(key, { codes: [], discountNames: [courtesyName] });
    }
  }
  return asked;
}

function setupOf(
  discount: DiscountContent,
  { categoryIds, brandIds, groupIds }: PromotionIds & { readonly groupIds: Ids },
  atMidnight: (inDays: number) => number,
): DiscountSetup {
  const named = (ids: Ids, names: readonly string[] = []) => names.map((name) => ids.get(name)!);
  return {
    name: discount.name,
    kind: discount.kind,
    type: discount.type,
    amount: discount.amount,
    perUnit: false,
    maximumAmountCents: discount.maximumAmountCents ?? null,
    targets: {
      productIds: [],
      optionIds: [],
      categoryIds: named(categoryIds, discount.categoryNames),
      brandIds: named(brandIds, discount.brandNames),
      tagIds: [],
    },
    conditions: {
      ...noConditions,
      orderTypes: discount.orderTypes ?? [],
      customerGroupIds: named(groupIds, discount.groupNames),
      minimumSubtotalCents: discount.minimumSubtotalCents ?? null,
      countsWholeCart: true,
      firstOrder: discount.firstOrder ?? false,
      schedule: discount.schedule ?? [],
      startsAtMs: discount.startsInDays === undefined ? null : atMidnight(discount.startsInDays),
      endsAtMs: discount.endsInDays === undefined ? null : atMidnight(discount.endsInDays),
    },
    trigger: discount.trigger,
    codes: discount.codes ?? [],
    stackable: discount.stackable ?? true,
    priority: 0,
    usesPerOrder: null,
    usesPerCustomer: discount.usesPerCustomer ?? null,
    usesTotal: null,
    ...noOwnTerms,
    buyQuantity: discount.buyQuantity ?? null,
    getQuantity: discount.getQuantity ?? null,
  };
}

/** The key of the free product in a category: not an option that is free anyway. */
export function cheapestOption(shop: ShopContent, categoryName: string): string {
  const options = shop.products
    .filter((product) => product.isActive && product.categoryName === categoryName)
    .flatMap((product) => product.options)
    .filter(({ priceCents }) => priceCents > 0);
  const [cheapest] = options.toSorted((one, other) => one.priceCents - other.priceCents);
  return cheapest!.key;
}
