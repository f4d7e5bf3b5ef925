import { useEffect, useRef } from 'react';
import type { Schema } from '../../api.ts';
import { paidFor } from '../orders/order-words.ts';
import type { Cart } from './cart.ts';
import type { CartPricing } from './use-cart-pricing.ts';

/** What the customer sees: nothing of it names them. */
export interface Displayed {
  readonly lines: readonly {
    readonly id: number;
    readonly name: string;
    readonly quantity: number;
    /** Cents; null: the price is loading. */
    readonly cents: number | null;
  }[];
  readonly pricing: Schema['StaffCartPricing'] | null;
  readonly sold: {
    readonly total: number;
    /** The cash received; 0: none was counted. */
    readonly received: number;
    readonly change: number;
  } | null;
}

type Message = { readonly kind: 'shown'; readonly displayed: Displayed } | { readonly kind: 'hello' };

/** Windows of one person of one shop, in this browser only. */
function openChannel(organizationId: number, staffId: number): BroadcastChannel {
  return new BroadcastChannel(`customer-display/${organizationId}/${staffId}`);
}

interface Owner {
  readonly organizationId: number;
  readonly staffId: number;
}

/** Tells the customer's display the cart, on every change and when a display opens. */
export function useCustomerDisplay(
  { organizationId, staffId }: Owner,
  cart: Cart,
  { pricing, isCurrent }: CartPricing,
  sold: Schema['FulfilledOrder'] | null,
): void {
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef<Displayed | null>(null);
  useEffect(() => {
    const opened = openChannel(organizationId, staffId);
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'hello' && latest.current) post(opened, latest.current);
    };
    return () => {
      post(opened, { lines: [], pricing: null, sold: null });
      opened.close();
    };
  }, [organizationId, staffId]);
  useEffect(() => {
    const priced = new Map(pricing?.lineItems.map((line) => [line.productOptionId, line]));
    const displayed: Displayed = {
      lines: cart.lines.map(({ option, quantity }) => {
        const line = priced.get(option.productOptionId);
        return {
          id: option.productOptionId,
          name: `${option.productName}, ${option.optionName}`,
          quantity,
          cents: line?.quantity === quantity ? line.finalPrice : null,
        };
      }),
      // The total of another cart would be wrong for a moment.
      pricing: isCurrent && cart.lines.length > 0 ? pricing : null,
      sold: sold && {
        total: paidFor(sold),
        received: sold.payments.reduce((sum, { tendered }) => sum + (tendered ?? 0), 0),
        change: sold.change,
      },
    };
    latest.current = displayed;
    if (channel.current) post(channel.current, displayed);
  }, [cart.lines, pricing, isCurrent, sold]);
}

function post(channel: BroadcastChannel, displayed: Displayed): void {
  channel.postMessage({ kind: 'shown', displayed } satisfies Message);
}

/** Listens for what the counter shows; asks for it at once. Returns the function that stops it. */
export function watchCounter(
  { organizationId, staffId }: Owner,
  onShown: (displayed: Displayed) => void,
): () => void {
  const channel = openChannel(organizationId, staffId);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'shown') onShown(data.displayed);
  };
  channel.postMessage({ kind: 'hello' } satisfies Message);
  return () => channel.close();
}
