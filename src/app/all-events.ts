import { type EventType, eventCatalog, orderActionFacts } from '../kernel/event-catalog.ts';
import type { ListedEvent } from '../shop/changes/event-schemas.ts';
import { orderActions } from '../shop/orders/orders.ts';

/** Every event that a write can announce (D56): the catalog, with the events of the actions of orders in their place. */
export const allEvents: readonly ListedEvent[] = Object.entries(eventCatalog).flatMap(
  ([type, entry]): ListedEvent[] => {
    const listed = { type: type as EventType, ...entry };
    if (type !== 'order.placed') return [listed];
    const ofActions = orderActions.map(({ event, operation }) => ({
      type: event,
      when: operation.description,
      facts: orderActionFacts,
    }));
    return [listed, ...ofActions];
  },
);
