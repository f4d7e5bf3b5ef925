import Type from 'typebox';
import { Failure, failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Caller, type Endpoint, endpoint, reply, replyRawJson } from '../../platform/http/endpoint.ts';
import { List, Text } from '../../platform/http/schemas.ts';
import { orderJson } from './order-document.ts';
import { orderExample } from './order-examples.ts';
import { selectIntegratorOfOrder, selectOrderStatuses, selectShownOrders } from './order-list-queries.ts';
import { Order, OrderId, OrderStatusReply } from './order-schemas.ts';
import { stepOrder } from './step-order.ts';

/* D69: what a key with `create-orders` alone does with the orders that its integrator placed. */

const statusesMax = 100;
const uuidText = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The operations on several or own orders that need only `create-orders`. */
export function ownOrderRoutes(context: Context): Endpoint[] {
  return [listOrderStatusesEndpoint(context.database), cancelOrderEndpoint(context)];
}

function listOrderStatusesEndpoint(database: Database): Endpoint {
  return endpoint({
    id: 'listOrderStatuses',
    method: 'GET',
    path: '/api/v1/orders/statuses',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'refused',
    kind: 'read',
    readsFrom: { primary: 'looks orders up by their ids, like a read of one order' },
    list: { staysSmall: 'at most 100 orders, by their ids' },
    summary: 'Retrieve the statuses of several orders',
    description:
      `The present status of up to ${statusesMax} orders, in the order of \`ids\`, each once. An id without an order is left out. ` +
      'A key without `analytics` finds the orders that its integrator placed. ' +
      'A webhook or `GET /api/v1/changes` tells of a change sooner.',
    tag: 'Orders',
    query: Type.Object({
      ids: Text({
        min: 1,
        max: statusesMax * 37,
        description: `Up to ${statusesMax} order ids, separated by commas`,
      }),
    }),
    success: {
      status: 200,
      data: List(OrderStatusReply, { max: statusesMax }),
      description: 'The statuses',
      example: [{ id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37', status: 'new' }],
    },
    failures: [],
    handle: async ({ caller, query }) => {
      const ids = readIds(query.ids);
      const [rows] = await database.read(caller.organizationId, selectOrderStatuses({ ids }));
      const seen = rows.filter((row) => seesOrder(caller, row));
      const statusOf = new Map(seen.map(({ id, status }) => [id, status]));
      return reply(
        ids.flatMap((id) => {
          const status = statusOf.get(id);
          return status === undefined ? [] : [{ id, status: status as 'draft' }];
        }),
      );
    },
  });
}

/** A text that is no order id names no order, like an id that does not exist. */
function readIds(text: string): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))];
  if (ids.length > statusesMax) {
    throw failure('INVALID_PARAMS', `ids must name at most ${statusesMax} orders, not ${ids.length}.`);
  }
  return ids.filter((id) => uuidText.test(id));
}

function cancelOrderEndpoint(context: Context): Endpoint {
  return endpoint({
    id: 'cancelOwnOrder',
    method: 'POST',
    path: '/api/v1/orders/{orderId}/cancel',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'refused',
    kind: 'write',
    summary: 'Cancel an own order',
    description:
      'Cancels a draft or new order that this integrator placed, as staff would: it gives back the stock, the uses of ' +
      'discounts, credits and points. From `packed` on only staff can cancel it. An order that is canceled already stays as ' +
      'it is.',
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId({ description: 'The order id' }) }),
    body: Type.Object({
      reason: Type.Optional(
        Text({ max: 500, description: 'Why, for the staff; by default that the integrator canceled it' }),
      ),
    }),
    requestExample: { reason: 'The customer changed their mind' },
    success: { status: 200, data: Order, description: 'The order after it', example: orderExample },
    failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER_TRANSITION', 'TRANSACTION_RETRY_EXCEEDED'],
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    handle: async ({ caller, params, body, requestId }) => {
      const reason = body.reason?.trim();
      const canceling = stepOrder(
        context,
        { actor: `key:${caller.clientKeyId}`, requestId },
        caller.organizationId,
        params.orderId,
        'cancel',
        { staff: null, cancelationReason: reason || `Canceled by ${caller.integratorName}` },
        { ofIntegrator: caller.integratorId, from: ['draft', 'new'] },
      );
      await canceling.catch(unlessCanceled);
      const [[row]] = await context.database.read(
        caller.organizationId,
        selectShownOrders({ ids: [params.orderId] }),
      );
      return replyRawJson(shownTo(caller, `{"data":${orderJson(row!)}}`));
    },
  });
}

/** An order that is canceled already stays as it is: a repetition is no error. */
export function unlessCanceled(error: unknown): void {
  const isCanceled =
    error instanceof Failure &&
    error.code === 'INVALID_ORDER_TRANSITION' &&
    error.meta?.status === 'canceled';
  if (!isCanceled) throw error;
}

/** A caller without `analytics` reads only the orders that its integrator placed, by whichever of its keys. */
export function seesOwnOrdersOnly({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return !permissions.has('analytics');
}

/** Whether a caller reads an order: with `analytics` every one, otherwise those of its own integrator (D64a). */
export function seesOrder(
  caller: Pick<Caller, 'permissions' | 'integratorId'>,
  placed: { readonly integrator_id: number | null } | undefined,
): boolean {
  return !seesOwnOrdersOnly(caller) || placed?.integrator_id === caller.integratorId;
}

/** Fails with ORDER_NOT_FOUND unless the caller reads the order. */
export async function assertSeesOrder(database: Database, caller: Caller, id: string): Promise<void> {
  if (!seesOwnOrdersOnly(caller)) return;
  const [[placed]] = await database.read(caller.organizationId, selectIntegratorOfOrder({ id }));
  if (!seesOrder(caller, placed)) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
}

/**
 * The reply with orders, as this caller may see them: whose key does not vouch for its customers, and reads only what it placed,
 * is not told the profile that an email found (D62).
 */
export function shownTo<Reply extends string | Buffer>(
  caller: Pick<Caller, 'permissions' | 'vouches'>,
  reply: Reply,
): Reply | string {
  if (seesCustomers(caller)) return reply;
  const { data, ...rest } = JSON.parse(reply.toString()) as { data: object | readonly object[] };
  return JSON.stringify({
    data: Array.isArray(data) ? data.map(withoutCustomer) : withoutCustomer(data),
    ...rest,
  });
}

/** Whether a caller is shown the customers of the orders that it reads. */
export function seesCustomers(caller: Pick<Caller, 'permissions' | 'vouches'>): boolean {
  return caller.vouches || !seesOwnOrdersOnly(caller);
}

/** An order without its customer. An old number would tell as much as a name: it was there before the order. */
export function withoutCustomer(order: object): object {
  const { userId: _, ...shown } = order as { readonly userId?: number };
  return { ...shown, customer: {} };
}

/** Which queries the list of own orders takes. Fails with INSUFFICIENT_PERMISSIONS for others. */
export function assertOwnListQuery(query: object): void {
  const ofOwn: ReadonlySet<string> = new Set(['startingAfter', 'startingOn', 'idempotencyKey']);
  const other = Object.keys(query).find((name) => !ofOwn.has(name));
  if (other === undefined) return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The client key must have the permission analytics to send ${other}; without it the list has the own orders.`,
  );
}

/** Fails with INVALID_CURSOR unless the caller's integrator placed the order. */
export async function assertOwnCursor(
  database: Database,
  caller: Caller,
  startingAfter: string,
): Promise<void> {
  const [[placed]] = await database.read(
    caller.organizationId,
    selectIntegratorOfOrder({ id: startingAfter }),
  );
  if (placed?.integrator_id === caller.integratorId) return;
  throw failure('INVALID_CURSOR', 'startingAfter must be the id of an order of this list');
}
