import Type from 'typebox';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Text } from '../../platform/http/schemas.ts';
import { sendReceipt } from './mail-order.ts';
import { OrderId } from './order-schemas.ts';

/** The receipt of an order, by mail (D70). */
export function receiptStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'sendOrderReceipt',
      method: 'POST',
      path: '/staff/v1/orders/{orderId}/send-receipt',
      roles: orderRoles,
      kind: 'write',
      summary: 'Mail the receipt of an order',
      description:
        "Mails the receipt of a fulfilled order to the email address of its customer: lines, discounts, taxes, payments, change, what a card was charged with its tip, the shop's address and license. It can be sent again. With `customerMails.receipts` of the organization's settings, it is also sent when an order is fulfilled.",
      tag: 'Orders',
      params: Type.Object({ orderId: OrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      success: {
        status: 202,
        data: Type.Object({ recipient: Text({ max: 254, description: 'The email address' }) }),
        description: 'The mail is on its way',
        example: { recipient: 'ada@customers.example.com' },
      },
      failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER', 'INVALID_ORDER_TRANSITION'],
      handle: async ({ staff, params: { orderId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply({ recipient: await sendReceipt(context, origin, staff.organizationId, orderId) });
      },
    }),
  ];
}
