import type { Origin } from '../database/context.ts';
import { isoTimestamp } from '../kernel/local-time.ts';

/** The step in the order's history: the order stays fulfilled. */
export function returnTransition(
  action: 'return' | 'void-return',
  { orderId, id, origin, atMs }: { orderId: string; id: number; origin: Origin; atMs: number },
) {
  return {
    orderId,
    id,
    action,
    fromStatus: 'fulfilled',
    toStatus: 'fulfilled',
    actor: origin.actor,
    createdAt: isoTimestamp(atMs),
  } as const;
}
