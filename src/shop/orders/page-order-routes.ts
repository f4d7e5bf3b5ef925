import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Caller, type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import type { DeclaredHeader } from '../../platform/http/endpoint-requests.ts';
import {
  CentsTotal,
  Described,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { linesPerCartMax, taxFields } from '../carts/cart-schemas.ts';
import { provenContact } from '../customers/customers.ts';
import { orderDocument } from './order-document.ts';
import {
  listShownOrders,
  ordersPerPage,
  selectCancelSetting,
  selectOrderOfContact,
  selectShownOrders,
} from './order-list-queries.ts';
import { OrderId, OrderSlot, orderStatuses } from './order-schemas.ts';
import { type OrderTokens, orderTokenHeader } from './order-token.ts';
import { unlessCanceled } from './own-order-routes.ts';
import { stepOrder } from './step-order.ts';

/** An order as its customer may see it: no cost, no stock, no staff, and not the profile on file (D62). */
const PageOrder = Named(
  'PageOrder',
  Type.Object({
    id: OrderId({ description: 'The order' }),
    status: OneOf(orderStatuses, { description: 'Where the order is in its life' }),
    type: OneOf(['delivery', 'pickup', 'in-store'], { description: 'Kind of order' }),
    createdAt: Timestamp({ description: 'When it was placed' }),
    packedAt: Nullable(Timestamp({ description: 'When it was packed' })),
    fulfilledAt: Nullable(Timestamp({ description: 'When it was handed over' })),
    canceledAt: Nullable(Timestamp({ description: 'When it was canceled' })),
    slot: Type.Optional(Described('The time slot; absent: none was chosen', OrderSlot)),
    canCancel: Flag({
      description: 'Whether the customer can cancel it now, as the shop lets its customers',
    }),
    totalPrice: CentsTotal({ description: 'Before discounts, in cents' }),
    netPrice: CentsTotal({ description: 'With taxes, before fees' }),
    customerGrandTotal: CentsTotal({ description: 'What the customer pays' }),
    deliveryFee: Nullable(CentsTotal({ description: 'In cents' })),
    deliveryFeeDescription: Nullable(Text({ max: 200, description: 'Title of the fee' })),
    lineItems: List(
      Type.Object({
        productId: Id({ description: 'Id of the product' }),
        optionId: Id({ description: 'Id of the option' }),
        productName: Text({ max: 500, description: 'As it was named when the order was placed' }),
        productBrand: Nullable(Text({ max: 200, description: 'Brand' })),
        optionName: Text({ max: 200, description: 'Size' }),
        quantity: WholeNumber({ min: 1, max: 10_000, description: 'How many' }),
        unitPrice: CentsTotal({ description: 'In cents' }),
        finalPrice: CentsTotal({ description: 'After discounts' }),
      }),
      { description: 'The lines', max: linesPerCartMax },
    ),
    taxes: List(
      Type.Object({
        amount: taxFields.amount,
        description: taxFields.description,
        included: taxFields.included,
      }),
      { description: 'The taxes, in the order of calculation', max: 10_000 },
    ),
  }),
);

type ShownToCustomer = Type.Static<typeof PageOrder>;
type OrderDocument = Omit<ShownToCustomer, 'canCancel'>;
type CancelSetting = 'never' | 'while-draft' | 'until-packed';

const example = {
  id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
  status: 'packed',
  type: 'pickup',
  createdAt: '2026-03-01T17:05:09.123Z',
  packedAt: '2026-03-01T17:25:00.000Z',
  fulfilledAt: null,
  canceledAt: null,
  canCancel: false,
  totalPrice: 8000,
  netPrice: 9870,
  customerGrandTotal: 9870,
  deliveryFee: null,
  deliveryFeeDescription: null,
  lineItems: [
    {
      productId: 7001,
      optionId: 7101,
      productName: 'Moonlit Grove',
      productBrand: 'Fernhollow',
      optionName: 'Eighth',
      quantity: 2,
      unitPrice: 4000,
      finalPrice: 8000,
    },
  ],
  taxes: [{ amount: 1870, description: 'Sales tax', included: false }],
} as const;

/** The session in which a customer asks (D62). */
const customerTokenHeader: DeclaredHeader = {
  name: 'X-Customer-Token',
  description: 'The token of a customer session: the request is made for this customer.',
};

/**
 * Orders for the pages that placed them and for the customers who signed in (D67). A customer's session opens all orders of
 * the customer at this organization, through every channel: what D69 keeps from an integrator is what it reads by itself, and
 * here the customer asks, who has proven to be the one (D62) and sees credits, points and limits of all channels already.
 */
export function pageOrderRoutes(context: Context, tokens: OrderTokens): Endpoint[] {
  return [
    listEndpoint(context),
    endpoint({
      id: 'getPageOrder',
      method: 'GET',
      path: '/api/v1/own-orders/{orderId}',
      address: 'base',
      permission: 'create-orders',
      publishableKey: 'allowed',
      headers: [orderTokenHeader, customerTokenHeader],
      kind: 'read',
      summary: 'Retrieve an order for its customer',
      description:
        'An order with what its customer may see: one that this integrator placed, with a publishable key only the one whose ' +
        'token X-Order-Token carries; or any one of the customer whose session X-Customer-Token carries, placed through any channel.',
      tag: 'Orders',
      params: Type.Object({ orderId: OrderId({ description: 'The order id' }) }),
      success: { status: 200, data: PageOrder, description: 'The order', example },
      failures: ['ORDER_NOT_FOUND', 'CUSTOMER_SESSION_ENDED'],
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      handle: async (request) =>
        reply(await readOwnOrder(context, tokens, request.caller, request.params.orderId, askerOf(request))),
    }),
    cancelEndpoint(context, tokens),
  ];
}

function cancelEndpoint(context: Context, tokens: OrderTokens): Endpoint {
  return endpoint({
    id: 'cancelPageOrder',
    method: 'POST',
    path: '/api/v1/own-orders/{orderId}/cancel',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'allowed',
    headers: [orderTokenHeader, customerTokenHeader],
    kind: 'write',
    summary: 'Cancel an order for its customer',
    description:
      'Cancels an order for pickup or delivery that the caller reads by `GET /api/v1/own-orders/{orderId}`, while `canCancel` is true: for as ' +
      'long as the shop lets its customers, and at most until the order is packed. It gives back the stock, the uses of discounts, credits, ' +
      'points, and what was paid by bank. An order that is canceled already stays as it is.',
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId({ description: 'The order id' }) }),
    body: Type.Object({
      reason: Type.Optional(
        Text({ max: 500, description: 'Why, for the staff; by default that the customer canceled it' }),
      ),
    }),
    requestExample: { reason: 'I cannot come today' },
    success: {
      status: 200,
      data: PageOrder,
      description: 'The order after it',
      example: { ...example, status: 'canceled', packedAt: null, canceledAt: '2026-03-01T17:15:00.000Z' },
    },
    failures: [
      ...(['ORDER_NOT_FOUND', 'CUSTOMER_SESSION_ENDED', 'INVALID_ORDER_TRANSITION'] as const),
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    refuseReplay: (request) =>
      readOwnOrder(context, tokens, request.caller, request.params.orderId, askerOf(request)),
    handle: async (request) => {
      const { caller, body, requestId } = request;
      const { orderId } = request.params;
      const read = () => readOwnOrder(context, tokens, caller, orderId, askerOf(request));
      const { status, canCancel } = await read();
      if (!canCancel && status !== 'canceled') {
        const message = 'This order is canceled by the shop only.';
        throw failure('INVALID_ORDER_TRANSITION', message, { status, action: 'cancel' });
      }
      const cancelationReason = body.reason?.trim() || 'Canceled by the customer';
      const origin: Origin = { actor: `key:${caller.clientKeyId}`, requestId };
      const by = { staff: null, cancelationReason };
      // The step sees the order under a lock: what the shop has accepted or packed meanwhile stays.
      const from = [status];
      await stepOrder(context, origin, caller.organizationId, orderId, 'cancel', by, { from }).catch(
        unlessCanceled,
      );
      return reply(await read());
    },
  });
}

/** What a page sent to say whose order it wants. */
interface Asker {
  readonly orderToken: string | undefined;
  readonly customerToken: string | undefined;
}

function askerOf(request: { header(declared: DeclaredHeader): string | undefined }): Asker {
  return { orderToken: request.header(orderTokenHeader), customerToken: request.header(customerTokenHeader) };
}

/** The order as its customer sees it. Fails with ORDER_NOT_FOUND unless the caller may read it, or CUSTOMER_SESSION_ENDED. */
async function readOwnOrder(
  context: Context,
  tokens: OrderTokens,
  caller: Caller,
  orderId: string,
  { orderToken, customerToken }: Asker,
): Promise<ShownToCustomer> {
  const isHeld = caller.origins === null || (await tokens.fits(orderToken, caller.organizationId, orderId));
  const contact = customerToken === undefined ? null : await provenContact(context, caller, customerToken);
  const [[row], [own], [setting]] = await context.database.read(
    caller.organizationId,
    selectShownOrders({ ids: [orderId] }),
    selectOrderOfContact({ id: orderId, contact }),
    selectCancelSetting({}),
  );
  if (row === undefined || !mayRead(caller, own, isHeld)) {
    throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  }
  return shownToCustomer(JSON.parse(orderDocument(row)), setting!.customers_cancel);
}

const cancelableFrom: Readonly<Record<CancelSetting, readonly ShownToCustomer['status'][]>> = {
  never: [],
  'while-draft': ['draft'],
  'until-packed': ['draft', 'new'],
};

/** A sale at the counter is not the customer's to undo. */
function canCancel({ status, type }: OrderDocument, setting: CancelSetting): boolean {
  return type !== 'in-store' && cancelableFrom[setting].includes(status);
}

function listEndpoint(context: Context): Endpoint {
  return endpoint({
    id: 'listPageOrders',
    method: 'GET',
    path: '/api/v1/own-orders',
    address: 'base',
    permission: 'create-orders',
    publishableKey: 'allowed',
    headers: [customerTokenHeader],
    kind: 'read',
    readsFrom: { primary: 'the page of a customer who has just ordered' },
    list: { order: { descending: ['createdAt', 'id'] } },
    summary: "List a customer's orders",
    description:
      'The orders of the customer whose session X-Customer-Token carries, of every channel, newest first, with what the ' +
      'customer may see. A secret key without a session gets those that its integrator placed; a publishable key must send one.',
    tag: 'Orders',
    query: Type.Object({
      startingAfter: Type.Optional(
        withErrorCode(OrderId({ description: 'Order id: the page starts after it' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(PageOrder, { max: ordersPerPage }),
      description: 'A page of orders',
      example: [example],
    },
    failures: ['INVALID_CURSOR', 'CUSTOMER_SESSION_ENDED'],
    handle: async (request) => {
      const { caller, query } = request;
      const { startingAfter } = query;
      const customerToken = request.header(customerTokenHeader);
      if (customerToken === undefined && caller.origins !== null) {
        throw failure('CUSTOMER_SESSION_ENDED', 'X-Customer-Token must be sent: the customer must sign in.');
      }
      const contact =
        customerToken === undefined ? null : await provenContact(context, caller, customerToken);
      const { integratorId } = caller;
      const [rows, [cursor], [setting]] = await context.database.read(
        caller.organizationId,
        listShownOrders(contact === null ? { integratorId } : { contact }, startingAfter),
        selectOrderOfContact({ id: startingAfter ?? null, contact }),
        selectCancelSetting({}),
      );
      const isInList = contact === null ? cursor?.integrator_id === integratorId : cursor?.is_of_contact;
      if (startingAfter !== undefined && !isInList) {
        throw failure('INVALID_CURSOR', 'startingAfter must be the id of an order of this list');
      }
      const shown = rows.map((row) =>
        shownToCustomer(JSON.parse(orderDocument(row)), setting!.customers_cancel),
      );
      return reply(shown);
    },
  });
}

/** The document of an order without what only the shop may see. */
function shownToCustomer(document: OrderDocument, setting: CancelSetting): ShownToCustomer {
  const { id, status, type, createdAt, packedAt, fulfilledAt, canceledAt } = document;
  const { totalPrice, netPrice, customerGrandTotal, deliveryFee, deliveryFeeDescription } = document;
  return {
    ...{ id, status, type, createdAt, packedAt, fulfilledAt, canceledAt },
    ...(document.slot && { slot: document.slot }),
    canCancel: canCancel(document, setting),
    ...{ totalPrice, netPrice, customerGrandTotal, deliveryFee, deliveryFeeDescription },
    lineItems: document.lineItems.map(
      ({ productId, optionId, productName, productBrand, optionName, quantity, unitPrice, finalPrice }) => ({
        ...{ productId, optionId, productName, productBrand, optionName },
        ...{ quantity, unitPrice, finalPrice },
      }),
    ),
    taxes: document.taxes.map(({ amount, description, included }) => ({ amount, description, included })),
  };
}

function mayRead(
  { integratorId }: Caller,
  own: { integrator_id: number | null; is_of_contact: boolean } | undefined,
  isHeld: boolean,
): boolean {
  if (own === undefined) return false;
  return own.is_of_contact || (isHeld && own.integrator_id === integratorId);
}
