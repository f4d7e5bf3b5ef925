import Type from 'typebox';
import { dutyCodes } from '../../engines/duties/judge-duties.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import {
  replyRawJson,
  type StaffCaller,
  type StaffEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { Cents, CentsTotal, Named } from '../../platform/http/schemas.ts';
import { endOpenPayments, paymentDeskOf } from '../payments/payments.ts';
import { previewReprice, repriceOrder } from './edit-order.ts';
import { OrderId } from './order-schemas.ts';
import { staffCartFailures } from './place-order-staff-routes.ts';
import { StaffOrder, staffOrderExample } from './staff-order-schemas.ts';
import { shownStaffOrder, staffOrderJson } from './staff-order-view.ts';

const OrderReprice = Named(
  'OrderReprice',
  Type.Object({
    order: StaffOrder,
    customerGrandTotalBefore: Cents({ description: 'What the order comes to without the action' }),
    difference: CentsTotal({ description: 'What the customer would pay more; negative: less' }),
  }),
);

const failures = [
  'ORDER_NOT_FOUND',
  ...staffCartFailures,
  'INVENTORY_LOCATION_NOT_FOUND',
  ...dutyCodes,
  'PURCHASE_LIMIT_EXCEEDED',
  'INVALID_ORDER_TRANSITION',
  'OUT_OF_STOCK',
  'PAYMENT_IN_PROGRESS',
  'TRANSACTION_RETRY_EXCEEDED',
] as const;

/** An order gets current prices for everything (D88), or the preview of that. */
export function repriceStaffRoutes(context: Context): StaffEndpoint[] {
  const shared = {
    method: 'POST',
    roles: orderRoles,
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId() }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    failures,
  } as const;
  const by = ({ staffId: id, email, firstName, lastName, role }: StaffCaller) => ({
    ...{ staff: { id, email, firstName, lastName }, role },
  });
  return [
    staffEndpoint({
      ...shared,
      id: 'repriceOrder',
      path: '/staff/v1/orders/{orderId}/reprice',
      kind: 'write',
      takesIfMatch: true,
      summary: 'Give an order current prices',
      description:
        'Prices everything of a draft or new order again: with the current prices, sale prices, taxes, fees and discounts. An edit ' +
        'keeps those of the order instead. A code, discount or reward that has ended is refused: take it off the order first. ' +
        'The preview shows the result.',
      success: { status: 200, data: StaffOrder, description: 'The order', example: staffOrderExample },
      handle: async ({ staff, params: { orderId }, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await endOpenPayments(paymentDeskOf(context), origin, staff.organizationId, orderId);
        await repriceOrder(context, origin, staff.organizationId, orderId, by(staff));
        return replyRawJson(await shownStaffOrder(context, staff.organizationId, orderId));
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'previewOrderReprice',
      path: '/staff/v1/orders/{orderId}/reprice/preview',
      kind: 'read',
      summary: 'Preview an order with current prices',
      description:
        'The order as `POST …/reprice` would leave it, and what it comes to before. Nothing is stored.',
      success: {
        status: 200,
        data: OrderReprice,
        description: 'The order as it would be',
        example: {
          order: staffOrderExample,
          customerGrandTotalBefore: staffOrderExample.customerGrandTotal - 500,
          difference: 500,
        },
      },
      handle: async ({ staff, params: { orderId }, requestId }) => {
        const { row, beforeCents, afterCents } = await previewReprice(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          orderId,
          by(staff),
        );
        const rest = `"customerGrandTotalBefore":${beforeCents},"difference":${afterCents - beforeCents}`;
        return replyRawJson(`{"data":{"order":${staffOrderJson(row)},${rest}}}`);
      },
    }),
  ];
}
