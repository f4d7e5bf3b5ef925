import Type from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { errorCatalog } from '../../kernel/error-catalog.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { endOfLocalDateMs } from '../../kernel/local-time.ts';
import { BatchedLookup } from '../../platform/database/batched-lookup.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Caller, type Endpoint, endpoint, reply, replyRawJson } from '../../platform/http/endpoint.ts';
import { Flag, Id, List, LocalDate, OneOf, UuidV4, withErrorCode } from '../../platform/http/schemas.ts';
import { PageEnds } from '../../platform/lists/page-ends.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { cartFailures, ExplainQuery, orderTypes } from '../carts/cart-schemas.ts';
import {
  contactsOf,
  deliveryAddress,
  missingAddress,
  missingContact,
  type PricingInputsCache,
  readProvenCart,
} from '../carts/carts.ts';
import { selectReportedState, shownReportedState } from '../traceability/traceability.ts';
import { createdOrder } from './created-order.ts';
import { CreatedOrder, VouchedCreatedOrder } from './created-order-schema.ts';
import { selectExplanation } from './explanation-queries.ts';
import { explanationMembers, orderJson } from './order-document.ts';
import { createdOrderExample, orderExample, placeOrderExample } from './order-examples.ts';
import { OrderJsonCache } from './order-json-cache.ts';
import { selectClaimedOrder } from './order-key-queries.ts';
import {
  listOrdersPage,
  noOrders,
  ordersPerPage,
  selectIntegratorOfOrder,
  selectOrderCursor,
  selectOrderStatuses,
  selectShownOrders,
} from './order-list-queries.ts';
import { Order, OrderId, OrderStatusReply, orderStatuses, PlaceOrderBody } from './order-schemas.ts';
import { OrderTokens, orderTokenHeader } from './order-token.ts';
import { assertShownTotals } from './order-totals.ts';
import {
  assertOwnCursor,
  assertOwnListQuery,
  ownOrderRoutes,
  seesOrder,
  seesOwnOrdersOnly,
  shownTo,
} from './own-order-routes.ts';
import { pageOrderRoutes } from './page-order-routes.ts';
import { OrderPlacer } from './place-order.ts';
import { ordersOfVisitors, refusedOrdersOfVisitors } from './visitor-limits.ts';

const OrderParams = Type.Object({ orderId: OrderId({ description: 'The order id' }) });
const strangerOrder = { orderId: 'ORDER_NOT_FOUND' } as const;

/** The operations on orders. `pricingInputs` is the cache of the previews, which placing an order invalidates. */
export function orderRoutes(
  context: Context,
  pricingInputs: PricingInputsCache,
  masterKeys: MasterKeys,
): Endpoint[] {
  const { database } = context;
  const tokens = new OrderTokens(context, masterKeys);
  return [
    placeOrderEndpoint(context, pricingInputs, tokens),
    getOrderStatusEndpoint(database, tokens),
    ...ownOrderRoutes(context),
    ...pageOrderRoutes(context, tokens),
    getOrderEndpoint(database),
    listOrdersEndpoint(context),
  ];
}

function placeOrderEndpoint(
  context: Context,
  pricingInputs: PricingInputsCache,
  tokens: OrderTokens,
): Endpoint {
  const placer = new OrderPlacer(context, pricingInputs);
  return endpoint({
    id: 'placeOrder',
    method: 'POST',
    path: '/api/v1/orders',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'allowed',
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Create an order',
    description:
      'Places an order. Safe to retry: if an order exists for `idempotencyKey`, the reply is that order (201, ' +
      'with the header `Idempotent-Replayed: true`) for any valid body, and nothing is created; a ' +
      'refused attempt leaves the key free. The status is `draft` (stock not taken yet) or `new` (stock taken), as the ' +
      "organization's setting for the order type requires. Send `expectedCustomerGrandTotal` to make sure that the " +
      "customer pays the previewed amount. With a publishable key the reply has an `orderToken` and no `customer`; `customer` is null, too, of a key whose customers are `proven`, unless `customer.token` is sent. A client of a secret key whose customers are `vouched` may read the reply as `VouchedCreatedOrder`, where `customer` is always there. Orders of customers who have not signed in are limited on pages: ten at once for a visitor's address, then one in two hours, and a larger number for all visitors of the key together; a repetition is answered in any case. The header `Idempotency-Key` has no effect here: `idempotencyKey` counts.",
    tag: 'Orders',
    body: PlaceOrderBody,
    alsoMissing: (body) => [...missingAddress(body), ...missingContact(body)],
    requestExample: placeOrderExample,
    success: {
      ...{ status: 201, data: CreatedOrder, vouchedData: VouchedCreatedOrder },
      ...{ description: 'The order', example: createdOrderExample },
    },
    failures: [
      ...cartFailures,
      'INVALID_IDEMPOTENCY_KEY',
      'ORDER_MINIMUM_NOT_MET',
      // Not the hours of sale: an order for later is placed at any time.
      'PATIENTS_ONLY_PRODUCT',
      'DELIVERY_NOT_ALLOWED',
      'VEHICLE_VALUE_EXCEEDED',
      'BUYER_REQUIRED',
      'PRODUCT_FACT_MISSING',
      'PURCHASE_LIMIT_EXCEEDED',
      'PRICE_CHANGED',
      'TIME_SLOT_NOT_AVAILABLE',
      'OUT_OF_STOCK',
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async (request) => {
      const { caller, body, requestId } = request;
      const address = deliveryAddress(body);
      const cart = await readProvenCart(context, caller, body, address?.postalCode ?? null);
      const { organizationId, integratorId } = caller;
      const idempotencyKey = body.idempotencyKey.toLowerCase();
      // Of visitors of a page only: who signed in, and the integrator of a secret key, can be asked.
      const isVisitor = cart.isUnproven && caller.origins !== null;
      const isCounted = isVisitor && !(await isPlaced(context, organizationId, integratorId, idempotencyKey));
      const attempt = isCounted ? await request.countUnproven(ordersOfVisitors) : undefined;
      const { order, replayed } = await placer
        .place(
          { actor: `key:${caller.clientKeyId}`, requestId },
          {
            organizationId,
            source: 'open-api',
            integrator: { id: integratorId, name: caller.integratorName, idempotencyKey },
            placedBy: null,
            customerName: null,
          },
          {
            ...cart,
            address,
            deliveryNotes: body.deliveryNotes ?? null,
            expectedCustomerGrandTotalCents: body.expectedCustomerGrandTotal ?? null,
          },
          // An order and its refusal show terms that may be a moment newer than those that previews still use.
        )
        .catch(async (error: unknown) => {
          attempt?.giveBack();
          if (cart.isUnproven && error instanceof Failure && errorCatalog[error.code].status < 500) {
            const { emails, phones } = contactsOf([cart]);
            await request.countUnproven(refusedOrdersOfVisitors, [...emails, ...phones]);
          }
          throw error;
        })
        .finally(() => pricingInputs.invalidate(organizationId));
      if (replayed) attempt?.giveBack();
      const shown = {
        ...createdOrder(order),
        // Its id tells whether the email was known, and a replay shows the name on file.
        ...((cart.isUnproven || caller.origins !== null) && { customer: null }),
      };
      return reply(
        caller.origins === null
          ? shown
          : { ...shown, orderToken: await tokens.make(organizationId, order.head.id) },
        replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {},
      );
    },
  });
}

/** Whether an order has the key: whose answer was lost hears of it, however many orders there were. */
async function isPlaced(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  integratorId: number,
  idempotencyKey: string,
): Promise<boolean> {
  const [rows] = await database.read(organization, selectClaimedOrder({ integratorId, idempotencyKey }));
  return rows.length > 0;
}

function getOrderStatusEndpoint(database: Database, tokens: OrderTokens): Endpoint {
  const statuses = new BatchedLookup(database, selectOrderStatuses);
  return endpoint({
    id: 'getOrderStatus',
    method: 'GET',
    path: '/api/v1/orders/{orderId}',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'allowed',
    kind: 'read',
    summary: 'Retrieve order status',
    description:
      'The id and current status of an order. A key without `analytics` finds the orders that its integrator placed; a ' +
      'publishable key, the order whose token X-Order-Token carries.',
    headers: [orderTokenHeader],
    tag: 'Orders',
    params: OrderParams,
    success: {
      status: 200,
      data: OrderStatusReply,
      description: 'The status',
      example: { id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37', status: 'new' },
    },
    failures: ['ORDER_NOT_FOUND'],
    resourceParams: strangerOrder,
    handle: async (request) => {
      const { caller, params } = request;
      if (
        caller.origins !== null &&
        !(await tokens.fits(request.header(orderTokenHeader), caller.organizationId, params.orderId))
      ) {
        throw orderNotFound();
      }
      const row = await statuses.find(caller.organizationId, params.orderId);
      if (row === undefined || !seesOrder(caller, row)) throw orderNotFound();
      return reply({ id: row.id, status: row.status as 'draft' });
    },
  });
}

function getOrderEndpoint(database: Database): Endpoint {
  return endpoint({
    id: 'getOrder',
    method: 'GET',
    path: '/api/v1/orders/{orderId}/detail',
    address: 'base',
    permission: 'analytics',
    publishableKey: 'refused',
    permissionForLess: 'create-orders',
    kind: 'read',
    summary: 'Retrieve an order',
    description:
      'The whole order, in the shape of the list. Amounts, names and prices are those at the time of the order; ' +
      '`customer` is the current profile. With `?explain=true`, `explanation` has the steps of the ' +
      'arithmetic that made the amounts when the order was placed, or `explanationPruned` says that they were deleted; `lawEdition` ' +
      'names the edition of legal facts that decided it. A key with `create-orders` and without `analytics` ' +
      'finds the orders that its integrator placed; if its customers are `proven`, `customer` is empty. With `analytics`, ' +
      "`stateReport` says what the state's system knows of an order that the shop reports.",
    tag: 'Orders',
    params: OrderParams,
    query: ExplainQuery,
    success: { status: 200, data: Order, description: 'The order', example: orderExample },
    failures: ['ORDER_NOT_FOUND'],
    resourceParams: strangerOrder,
    handle: async ({ caller, params, query }) => {
      const { orderId } = params;
      const isOwn = seesOwnOrdersOnly(caller);
      const [[row], [explanation], [placed], [report]] = await database.read(
        caller.organizationId,
        selectShownOrders({ ids: [orderId] }),
        query.explain === true ? selectExplanation({ orderId }) : null,
        isOwn ? selectIntegratorOfOrder({ id: orderId }) : null,
        isOwn ? null : selectReportedState({ orderId }),
      );
      if (row === undefined || !seesOrder(caller, placed)) throw orderNotFound();
      const json = orderJson(row);
      assertShownTotals(JSON.parse(json));
      const members = [
        json.slice(0, -1),
        ...(explanation === undefined ? [] : [explanationMembers(explanation)]),
        ...(report === undefined ? [] : [`"stateReport":${JSON.stringify(shownReportedState(report))}`]),
      ];
      return replyRawJson(shownTo(caller, `{"data":${members.join()}}}`));
    },
  });
}

const ListOrdersQuery = Type.Object({
  startingAfter: Type.Optional(
    withErrorCode(
      OrderId({
        description: 'Order id: the page starts after it. With `fulfilledOnly`, the id of a fulfilled order',
      }),
      'INVALID_CURSOR',
    ),
  ),
  startingOn: Type.Optional(
    LocalDate({
      description:
        "A day in the organization's time zone: the page starts with the latest order of that day and " +
        'continues with earlier ones',
    }),
  ),
  fulfilledOnly: Type.Optional(
    Flag({
      description:
        '`true`: only fulfilled orders, by the time of fulfilment; `startingOn` then means that time',
    }),
  ),
  sortBy: Type.Optional(
    OneOf(['updatedAt'], {
      description:
        'By the time of the last change, latest first, also with `fulfilledOnly`; `startingOn` then refers to that time',
    }),
  ),
  status: Type.Optional(OneOf(orderStatuses, { description: 'Where the order is in its life' })),
  type: Type.Optional(OneOf(orderTypes, { description: 'Kind of order' })),
  userId: Type.Optional(Id({ description: 'Only orders of this customer' })),
  idempotencyKey: Type.Optional(
    withErrorCode(
      UuidV4({ description: 'Only the order that this key created, if any: did my order go in?' }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
  ),
});

function listOrdersEndpoint({ database, clock }: Context): Endpoint {
  const orderJsonCache = new OrderJsonCache(database);
  const pageEnds = new PageEnds();
  return endpoint({
    id: 'listOrders',
    method: 'GET',
    path: '/api/v1/orders',
    address: 'base',
    permission: 'analytics',
    publishableKey: 'refused',
    permissionForLess: 'create-orders',
    kind: 'read',
    readsFrom: 'standby',
    list: {
      order: ({ sortBy, fulfilledOnly }) => ({
        descending: [sortBy ? 'updatedAt' : fulfilledOnly ? 'fulfilledAt' : 'createdAt', 'id'],
      }),
    },
    summary: 'List orders',
    description:
      `The organization's orders, newest first, ${ordersPerPage} a page. Pass the last \`id\` of a page as ` +
      '`startingAfter` to get the next one; past the end the page is empty. Filters combine. With `sortBy=updatedAt` a ' +
      'change moves an order to the front; the next pages continue where the last one ended. An order may then ' +
      'come twice; none is left out. To keep a copy, `GET /api/v1/changes` is better. A key with `create-orders` and ' +
      'without `analytics` gets the orders that its integrator placed, and may send `startingAfter`, `startingOn` and ' +
      '`idempotencyKey`; if its customers are `proven`, `customer` is empty.',
    tag: 'Orders',
    query: ListOrdersQuery,
    success: {
      status: 200,
      data: List(Order, { max: ordersPerPage }),
      description: 'A page of orders',
      example: [orderExample],
    },
    failures: ['INVALID_CURSOR', 'INVALID_IDEMPOTENCY_KEY'],
    handle: async ({ caller, query }) => {
      const isOwn = seesOwnOrdersOnly(caller);
      if (isOwn) assertOwnListQuery(query);
      const beforeMs =
        query.startingOn === undefined
          ? Number.POSITIVE_INFINITY
          : await endOfDay(database, caller, query.startingOn);
      const fulfilledOnly = query.fulfilledOnly === true;
      const byChange = query.sortBy === 'updatedAt';
      const { startingAfter } = query;
      const nowMs = clock.now();
      // Each by its name: a spread of what was parsed is slow to make and to read, 4 % of a page.
      const asked = listOrdersPage({
        type: query.type,
        status: fulfilledOnly ? 'fulfilled' : query.status,
        userId: query.userId,
        idempotencyKey: query.idempotencyKey,
        startingAfter,
        seenAt:
          byChange && startingAfter !== undefined
            ? pageEnds.placeOf(caller.clientKeyId, startingAfter, nowMs)
            : null,
        integratorId: caller.integratorId,
        isOwn,
        time: byChange ? 'changed' : fulfilledOnly ? 'fulfilled' : 'placed',
        beforeMs,
      });
      const isContradiction = fulfilledOnly && query.status !== undefined && query.status !== 'fulfilled';
      const [listed] = isContradiction
        ? [noOrders]
        : await database.readBatched(caller.organizationId, asked);
      assert(listed !== undefined, 'a page is one row');
      // The end of the list, or no place in it: only here it has to be asked.
      if (listed.orders === null && startingAfter !== undefined) {
        await assertCursorKnown(database, caller, startingAfter, fulfilledOnly);
        if (isOwn) await assertOwnCursor(database, caller, startingAfter);
      }
      if (byChange && listed.orders !== null && listed.last_at) {
        const [lastId] = listed.orders.slice(listed.orders.lastIndexOf(',') + 1).split(' ', 1);
        pageEnds.remember(caller.clientKeyId, lastId!, listed.last_at, nowMs);
      }
      const page = await orderJsonCache.page(caller.organizationId, listed);
      const shown = shownTo(caller, page);
      return replyRawJson(shown, { isKept: shown === page });
    },
  });
}

async function endOfDay(database: Database, caller: Caller, date: string): Promise<number> {
  const [[organization]] = await database.read(caller.organizationId, selectOrganization({}));
  assert(organization !== undefined, 'the authenticated organization does not exist');
  return endOfLocalDateMs(date, organization.tz);
}

async function assertCursorKnown(
  database: Database,
  caller: Caller,
  startingAfter: string,
  fulfilledOnly: boolean,
): Promise<void> {
  const cursor = selectOrderCursor({ id: startingAfter, fulfilledOnly });
  const [[found]] = await database.read(caller.organizationId, cursor);
  if (found === undefined) {
    throw failure(
      'INVALID_CURSOR',
      fulfilledOnly
        ? 'startingAfter must be the id of a fulfilled order, as fulfilledOnly is sent'
        : 'startingAfter must be the id of an order of this list',
    );
  }
}

function orderNotFound() {
  return failure('ORDER_NOT_FOUND', 'There is no such order.');
}
