/** The description of an order with rare features. staged-orders.ts has the orders. */

import type { OrderActionId } from '../src/shop/orders/actions/order-actions.ts';
import type { DispatchChange } from '../src/shop/orders/dispatch-order.ts';
import type { ReturnRequest } from '../src/shop/returns/decide-return.ts';
import type { OrderType, PaymentTypeContent } from './shop-content.ts';

/**
 * `gear` contains no cannabis, `gift` is bought with points, `last-pieces` exceeds its oldest package, `matches` are
 * free.
 */
export type StagedGood = 'flower' | 'gear' | 'gift' | 'last-pieces' | 'matches';

/** Customers; a patient has a valid card. */
export const stagedBuyers = [
  ...(['patient', 'owed-some', 'owed-all', 'with-code', 'with-percent', 'canceling', 'saver'] as const),
  ...(['other-saver', 'returning', 'regular', 'home-1', 'home-2', 'home-3', 'home-4'] as const),
  ...(['home-5', 'home-6', 'home-7', 'home-8'] as const),
] as const;
export type StagedBuyer = (typeof stagedBuyers)[number];

export interface StagedCredit {
  readonly type: 'promo-code' | 'store-credit';
  readonly amountCents: number | null;
  readonly percent: string | null;
  readonly description: string;
  /** It expired unused. */
  readonly isExpired?: true;
}

/** Credits of a customer before the order. */
export interface StagedAccount {
  readonly buyer: StagedBuyer;
  readonly credits?: readonly StagedCredit[];
  /** Points given by hand. */
  readonly points?: string;
  /** Points given by the integrator for messages. */
  readonly birthdayPoints?: string;
}

export type StagedStep =
  | Exclude<OrderActionId, 'fulfill' | 'cancel'>
  | { readonly fulfill: 'as-intended' | 'cash-with-change' }
  | { readonly cancel: string }
  | { readonly dispatch: DispatchChange['status']; readonly isTracked?: true }
  /** The customer adds one unit of the first line by phone. */
  | 'add-one';

/** Units of lines by position; refunded in the named way. */
export interface StagedReturn {
  readonly refund: ReturnRequest['refundType'];
  readonly units: readonly {
    readonly line: number;
    readonly quantity: number;
    readonly type: 'return' | 'exchange';
    readonly inventoryAction: 'inventory' | 'waste' | 'vendor';
    readonly reason: string;
  }[];
  /** The delivery fee is refunded too. */
  readonly withDeliveryFee?: true;
  readonly voidedFor?: string;
}

export interface StagedOrder {
  /** Minutes before the shop's last business hour. */
  readonly minutesAgo: number;
  readonly type: OrderType;
  /** A key of staff; null: the customer, through the first integrator. */
  readonly placedBy: string | null;
  readonly buyer: StagedBuyer | null;
  readonly customerName?: string;
  readonly goods: readonly (readonly [StagedGood, quantity: number])[];
  /** The last payment takes the rest. */
  readonly payments: readonly (readonly [PaymentTypeContent['method'], cents?: number])[];
  /** By the type of the reward, with the points of a cash-back. */
  readonly reward?: readonly [type: 'cash-back' | 'flat' | 'percent' | 'free-product', points?: string];
  readonly hasCourtesy?: true;
  readonly adjustments?: readonly { readonly amountCents: number; readonly description: string }[];
  readonly taxExempt?: { readonly exempt: boolean; readonly reason: string };
  readonly internalNotes?: string;
  readonly shiftName?: string;
  readonly steps: readonly StagedStep[];
  readonly returns?: readonly StagedReturn[];
}
