import { type RefObject, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../parts/load-failure.tsx';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import { incompleteInput } from '../../parts/reductions.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import type { Cart } from './cart.ts';
import { newSale, type SaleUnderWay } from './kept-sale.ts';
import type { CartPricing } from './use-cart-pricing.ts';

/** What keeps a cart from being paid, beside its price. */
export interface CartObstacles {
  /** A line has more than there is in stock. */
  readonly isShort: boolean;
  /** A typed quantity is not confirmed. */
  readonly isAsking: boolean;
}

/** Why this cart cannot be paid as it is, in words; null: it can, as soon as its price is there. */
export function obstacleOf(
  cart: Cart,
  priced: CartPricing,
  { isShort, isAsking }: CartObstacles,
): string | null {
  const { pricing, refusals, error, isCurrent } = priced;
  const half = incompleteInput(cart);
  if (isAsking) return 'A quantity is not confirmed yet.';
  if (isShort) return 'There is more in the cart than in stock.';
  if (half !== null) return `Half filled in under “Discounts”: ${half}`;
  if (error) return messageOf(error);
  if (isCurrent && refusals.length > 0) return 'A part of the cart is not in the price: take it out first.';
  if (pricing?.purchaseLimits.some(({ exceeded }) => exceeded)) return 'The cart is above a purchase limit.';
  return null;
}

/** A payment that is asked for. */
export interface Payment {
  /** Null: the price is still being fetched. */
  readonly sale: SaleUnderWay | null;
  /** What is typed until then; from then on the sale has it. */
  readonly draft: readonly PaymentRow[];
  readonly onDraft: (draft: readonly PaymentRow[]) => void;
}

/** The sale under way, and how to keep it. */
interface Kept {
  readonly sale: SaleUnderWay | null;
  readonly setSale: (sale: SaleUnderWay | null) => void;
}

/**
 * Asks for the payment of a cart. One that is asked for while the price is fetched, or something is looked up, is open at
 * once and goes on with the price, as a sale that is kept; should there be an obstacle, it ends, and the obstacle is told.
 * A sale that may have gone through comes first, whatever the cart is by now: tried again it is the same sale.
 */
export function usePayment(
  cart: Cart,
  { pricing, isCurrent }: CartPricing,
  obstacle: string | null,
  isLookingUp: boolean,
  { sale, setSale }: Kept,
): {
  readonly payment: Payment | null;
  readonly open: () => void;
  /** For a field that is always there: what is typed before the dialog has its own. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly close: () => void;
} {
  // Known before the first payment is asked for.
  usePaymentTypes('in-store');
  const typedAhead = useRef<HTMLInputElement>(null);
  // A page that was left while paying goes on there.
  const [step, setStep] = useState<'closed' | 'pricing' | 'sale'>(sale === null ? 'closed' : 'sale');
  const [draft, setDraft] = useState<readonly PaymentRow[]>([]);
  const isEmpty = cart.lines.length === 0 && !isLookingUp;
  useEffect(() => {
    if (step !== 'pricing') return;
    if (isEmpty || obstacle !== null) {
      setStep('closed');
      setDraft([]);
      typedAhead.current?.blur();
      if (obstacle !== null) notifyRefusal(obstacle, 'Not ready to pay');
      return;
    }
    if (isLookingUp || !isCurrent || pricing === null) return;
    const begun = newSale(cart, pricing);
    setSale({ ...begun, payments: draft.map((row) => ({ ...row, amount: row.amount ?? begun.due })) });
    setStep('sale');
  }, [step, isEmpty, obstacle, isLookingUp, isCurrent, pricing, cart, draft, setSale]);
  const isOpen = step === 'sale' ? sale !== null : step === 'pricing' && obstacle === null;
  return {
    payment: isOpen ? { sale, draft, onDraft: setDraft } : null,
    open: () => {
      // What is typed into a field is taken as one leaves it.
      if (typedAhead.current) typedAhead.current.value = '';
      typedAhead.current?.focus();
      setStep(sale === null ? 'pricing' : 'sale');
    },
    typedAhead,
    close: () => {
      setStep('closed');
      setDraft([]);
    },
  };
}
