import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import {
  adjustmentsBody,
  type GivenPart,
  noReductions,
  partsBody,
  type Reductions,
} from '../../parts/reductions.ts';
import type { Jar, SaleOption } from '../../parts/sale-options.ts';
import { t } from '../../words/words.ts';
import { gramsWithout, sumOfGrams } from './line-numbers.ts';

export type Customer = Schema['StaffCustomer'];

/** A unit price that a manager sets by hand, or what is taken off each unit. */
type GivenPrice = { readonly reason: string } & (
  | { readonly unitPrice: number }
  | { readonly percent: string }
  | { readonly amount: number }
);

/** What was given in words: `Price by hand`, `10% off`, `$2.00 off each`. */
export function givenInWords(given: GivenPrice): string {
  if ('percent' in given) return t`${given.percent}% off`;
  return 'amount' in given ? t`${dollars(given.amount)} off each` : t`Price by hand`;
}

/** Grams out of a package. */
export interface WeighedPart extends Jar {
  readonly weight: string;
}

export interface CartLine {
  readonly option: SaleOption;
  readonly quantity: number;
  /** Grams of goods that are sold loose; the quantity is 1. */
  readonly weight?: string | undefined;
  /** What of the weight comes from which packages; the rest from the oldest. */
  readonly parts?: readonly WeighedPart[] | undefined;
  /** Absent: the price of the menu. */
  readonly given?: GivenPrice | undefined;
}

/** A sale at the counter before it is placed. */
export interface Cart extends Reductions {
  readonly lines: readonly CartLine[];
  /** The line that `+` and `−` change: the last touched one. */
  readonly currentId: number | null;
  readonly customer: Customer | null;
  /** The patient for whom the customer buys; absent or null: for themselves. */
  readonly patientId?: number | null | undefined;
  /** The name of a walk-in, for the receipt. */
  readonly walkInName: string;
  /** What is given of some of the discounts; absent: all that they give. */
  readonly discountParts?: readonly GivenPart[] | undefined;
  readonly rewards: { rewardId: number; points?: string }[];
  /** The person whose license was scanned in this sale. Not saved: another day the ID is seen again. */
  readonly scannedId?: number | undefined;
  /** Read from the ID by a register that is alone; the profile of a customer counts first. */
  readonly birthday?: string | null | undefined;
  /** A register that is alone scanned the ID of who buys. */
  readonly idScanned?: boolean | undefined;
  /** The number of the sale that this becomes at a register that is alone. If another one is next, it was sold. */
  readonly offlineNumber?: number | undefined;
  /** The ID that was shown last is of a person to whom nothing may be sold; it stays until another ID is good, or the sale starts over. */
  readonly refusedId?: RefusedId | undefined;
  /** Goods of an earlier sale that come back for these. */
  readonly goodsBack?: GoodsBack | undefined;
  /** Null: the organization's setting. */
  readonly applyCredits: boolean | null;
}

/** Goods that come back in exchange, as staff chose them at the scan of the receipt. */
export interface GoodsBack {
  readonly orderId: string;
  readonly orderNumber: number | null;
  readonly lineItems: readonly {
    readonly orderLineItemId: number;
    readonly quantity: number;
    readonly inventoryAction: 'inventory' | 'quarantine' | 'waste' | 'vendor';
    readonly reason: string;
    readonly name: string;
  }[];
  readonly takesRewardsBack: boolean;
  /** Where goods for sale again go; absent or null: where they came from. */
  readonly inventoryLocationId?: number | null | undefined;
  /** What they come to, in cents. */
  readonly refund: number;
}

export type RefusedId = 'underage' | 'expired';

/** Why nothing is sold with this ID, and what helps. */
export const refusedIdWords: Readonly<Record<RefusedId, string>> = {
  underage: t`This ID shows the person is underage. Scan another ID to sell.`,
  expired: t`This ID has expired. Scan a valid ID to sell.`,
};

export const emptyCart: Cart = {
  ...noReductions,
  lines: [],
  currentId: null,
  customer: null,
  walkInName: '',
  rewards: [],
  applyCredits: null,
};

export type CartChange =
  | { readonly type: 'add'; readonly option: SaleOption }
  /** Sets the weight of a line, or adds to it. `jar` null: from the oldest package. */
  | {
      readonly type: 'weigh' | 'weigh-more';
      readonly option: SaleOption;
      readonly weight: string;
      readonly jar: Jar | null;
    }
  | { readonly type: 'quantity'; readonly optionId: number; readonly quantity: number }
  | { readonly type: 'price'; readonly optionId: number; readonly given: GivenPrice | undefined }
  | { readonly type: 'percent-off-all'; readonly percent: string; readonly reason: string }
  | { readonly type: 'restore'; readonly line: CartLine; readonly at: number }
  | { readonly type: 'more' | 'less' | 'remove' }
  | { readonly type: 'customer'; readonly customer: Customer | null }
  | { readonly type: 'set'; readonly values: Partial<Omit<Cart, 'lines' | 'currentId' | 'customer'>> }
  | { readonly type: 'clear' };

/** The cart after a change. A line with quantity 0 is removed. */
export function changedCart(cart: Cart, change: CartChange): Cart {
  switch (change.type) {
    case 'add': {
      const { option } = change;
      const there = cart.lines.find((line) => line.option.productOptionId === option.productOptionId);
      if (there) return withQuantity(cart, option.productOptionId, there.quantity + 1);
      return {
        ...cart,
        lines: [...cart.lines, { option, quantity: 1 }],
        currentId: option.productOptionId,
      };
    }
    case 'weigh':
    case 'weigh-more':
      return withWeight(cart, change);
    case 'restore':
      return withLine(cart, change.line, change.at);
    case 'quantity':
      return withQuantity(cart, change.optionId, change.quantity);
    case 'price':
      return {
        ...cart,
        lines: cart.lines.map((line) =>
          line.option.productOptionId === change.optionId ? { ...line, given: change.given } : line,
        ),
        currentId: change.optionId,
      };
    case 'percent-off-all':
      // A price by hand stays: it was set for its line.
      return {
        ...cart,
        lines: cart.lines.map((line) =>
          line.given && 'unitPrice' in line.given
            ? line
            : { ...line, given: { percent: change.percent, reason: change.reason } },
        ),
      };
    case 'more':
    case 'less':
    case 'remove': {
      const current = cart.lines.find((line) => line.option.productOptionId === cart.currentId);
      if (!current) return cart;
      if (current.weight !== undefined && change.type !== 'remove') return cart;
      const quantities = { more: current.quantity + 1, less: current.quantity - 1, remove: 0 };
      return withQuantity(cart, current.option.productOptionId, quantities[change.type]);
    }
    case 'customer':
      if (change.customer && change.customer.id === cart.customer?.id) {
        return { ...cart, customer: change.customer };
      }
      return {
        ...cart,
        ...(isForAnotherCustomer(cart, change.customer) && { ...noReductions, discountParts: undefined }),
        customer: change.customer,
        // A walk-in has shown no other ID.
        refusedId: change.customer === null ? cart.refusedId : undefined,
        walkInName: '',
        ...{ patientId: null, birthday: undefined, idScanned: undefined },
        // Points and credits belong to the previous customer.
        rewards: [],
        applyCredits: null,
      };
    case 'set':
      return { ...cart, ...change.values };
    case 'clear':
      return emptyCart;
  }
}

/**
 * Whether the cart passes from a customer to a different one or to a walk-in. Then the items stay, but manual discounts, codes
 * and exemptions do not. A walk-in who becomes a known customer is the same person.
 */
function isForAnotherCustomer(cart: Cart, customer: Customer | null): boolean {
  return cart.customer !== null && cart.customer.id !== customer?.id;
}

/** Whether the change of customer removes reductions. */
export function removesReductions(cart: Cart, customer: Customer | null): boolean {
  const { discountIds, discountCodes, adjustments, taxExempt } = cart;
  const count = discountIds.length + discountCodes.length + adjustments.length + (taxExempt ? 1 : 0);
  return count > 0 && isForAnotherCustomer(cart, customer);
}

function withQuantity(cart: Cart, optionId: number, quantity: number): Cart {
  if (quantity > 0) {
    const lines = cart.lines.map((line) =>
      line.option.productOptionId === optionId ? { ...line, quantity } : line,
    );
    return { ...cart, lines, currentId: optionId };
  }
  const lines = cart.lines.filter((line) => line.option.productOptionId !== optionId);
  return { ...cart, lines, currentId: lines.at(-1)?.option.productOptionId ?? null };
}

/** A removed line at its place again; nothing, if its goods are there. */
function withLine(cart: Cart, line: CartLine, at: number): Cart {
  const { productOptionId } = line.option;
  if (cart.lines.some(({ option }) => option.productOptionId === productOptionId)) return cart;
  return { ...cart, lines: cart.lines.toSpliced(at, 0, line), currentId: productOptionId };
}

/** The line of loose goods, whichever of their sizes was meant. */
function withWeight(
  cart: Cart,
  {
    type,
    option: { jar: _, ...option },
    weight: weighed,
    jar,
  }: CartChange & { type: 'weigh' | 'weigh-more' },
): Cart {
  const productOptionId = option.loose?.optionId ?? option.productOptionId;
  const there = cart.lines.find((it) => it.option.productOptionId === productOptionId);
  const before = type === 'weigh-more' ? there : undefined;
  const weight = before?.weight === undefined ? weighed : sumOfGrams(before.weight, weighed);
  const parts = withPart(before?.parts ?? [], jar, weighed);
  const line = {
    ...{ option: { ...option, productOptionId, optionName: t`${weight} g` }, quantity: 1, weight },
    parts: parts.length > 0 ? parts : undefined,
  };
  return {
    ...cart,
    lines: there
      ? cart.lines.map((it) => (it.option.productOptionId === productOptionId ? { ...it, ...line } : it))
      : [...cart.lines, line],
    currentId: productOptionId,
  };
}

function withPart(parts: readonly WeighedPart[], jar: Jar | null, weight: string): readonly WeighedPart[] {
  if (jar === null) return parts;
  const same = parts.find(({ packageId }) => packageId === jar.packageId);
  const others = parts.filter((part) => part !== same);
  return [...others, { ...jar, weight: same ? sumOfGrams(same.weight, weight) : weight }];
}

/** A line as a request has it: one of each package, and one of the rest. */
function bodyLines({ option: { productOptionId }, quantity, weight, parts = [] }: CartLine) {
  if (weight === undefined) return [{ productOptionId, quantity }];
  const named = parts.map((part) => ({
    ...{ productOptionId, quantity: 1, weight: part.weight, packageId: part.packageId },
  }));
  const rest = parts.reduce((left, part) => gramsWithout(left, part.weight), weight);
  return Number(rest) > 0 ? [...named, { productOptionId, quantity, weight: rest }] : named;
}

/** What of loose goods is in the cart, in grams; null: nothing. */
export function weightInCart({ lines }: Cart, { loose }: SaleOption): string | null {
  return lines.find(({ option }) => option.productOptionId === loose?.optionId)?.weight ?? null;
}

/** The cart as a request body, for pricing and placing. Incomplete input (`incompleteInput`) is left out. */
export function cartBody(cart: Cart) {
  const adjustments = adjustmentsBody(cart.adjustments);
  const discountAmounts = partsBody(
    (cart.discountParts ?? []).filter(({ discountId }) => cart.discountIds.includes(discountId)),
  );
  const given = cart.lines.flatMap(({ option: { productOptionId }, given }) =>
    given ? [{ productOptionId, ...given }] : [],
  );
  const priceOverrides = given.filter((it) => 'unitPrice' in it);
  const lineReductions = given.filter((it) => !('unitPrice' in it));
  return {
    type: 'in-store' as const,
    lineItems: cart.lines.flatMap(bodyLines),
    ...(cart.customer &&
      (cart.patientId == null
        ? { customerId: cart.customer.id }
        : { customerId: cart.patientId, boughtById: cart.customer.id })),
    ...(!cart.customer && cart.walkInName.trim() && { customerName: cart.walkInName.trim() }),
    ...(cart.goodsBack && {
      returned: {
        orderId: cart.goodsBack.orderId,
        lineItems: cart.goodsBack.lineItems.map(({ orderLineItemId, quantity }) => ({
          orderLineItemId,
          quantity,
        })),
      },
    }),
    ...(cart.discountIds.length > 0 && { discountIds: cart.discountIds }),
    ...(discountAmounts.length > 0 && { discountAmounts }),
    ...(cart.discountCodes.length > 0 && { discountCodes: cart.discountCodes }),
    ...(cart.rewards.length > 0 && { loyaltyRewards: cart.rewards }),
    ...(adjustments.length > 0 && { adjustments }),
    ...(priceOverrides.length > 0 && { priceOverrides }),
    ...(lineReductions.length > 0 && { lineReductions }),
    ...(cart.taxExempt?.reason.trim() && { taxExempt: cart.taxExempt }),
    ...(cart.applyCredits !== null && { applyCredits: cart.applyCredits }),
  };
}

/** The number of manual entries besides the items. */
export function extrasOf(cart: Cart): number {
  return (
    cart.discountIds.length +
    cart.discountCodes.length +
    cart.adjustments.length +
    cart.rewards.length +
    (cart.taxExempt ? 1 : 0) +
    (cart.applyCredits === null ? 0 : 1)
  );
}
