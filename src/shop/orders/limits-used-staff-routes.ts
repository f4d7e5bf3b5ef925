import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { List } from '../../platform/http/schemas.ts';
import { LimitShare } from '../carts/cart-schemas.ts';
import { selectPurchaseLimitRules } from '../settings/terms-of-sale.ts';
import { limitsUsedBy } from './limits-used.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { selectOrderMail } from './order-mail-queries.ts';
import { OrderId } from './order-schemas.ts';

/** What an order uses of the purchase limits, for its receipt. */
export function limitsUsedStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'readLimitsUsed',
      method: 'GET',
      path: '/staff/v1/orders/{orderId}/limits-used',
      roles: orderRoles,
      kind: 'read',
      summary: 'Read what an order uses of the purchase limits',
      description:
        'What this order alone uses of each limit of the state and the organization, of which it uses any: by the limits of the day on which it was fulfilled, else placed, and by the customer’s status on the order. Receipts show it. Other purchases and returns are not counted.',
      tag: 'Orders',
      params: Type.Object({ orderId: OrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      success: {
        status: 200,
        data: Type.Object({ limits: List(LimitShare, { max: 100 }) }),
        description: 'The limits that it uses',
        example: {
          limits: [
            { name: 'Flower', cannabisType: 'non-concentrated', unit: 'g', limit: '28.5', used: '3.5' },
          ],
        },
      },
      failures: ['ORDER_NOT_FOUND'],
      handle: async ({ staff: { organizationId }, params: { orderId } }) => {
        const run: TenantTransaction['run'] = (...statements) =>
          context.database.read(organizationId, ...statements);
        const order = await loadOrder({ organizationId, run }, orderId, { lock: false });
        if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
        const [[shop], ownRules] = await run(selectOrderMail(order.head), selectPurchaseLimitRules({}));
        assert(shop !== undefined, 'the organization of an order exists');
        const limits = limitsUsedBy(order, { ...shop, law: context.law.current, ownRules });
        return reply({
          limits: limits.map(({ name, cannabisType, unit, limit, used }) => ({
            ...{ name, cannabisType, unit, limit, used },
          })),
        });
      },
    }),
  ];
}
