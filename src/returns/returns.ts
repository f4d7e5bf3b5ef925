/**
 * Front door of returns. Owns the tables order_return*. A return refunds shares of what its order stored (D39), puts goods
 * back, and can be voided. The order counts the returned units of its lines and shows its returns.
 */

export type { ReturnRequest } from './decide-return.ts';
export { returnOrder } from './return-order.ts';
export { voidReturn } from './void-return.ts';
