import type { Schema } from '../../api.ts';
import { noReductions, type Reductions } from '../../parts/reduction-fields.tsx';
import type { SaleOption } from '../../parts/sale-options.ts';

export type Customer = Schema['StaffCustomer'];

/** A sale at the counter, as it is before it is placed. */
export interface Cart extends Reductions {
  readonly lines: readonly { readonly option: SaleOption; readonly quantity: number }[];
  /** The line that `+` and `−` are for: the one that was touched last. */
  readonly currentId: number | null;
  readonly customer: Customer | null;
  /** What a walk-in is called, for the receipt. */
  readonly walkInName: string;
  readonly rewards: { rewardId: number; points?: string }[];
  /** Null: as the organization has set it. */
  readonly applyCredits: boolean | null;
}

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
  | { readonly type: 'quantity'; readonly optionId: number; readonly quantity: number }
  | { readonly type: 'more' | 'less' | 'remove' }
  | { readonly type: 'customer'; readonly customer: Customer | null }
  | { readonly type: 'set'; readonly values: Partial<Omit<Cart, 'lines' | 'currentId' | 'customer'>> }
  | { readonly type: 'clear' };

/** The cart after a change. A line of nothing is gone. */
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
    case 'quantity':
      return withQuantity(cart, change.optionId, change.quantity);
    case 'more':
    case 'less':
    case 'remove': {
      const current = cart.lines.find((line) => line.option.productOptionId === cart.currentId);
      if (!current) return cart;
      const quantities = { more: current.quantity + 1, less: current.quantity - 1, remove: 0 };
      return withQuantity(cart, current.option.productOptionId, quantities[change.type]);
    }
    case 'customer':
      // Points and credits are those of the customer who was chosen before.
      return { ...cart, customer: change.customer, walkInName: '', rewards: [], applyCredits: null };
    case 'set':
      return { ...cart, ...change.values };
    case 'clear':
      return emptyCart;
  }
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

/** What the cart is for the service, to price it and to place it. What is only half typed is not sent yet. */
export function cartBody(cart: Cart) {
  const adjustments = cart.adjustments.filter(
    ({ amount, description }) => amount !== 0 && description.trim() !== '',
  );
  return {
    type: 'in-store' as const,
    lineItems: cart.lines.map(({ option, quantity }) => ({
      productOptionId: option.productOptionId,
      quantity,
    })),
    ...(cart.customer && { customerId: cart.customer.id }),
    ...(!cart.customer && cart.walkInName.trim() && { customerName: cart.walkInName.trim() }),
    ...(cart.discountIds.length > 0 && { discountIds: cart.discountIds }),
    ...(cart.discountCodes.length > 0 && { discountCodes: cart.discountCodes }),
    ...(cart.rewards.length > 0 && { loyaltyRewards: cart.rewards }),
    ...(adjustments.length > 0 && { adjustments }),
    ...(cart.taxExempt?.reason.trim() && { taxExempt: cart.taxExempt }),
    ...(cart.applyCredits !== null && { applyCredits: cart.applyCredits }),
  };
}

/** How many things beside the goods were asked for by hand. */
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
