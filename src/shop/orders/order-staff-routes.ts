import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { addDays, startOfBusinessDayMs } from '../../kernel/local-time.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { replyRawJson, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Flag, Id, List, LocalDate, OneOf, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { orderTypes } from '../carts/cart-schemas.ts';
import { seekCustomers } from '../customers/customers.ts';
import { selectExplanation } from './explanation-queries.ts';
import { limitsUsedStaffRoutes } from './limits-used-staff-routes.ts';
import { explanationMembers } from './order-document.ts';
import { ordersPerPage } from './order-list-queries.ts';
import { OrderId, orderStatuses } from './order-schemas.ts';
import { orderSlotStaffRoutes } from './order-slot-staff-routes.ts';
import { orderStepStaffRoutes } from './order-step-staff-routes.ts';
import { placeOrderStaffRoutes } from './place-order-staff-routes.ts';
import { receiptStaffRoutes } from './receipt-staff-routes.ts';
import { repriceStaffRoutes } from './reprice-staff-routes.ts';
import {
  countStaffOrders,
  listStaffOrders,
  selectStaffCursor,
  selectStaffOrder,
  staffOrderList,
} from './staff-order-queries.ts';
import { StaffOrder, staffOrderExample } from './staff-order-schemas.ts';
import { staffOrderJson } from './staff-order-view.ts';

/** The staff's operations on orders. */
export function orderStaffRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;
  return [
    listOrdersEndpoint(context),
    getOrderEndpoint(database),
    ...placeOrderStaffRoutes(context),
    ...repriceStaffRoutes(context),
    ...orderStepStaffRoutes(context),
    ...orderSlotStaffRoutes(context),
    ...receiptStaffRoutes(context),
    ...limitsUsedStaffRoutes(context),
  ];
}

function listOrdersEndpoint(context: Context): StaffEndpoint {
  const { database } = context;
  return staffEndpoint({
    id: 'staffListOrders',
    method: 'GET',
    path: '/staff/v1/orders',
    roles: orderRoles,
    kind: 'read',
    readsFrom: 'standby',
    list: {
      notInConsole: { updatedAt: 'the table has no column of it' },
      found: { descending: ['createdAt', 'id'] },
    },
    summary: 'List orders',
    description:
      `The organization's orders, newest first unless sorted, ${ordersPerPage} a page, with what staff can do with each ` +
      '(`allowedActions`). Pass the last `id` of a page as `startingAfter` to get the next one. Filters combine.',
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
            'of both names), or of the name given without a profile; case and accents do not matter. Or the whole number of a patient',
        }),
      ),
      from: Type.Optional(LocalDate({ description: 'Placed on this business day or later' })),
      to: Type.Optional(LocalDate({ description: 'Placed on this business day or earlier' })),
      inventoryLocationId: Type.Optional(
        Id({ description: 'Whose stock comes from there; drafts and canceled orders hold none' }),
      ),
      ...sortFields(staffOrderList.sorts, 'With a search always newest first'),
      startingAfter: Type.Optional(
        withErrorCode(OrderId({ description: 'Order id; the orders after it' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(StaffOrder, { max: ordersPerPage }),
      meta: ListTotal,
      description: 'A page of orders',
      example: [staffOrderExample],
      metaExample: listTotalExample,
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const { startingAfter, from, to, search, ...filter } = query;
      if (from !== undefined && to !== undefined && from > to) {
        throw failure('INVALID_PARAMS', 'from must not be after to');
      }
      const isDated = from !== undefined || to !== undefined;
      const [[organization], [after]] = await database.read(
        staff.organizationId,
        isDated ? selectOrganization({}) : null,
        startingAfter === undefined ? null : selectStaffCursor({ id: startingAfter }),
      );
      if (startingAfter !== undefined && after === undefined) {
        throw failure('INVALID_CURSOR', 'startingAfter must be the id of an order of this list');
      }
      const sought =
        search === undefined
          ? {}
          : { search, customers: await seekCustomers(context, staff.organizationId, search) };
      const asked = { ...filter, ...sought, ...(isDated && placedOn(from, to, organization)), after };
      const [rows, counts] = await database.read(
        staff.organizationId,
        listStaffOrders(asked),
        countStaffOrders(asked),
      );
      const meta = JSON.stringify(totalOf(counts[0]?.count ?? 0));
      return replyRawJson(`{"data":[${rows.map((row) => staffOrderJson(row)).join()}],"meta":${meta}}`);
    },
  });
}

function getOrderEndpoint(database: Database): StaffEndpoint {
  return staffEndpoint({
    id: 'staffGetOrder',
    method: 'GET',
    path: '/staff/v1/orders/{orderId}',
    roles: orderRoles,
    kind: 'read',
    summary: 'Retrieve an order',
    description:
      'The whole order with the fields for staff. With `?explain=true`, `explanation` has the steps of the ' +
      'arithmetic that made its amounts when it was placed or last edited; they are kept as long as ' +
      '`explanationRetentionDays` of the organization says, and then `explanationPruned` is there instead.',
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
      const beside = explanation === undefined ? {} : JSON.parse(`{${explanationMembers(explanation)}}`);
      return replyRawJson(`{"data":${staffOrderJson(row, beside)}}`);
    },
  });
}

/** Business days as instants, also those of 23 and 25 hours (D15, D87). */
function placedOn(
  from: string | undefined,
  to: string | undefined,
  organization: { readonly tz: string; readonly business_day_starts_at: string } | undefined,
) {
  assert(organization !== undefined, 'an organization with staff exists');
  // Nothing was placed before 1970, and the database has no year 0.
  const days = { tz: organization.tz, dayStartsAt: organization.business_day_starts_at };
  const startOf = (day: string) => Math.max(0, startOfBusinessDayMs(day, days));
  return {
    fromMs: from === undefined ? undefined : startOf(from),
    untilMs: to === undefined ? undefined : startOf(addDays(to, 1)),
  };
}
