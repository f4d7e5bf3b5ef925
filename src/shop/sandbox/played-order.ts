import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { StaffName } from '../orders/order-record.ts';

/** What the steps need of an order. */
export interface PlayedOrder {
  readonly id: string;
  readonly status: string;
  readonly netPrice: number;
  readonly deliveryFee: number | null;
  readonly customerGrandTotal: number;
  readonly payments: readonly unknown[];
  readonly dispatchTask: { readonly status: string } | null;
  readonly lineItems: readonly { readonly id: number; readonly quantity: number }[];
  readonly returns: readonly {
    readonly id: number;
    readonly voidedAt: string | null;
    readonly lineItems: readonly { readonly orderLineItemId: number; readonly quantity: number }[];
  }[];
}

/** A step of the staff, and the order that it is taken of. */
export interface Playing {
  readonly context: Context;
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly order: PlayedOrder;
  readonly by: StaffName;
  /** The first payment type; null: the organization has none. */
  readonly paymentTypeId: number | null;
}
