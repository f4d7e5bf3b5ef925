/**
 * Front door of slots: the windows in which customers have orders handed over, how many orders each takes, and the days without any.
 * Owns the tables time_slots and closed_days. A place is taken by an order (its `slot_id` and `slot_from`) and counted from orders under
 * a lock on the slots, so that nothing has to be given back. Without time slots, orders are for as soon as possible.
 */
export { slotInWords } from './slot-in-words.ts';
export { slotSettingRoutes } from './slot-setting-routes.ts';
export { offeredSlots, slotForOrder, slotOfCart, slotWarnings } from './slot-times.ts';
export { slotReads, upcomingSlotReads } from './time-slot-queries.ts';
