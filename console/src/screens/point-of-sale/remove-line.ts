import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import type { Cart, CartChange } from './cart.ts';

/** Removes a line of the cart, with a way back for a slip of the hand. */
export function removeLine(cart: Cart, optionId: number | null, change: (change: CartChange) => void): void {
  const at = cart.lines.findIndex(({ option }) => option.productOptionId === optionId);
  const line = cart.lines[at];
  if (line === undefined) return;
  change({ type: 'quantity', optionId: line.option.productOptionId, quantity: 0 });
  notifyDone(t`${line.option.productName} is removed.`, () => change({ type: 'restore', line, at }));
}
