import { useEffect, useState } from 'react';
import type { Order } from './order-words.ts';

/** Longer than a double click or a double tap takes. */
const heldMs = 1_000;

interface Held {
  readonly order: Order;
  readonly place: number;
}

/**
 * The cards of a column. A card whose step was done here keeps its place for a moment after it left the column. Otherwise the
 * next card would slide under the pointer, and a second click would act on another order.
 */
export function useHeldCards(rows: readonly Order[]): {
  readonly cards: readonly { readonly order: Order; readonly isGone: boolean }[];
  readonly hold: (order: Order, place: number) => void;
} {
  const [held, setHeld] = useState<readonly Held[]>([]);
  const gone = held.filter(({ order }) => rows.every(({ id }) => id !== order.id));
  const goneIds = gone.map(({ order }) => order.id).join();
  useEffect(() => {
    if (goneIds === '') return;
    const ids = goneIds.split(',');
    const timer = setTimeout(
      () => setHeld((before) => before.filter(({ order }) => !ids.includes(order.id))),
      heldMs,
    );
    return () => clearTimeout(timer);
  }, [goneIds]);
  const cards = rows.map((order) => ({ order, isGone: false }));
  for (const { order, place } of gone.toSorted((one, other) => one.place - other.place)) {
    cards.splice(place, 0, { order, isGone: true });
  }
  return {
    cards,
    hold: (order, place) =>
      setHeld((before) => [...before.filter((it) => it.order.id !== order.id), { order, place }]),
  };
}
