import type { OrderActionId } from '../../src/shop/orders/actions/order-actions.ts';
import type { Shelf, Taken } from './shelf-model.ts';
import {
  codeCents,
  deliveryFeeCents,
  feeOf,
  type LocationName,
  type OrderType,
  type PaymentType,
  type PlaceName,
  type SoldOption,
  taxOf,
  van,
} from './simulated-shop.ts';

type Status = 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
/** The compiler asks for the row of a new action. */
export type Step = OrderActionId;

/** The transitions of D24, written independently. */
export const steps: Readonly<Record<Step, { readonly from: readonly Status[]; readonly to: Status }>> = {
  accept: { from: ['draft'], to: 'new' },
  unaccept: { from: ['new'], to: 'draft' },
  pack: { from: ['new'], to: 'packed' },
  unpack: { from: ['packed'], to: 'new' },
  fulfill: { from: ['new', 'packed'], to: 'fulfilled' },
  cancel: { from: ['draft', 'new', 'packed'], to: 'canceled' },
  void: { from: ['fulfilled'], to: 'canceled' },
};

export interface Wish {
  readonly option: SoldOption;
  readonly quantity: number;
}

/** The request: the inputs of an order's price, at placing and at every edit. */
export interface Cart {
  readonly type: OrderType;
  readonly wishes: readonly Wish[];
  readonly hasCode: boolean;
  readonly adjustmentCents: number;
  readonly isExempt: boolean;
  readonly intended: PaymentType | null;
}

export interface Paid {
  readonly type: PaymentType;
  readonly amountCents: number;
}

interface HeldPart {
  readonly shelf: Shelf;
  /** In the van: where it was loaded from. */
  readonly home?: PlaceName | undefined;
  amount: number;
  returned: number;
}

export interface SoldLine extends Wish {
  id: number;
  returned: number;
  parts: HeldPart[];
}

interface UsedCredit {
  readonly credit: StoreCredit;
  readonly cents: number;
}

export interface StoreCredit {
  readonly id: number;
  readonly amountCents: number;
  remainingCents: number;
  expiresAtMs: number | null;
}

export interface Account {
  readonly email: string;
  readonly id: number;
  credits: StoreCredit[];
  /** In hundredths. */
  points: number;
}

export interface GoodsReturned {
  readonly id: number;
  readonly units: readonly {
    readonly line: SoldLine;
    readonly quantity: number;
    readonly shares: readonly Share[];
  }[];
  readonly putBack: boolean;
  readonly refundType: 'payment-method' | 'store-credit' | 'none';
  /** The units of the customer, above 0. */
  readonly refundCents: number;
  /** The goods after discounts, before tax. */
  readonly goodsCents: number;
  readonly pointsTaken: number;
  /** Where staff said that goods for sale go. */
  readonly place: PlaceName | null;
  readonly credit: StoreCredit | null;
  isVoided: boolean;
}

export interface Share {
  readonly part: HeldPart;
  readonly amount: number;
}

interface Amounts {
  readonly totalCents: number;
  readonly merchandiseCents: number;
  readonly taxCents: number;
  readonly creditCents: number;
  readonly netCents: number;
  /** The required sum of payments, before their fees. */
  readonly dueCents: number;
  readonly feesCents: number;
  readonly grandCents: number;
}

export interface ModelOrder {
  readonly id: string;
  readonly key: string;
  /** Index of the integrator; null: the staff's. */
  readonly integrator: number | null;
  readonly account: Account | null;
  cart: Cart;
  status: Status;
  lines: SoldLine[];
  used: UsedCredit[];
  amounts: Amounts;
  paid: readonly Paid[];
  /** The only location from which it draws, if staff chose one. */
  place: LocationName | null;
  dispatch: string | null;
  fulfilledAtMs: number | null;
  returns: GoodsReturned[];
}

/** The amounts of a cart, with the customer's store credit. */
export function amountsOfCart(cart: Cart, creditLeftCents: number): Amounts {
  const totalCents = cart.wishes.reduce((sum, { option, quantity }) => sum + option.finalCents * quantity, 0);
  const merchandiseCents = totalCents - (cart.hasCode ? Math.min(codeCents, totalCents) : 0);
  const taxCents = cart.isExempt ? 0 : taxOf(merchandiseCents);
  const beforeCredits = Math.max(0, merchandiseCents + taxCents + cart.adjustmentCents);
  const creditCents = Math.min(beforeCredits, creditLeftCents);
  const netCents = beforeCredits - creditCents;
  const dueCents = netCents + (cart.type === 'delivery' ? deliveryFeeCents : 0);
  const feesCents = cart.intended === null ? 0 : feeOf(cart.intended, dueCents);
  return {
    totalCents,
    merchandiseCents,
    taxCents,
    creditCents,
    netCents,
    dueCents,
    feesCents,
    grandCents: dueCents + feesCents,
  };
}

/** The credit that an account has at a time. */
export function usableCredits(account: Account | null, nowMs: number): StoreCredit[] {
  return (account?.credits ?? []).filter(
    ({ expiresAtMs, remainingCents }) => remainingCents > 0 && (expiresAtMs === null || expiresAtMs > nowMs),
  );
}

/** Accessories are none of the state's business. */
export const isCannabis = ({ option }: Wish): boolean => option.category !== 'Accessories';

export const stockOf = ({ option, quantity }: Wish): number => option.perUnit * quantity;

/** The stock that a changed line keeps, and the stock it gives back, last taken first (D25). */
export function keptParts(
  parts: readonly HeldPart[],
  wanted: number,
): { kept: HeldPart[]; released: Taken[]; missing: number } {
  const kept: HeldPart[] = [];
  const released: Taken[] = [];
  let missing = wanted;
  for (const { shelf, home, amount } of parts) {
    const stays = Math.min(missing, amount);
    if (stays > 0) kept.push({ shelf, home, amount: stays, returned: 0 });
    if (amount > stays) released.push({ shelf, amount: amount - stays });
    missing -= stays;
  }
  return { kept, released, missing };
}

/** The held stock at another place: what is there already first, and one part for each package. */
export function movedParts(parts: readonly HeldPart[], location: PlaceName): HeldPart[] {
  const [there, others] = [true, false].map((isThere) =>
    parts.filter(({ shelf }) => (shelf.location === location) === isThere),
  );
  const moved = others!.map(({ shelf, home = shelf.location, amount }) => ({
    ...{ shelf: { ...shelf, location }, amount },
    home: location === van ? home : undefined,
  }));
  return joinParts(there!, moved);
}

/** Where goods go that come back after they were sold: where they came from, and never into the van. */
export function shelfOfBack({ shelf, home }: HeldPart, named: PlaceName | null = null): Shelf {
  return { ...shelf, location: named ?? home ?? shelf.location };
}

/** Taken stock is added to the held stock of the same shelf. */
export function joinParts(
  kept: readonly HeldPart[],
  taken: readonly (Taken & Pick<HeldPart, 'home'>)[],
): HeldPart[] {
  const parts = [...kept];
  for (const { shelf, home, amount } of taken) {
    const same = parts.find(
      (part) => part.shelf.location === shelf.location && part.shelf.label === shelf.label,
    );
    if (same === undefined) parts.push({ shelf, home, amount, returned: 0 });
    else same.amount += amount;
  }
  return parts;
}

/** The stock of the returned units: last taken first (D39). */
export function sharesOfUnits(line: SoldLine, quantity: number): Share[] {
  let wanted = line.option.perUnit * quantity;
  const shares: Share[] = [];
  for (const part of line.parts.toReversed()) {
    const amount = Math.min(wanted, part.amount - part.returned);
    if (amount <= 0) continue;
    shares.push({ part, amount });
    wanted -= amount;
  }
  return shares;
}

/** The part of the adjustment that the order could bear: its total does not fall below zero. */
export const appliedAdjustmentCents = ({ cart, amounts }: ModelOrder): number =>
  Math.max(cart.adjustmentCents, -(amounts.merchandiseCents + amounts.taxCents));

export const validReturns = ({ returns }: ModelOrder): GoodsReturned[] =>
  returns.filter(({ isVoided }) => !isVoided);

export const refundedCents = (order: ModelOrder): number =>
  validReturns(order).reduce((sum, { refundCents }) => sum + refundCents, 0);

/** The steps that staff can take. */
export function actionsOf({ status, cart, lines, returns }: ModelOrder): string[] {
  const possible = (Object.keys(steps) as Step[]).filter(
    (step) => steps[step].from.includes(status) && (step !== 'void' || returns.length === 0),
  );
  return [
    ...possible,
    ...(['draft', 'new'].includes(status) ? ['edit'] : []),
    ...(cart.type === 'delivery' && ['new', 'packed'].includes(status) ? ['dispatch'] : []),
    ...(status === 'fulfilled' && lines.some(({ quantity, returned }) => returned < quantity)
      ? ['return']
      : []),
  ];
}

/** The credits that an order used are on their accounts again. */
export function releaseCredits(order: ModelOrder): void {
  for (const { credit, cents } of order.used) credit.remainingCents += cents;
  order.used = [];
}
