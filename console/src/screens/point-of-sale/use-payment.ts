import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '../../parts/load-failure.tsx';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import { incompleteInput, incompletePart } from '../../parts/reductions.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import { type Cart, refusedIdWords } from './cart.ts';
import { newSale, type PendingSale } from './saved-sale.ts';
import type { Sale } from './saved-sale-gate.tsx';
import type { CartPricing } from './use-cart-pricing.ts';

type Step = 'closed' | 'pricing' | 'sale';

const none: readonly PaymentRow[] = [];

/** The reasons, besides the price, why a cart cannot be paid. */
interface CartObstacles {
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
  if (cart.refusedId) return refusedIdWords[cart.refusedId];
  if (isAsking) return t`A quantity is not confirmed yet.`;
  if (isShort) return t`The cart has more than is in stock.`;
  if (half !== null) return t`Incomplete under “Discounts”: ${half}`;
  if (error) return messageOf(error);
  if (isCurrent && refusals.length > 0)
    return t`A part of the cart is not included in the price. Remove it first.`;
  if (pricing?.purchaseLimits.some(({ exceeded }) => exceeded)) return t`The cart exceeds a purchase limit.`;
  return null;
}

/** A payment that was opened. */
interface OpenedPayment {
  /** Another one for each time it is opened. */
  readonly key: number;
  /** Whether it pays a sale; otherwise the price is loading. */
  readonly isOfSale: boolean;
  /** Digits typed until then; afterwards the sale has them. */
  readonly draft: readonly PaymentRow[];
  readonly onDraft: (draft: readonly PaymentRow[]) => void;
}

/** A payment that is shown. */
export interface Payment extends OpenedPayment {
  /** Null: the price is loading. */
  readonly sale: PendingSale | null;
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
  { current, setSale }: Pick<Sale, 'current' | 'setSale'>,
): {
  /** Its sale can be over, and is then no longer shown. */
  readonly payment: OpenedPayment | null;
  readonly open: () => void;
  /** The ref of an always mounted field: it takes digits typed before the dialog has its own. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly close: () => void;
} {
  // Loaded before the first payment.
  usePaymentTypes('in-store');
  const typedAhead = useRef<HTMLInputElement>(null);
  // A page left during payment continues there.
  const [step, setStep] = useState<Step>(() => (current().sale === null ? 'closed' : 'sale'));
  const [key, setKey] = useState(0);
  const [draft, setDraft] = useState(none);
  const isEmpty = cart.lines.length === 0 && !isLookingUp;
  useEffect(() => {
    // What is drawn may be the cart of a moment ago: that one is not paid any more. The present one is drawn next.
    if (step !== 'pricing' || current().cart !== cart) return;
    if (isEmpty || obstacle !== null) {
      setStep('closed');
      setDraft(none);
      typedAhead.current?.blur();
      if (obstacle !== null) notifyRefusal(obstacle, t`Not ready to pay`);
      return;
    }
    if (isLookingUp || !isCurrent || pricing === null) return;
    const begun = newSale(cart, pricing);
    void setSale({ ...begun, payments: draft.map((row) => ({ ...row, amount: row.amount ?? begun.due })) });
    setStep('sale');
  }, [step, isEmpty, obstacle, isLookingUp, isCurrent, pricing, cart, draft, current, setSale]);
  const isOpen = step === 'sale' || (step === 'pricing' && obstacle === null);
  const payment = useMemo(
    () => (isOpen ? { key, isOfSale: step === 'sale', draft, onDraft: setDraft } : null),
    [isOpen, key, step, draft],
  );
  return {
    payment,
    open: () => {
      // A field passes on its value on blur.
      if (typedAhead.current) typedAhead.current.value = '';
      typedAhead.current?.focus();
      // The key is answered at once; the dialog follows, and digits typed meanwhile are kept.
      startTransition(() => {
        setStep(current().sale === null ? 'pricing' : 'sale');
        setKey((before) => before + 1);
      });
    },
    typedAhead,
    close: () => {
      const end = () => {
        setStep('closed');
        setDraft(none);
      };
      // The dialog of a sale that is over is not shown any more: it is taken down after the answer.
      if (step === 'sale' && current().sale === null) startTransition(end);
      else end();
    },
  };
}
