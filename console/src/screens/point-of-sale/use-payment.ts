import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../parts/load-failure.tsx';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import { incompleteInput, incompletePart } from '../../parts/reductions.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import type { Cart } from './cart.ts';
import { newSale, type PendingSale } from './saved-sale.ts';
import type { CartPricing } from './use-cart-pricing.ts';

/** The reasons, besides the price, why a cart cannot be paid. */
export interface CartObstacles {
  /** A line exceeds the stock. */
  readonly isShort: boolean;
  /** A typed quantity is not confirmed. */
  readonly isAsking: boolean;
}

/** Why this cart cannot be paid now, in words; null: it can, once its price is loaded. */
export function obstacleOf(
  cart: Cart,
  priced: CartPricing,
  { isShort, isAsking }: CartObstacles,
): string | null {
  const { pricing, refusals, error, isCurrent } = priced;
  const half = incompleteInput(cart) ?? incompletePart(cart);
  if (isAsking) return t`A quantity is not confirmed yet.`;
  if (isShort) return t`The cart has more than is in stock.`;
  if (half !== null) return t`Incomplete under “Discounts”: ${half}`;
  if (error) return messageOf(error);
  if (isCurrent && refusals.length > 0)
    return t`A part of the cart is not included in the price. Remove it first.`;
  if (pricing?.purchaseLimits.some(({ exceeded }) => exceeded)) return t`The cart exceeds a purchase limit.`;
  return null;
}

/** A requested payment. */
export interface Payment {
  /** Null: the price is loading. */
  readonly sale: PendingSale | null;
  /** Digits typed until then; afterwards the sale has them. */
  readonly draft: readonly PaymentRow[];
  readonly onDraft: (draft: readonly PaymentRow[]) => void;
}

/** The current sale and how to save it. */
interface Kept {
  readonly sale: PendingSale | null;
  readonly setSale: (sale: PendingSale | null) => void;
}

/**
 * Opens the payment of a cart. If the price is loading or a look-up is running, the dialog opens at once and continues with the
 * price, as a saved sale. On an obstacle it closes and shows the reason. A sale that may have succeeded comes first, whatever
 * the cart is now: retried, it is the same sale.
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
  /** The ref of an always mounted field: it takes digits typed before the dialog has its own. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly close: () => void;
} {
  // Loaded before the first payment.
  usePaymentTypes('in-store');
  const typedAhead = useRef<HTMLInputElement>(null);
  // A page left during payment continues there.
  const [step, setStep] = useState<'closed' | 'pricing' | 'sale'>(sale === null ? 'closed' : 'sale');
  const [draft, setDraft] = useState<readonly PaymentRow[]>([]);
  const isEmpty = cart.lines.length === 0 && !isLookingUp;
  useEffect(() => {
    if (step !== 'pricing') return;
    if (isEmpty || obstacle !== null) {
      setStep('closed');
      setDraft([]);
      typedAhead.current?.blur();
      if (obstacle !== null) notifyRefusal(obstacle, t`Not ready to pay`);
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
      // A field passes on its value on blur.
      if (typedAhead.current) typedAhead.current.value = '';
      typedAhead.current?.focus();
      // The key is answered at once; the dialog follows, and digits typed meanwhile are kept.
      startTransition(() => setStep(sale === null ? 'pricing' : 'sale'));
    },
    typedAhead,
    close: () => {
      setStep('closed');
      setDraft([]);
    },
  };
}
