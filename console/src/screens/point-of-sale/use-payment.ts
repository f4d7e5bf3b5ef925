import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Schema } from '../../api.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { halfTyped } from '../../parts/reductions.ts';
import { sayRefused } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { type Cart, cartBody } from './cart.ts';
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
  const { pricing, error } = priced;
  const half = halfTyped(cart);
  if (isAsking) return 'A quantity is not confirmed yet.';
  if (isShort) return 'There is more in the cart than in stock.';
  if (half !== null) return `Half filled in under “Discounts”: ${half}`;
  if (error) return messageOf(error);
  if (pricing?.purchaseLimits.some(({ exceeded }) => exceeded)) return 'The cart is above a purchase limit.';
  return null;
}

/** A payment that is asked for. */
interface Payment {
  /** Null: the price is still being fetched. */
  readonly pricing: Schema['StaffCartPricing'] | null;
  readonly idempotencyKey: string;
}

/**
 * Asks for the payment of a cart. One that is asked for while the price is fetched, or something is looked up, is open at
 * once and goes on with the price; should there be an obstacle, it ends, and the obstacle is told.
 */
export function usePayment(
  cart: Cart,
  { pricing, isCurrent }: CartPricing,
  obstacle: string | null,
  isLookingUp: boolean,
): {
  readonly payment: Payment | null;
  readonly open: () => void;
  /** For a field that is always there: what is typed before the dialog has its own. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly close: () => void;
  /** It is sold, or placed: the next payment is that of another sale. */
  readonly end: () => void;
} {
  // Known before the first payment is asked for.
  usePaymentTypes('in-store');
  const typedAhead = useRef<HTMLInputElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [paid, setPaid] = useState<Schema['StaffCartPricing'] | null>(null);
  // A cart that is tried again is the same sale: should a reply have been lost, it is not sold twice.
  const [sale, setSale] = useState<{ body: string; key: string } | null>(null);
  const isEmpty = cart.lines.length === 0 && !isLookingUp;
  useEffect(() => {
    if (!isWanted || paid !== null) return;
    if (isEmpty || obstacle !== null) {
      setIsWanted(false);
      typedAhead.current?.blur();
      if (obstacle !== null) sayRefused(obstacle, 'Not ready to pay');
      return;
    }
    if (isLookingUp || !isCurrent || pricing === null) return;
    const body = JSON.stringify(cartBody(cart));
    if (sale?.body !== body) setSale({ body, key: pricing.idempotencyKey });
    setPaid(pricing);
  }, [isWanted, paid, isEmpty, obstacle, isLookingUp, isCurrent, pricing, cart, sale]);
  const close = () => {
    setIsWanted(false);
    setPaid(null);
  };
  return {
    payment:
      isWanted && (paid !== null || obstacle === null)
        ? { pricing: paid, idempotencyKey: sale?.key ?? '' }
        : null,
    open: () => {
      // What is typed into a field is taken as one leaves it.
      if (typedAhead.current) typedAhead.current.value = '';
      typedAhead.current?.focus();
      setIsWanted(true);
    },
    typedAhead,
    close,
    end: () => {
      close();
      setSale(null);
    },
  };
}
