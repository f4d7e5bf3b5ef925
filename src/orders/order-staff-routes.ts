import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { replyRawJson, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { Flag, List, OneOf, Text, withErrorCode } from '../http/schemas.ts';
import { failure } from '../kernel/failure.ts';
import { ordersPerPage, selectExplanation } from './order-list-queries.ts';
import { OrderId, orderStatuses, orderTypes } from './order-schemas.ts';
import { orderStepStaffRoutes } from './order-step-staff-routes.ts';
import { placeOrderStaffRoutes } from './place-order-staff-routes.ts';
import { listStaffOrders, selectStaffCursor, selectStaffOrder } from './staff-order-queries.ts';
import { orderRoles, StaffOrder, staffOrderExample } from './staff-order-schemas.ts';
import { staffOrderJson } from './staff-order-view.ts';

/** The staff's operations on orders. */
export function orderStaffRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;
  return [
    staffEndpoint({
      id: 'staffListOrders',
      method: 'GET',
      path: '/staff/v1/orders',
      roles: orderRoles,
      kind: 'read',
      summary: 'List orders',
      description:
        `The organization's orders, newest first, ${ordersPerPage} a page, with what staff can do with each ` +
        '(`allowedActions`). Pass the last `id` of a page as `startingAfter` to get the next one. Filters combine.',
      source: ['D14', 'D18', 'D24', 'D26'],
      tag: 'Orders',
      query: Type.Object({
        status: Type.Optional(OneOf(orderStatuses)),
        type: Type.Optional(OneOf(orderTypes)),
        search: Type.Optional(
          Text({
            min: 2,
            max: 200,
            description:
              "An order's number or id, or the start of the customer's email, phone, hash id, first or last name (or " +
              'of both names), or of the name that was left; without case and accents',
          }),
        ),
        startingAfter: Type.Optional(
          withErrorCode(OrderId({ description: 'Order id; the orders after it' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(StaffOrder, { max: ordersPerPage }),
        description: 'A page of orders',
        example: [staffOrderExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { startingAfter, ...filter } = query;
        let after: { id: string; created_at: string } | undefined;
        if (startingAfter !== undefined) {
          const cursor = selectStaffCursor({ id: startingAfter });
          [[after]] = await database.read(staff.organizationId, cursor);
          if (after === undefined) {
            throw failure('INVALID_CURSOR', 'startingAfter must be the id of an order of this list');
          }
        }
        const [rows] = await database.read(staff.organizationId, listStaffOrders({ ...filter, after }));
        return replyRawJson(`{"data":[${rows.map((row) => staffOrderJson(row)).join()}]}`);
      },
    }),

    staffEndpoint({
      id: 'staffGetOrder',
      method: 'GET',
      path: '/staff/v1/orders/{orderId}',
      roles: orderRoles,
      kind: 'read',
      summary: 'Retrieve an order',
      description:
        'The whole order with what is for staff only. With `?explain=true`, `explanation` has the steps of the ' +
        'arithmetic that made its amounts when it was placed or last edited.',
      source: ['D18', 'D24', 'D26', 'D31'],
      tag: 'Orders',
      params: Type.Object({ orderId: OrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      query: Type.Object({
        explain: Type.Optional(Flag({ description: 'Adds `explanation`: the steps of the arithmetic' })),
      }),
      success: { status: 200, data: StaffOrder, description: 'The order', example: staffOrderExample },
      failures: ['ORDER_NOT_FOUND'],
      handle: async ({ staff, params, query }) => {
        const [[row], [explanation]] = await database.read(
          staff.organizationId,
          selectStaffOrder({ id: params.orderId }),
          query.explain === true ? selectExplanation({ orderId: params.orderId }) : null,
        );
        if (row === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
        const beside = explanation === undefined ? {} : { explanation: JSON.parse(explanation.steps) };
        return replyRawJson(`{"data":${staffOrderJson(row, beside)}}`);
      },
    }),

    ...placeOrderStaffRoutes(context),
    ...orderStepStaffRoutes(context),
  ];
}
