import Type from 'typebox';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { List, Named, Nullable, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import { changeSlot, shownOfferedSlot, slotsForOrder } from './change-slot.ts';
import { OrderId, OrderSlot } from './order-schemas.ts';

const SlotsForOrder = Named(
  'SlotsForOrder',
  Type.Object({
    slots: List(
      Type.Object({
        from: Timestamp({ description: 'When it begins' }),
        to: Timestamp({ description: 'When it ends' }),
        left: WholeNumber({ min: 0, max: 10_000, description: 'How many more orders it takes' }),
      }),
      { max: 100_000, description: 'By time; full ones have 0 `left`' },
    ),
  }),
);

/** The time slot of an order: which ones it can have, and the change. */
export function orderSlotStaffRoutes(context: Context): StaffEndpoint[] {
  const shared = {
    roles: orderRoles,
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId() }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
  } as const;
  return [
    staffEndpoint({
      ...shared,
      id: 'listSlotsForOrder',
      method: 'GET',
      path: '/staff/v1/orders/{orderId}/slots',
      kind: 'read',
      emptyInDemo: 'the demo shop takes orders at any time',
      summary: 'List the time slots that an order can have',
      description:
        'The time slots of the next 14 days for the type and the delivery zone of an open order, by time. The place that it holds itself counts as left.',
      success: {
        status: 200,
        data: SlotsForOrder,
        description: 'The time slots',
        example: { slots: [{ from: '2026-03-02T01:00:00.000Z', to: '2026-03-02T03:00:00.000Z', left: 7 }] },
      },
      failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER', 'INVALID_ORDER_TRANSITION'],
      handle: async ({ staff, params }) =>
        reply({
          slots: (await slotsForOrder(context, staff.organizationId, params.orderId)).map(shownOfferedSlot),
        }),
    }),
    staffEndpoint({
      ...shared,
      id: 'changeSlotOfOrder',
      method: 'PUT',
      path: '/staff/v1/orders/{orderId}/slot',
      kind: 'write',
      summary: 'Change the time slot of an order',
      description:
        'Moves an open order to another time slot, or with `from: null` to none. The customer gets a mail. The same slot again changes nothing.',
      body: Type.Object({
        from: Nullable(Timestamp({ description: 'The begin of a time slot with a place left; null: none' })),
      }),
      requestExample: { from: null },
      success: {
        status: 200,
        data: Type.Object({ slot: Nullable(OrderSlot) }),
        description: 'The time slot; null: none',
        example: { slot: { from: '2026-03-02T01:00:00.000Z', to: '2026-03-02T03:00:00.000Z' } },
      },
      failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER', 'INVALID_ORDER_TRANSITION', 'TIME_SLOT_NOT_AVAILABLE'],
      handle: async ({ staff, params, body, requestId }) => {
        const { organizationId } = staff;
        const fromMs = body.from === null ? null : Date.parse(body.from);
        const slot = await changeSlot(
          context,
          staffOrigin(staff, requestId),
          organizationId,
          params.orderId,
          fromMs,
        );
        return reply({ slot });
      },
    }),
  ];
}
