import Type from 'typebox';
import { isMoved, timeBy } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply, replyRawJson } from '../../platform/http/endpoint.ts';
import {
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { orderExample } from '../orders/order-examples.ts';
import { dispatchStatuses, Order, OrderId } from '../orders/order-schemas.ts';
import { assertSeesOrder } from '../orders/orders.ts';
import { playedActions, playOrder } from './play-order.ts';
import { requestReset } from './reset-sandbox.ts';
import { type SandboxRow, selectSandbox } from './sandbox-queries.ts';
import { clockDaysMax, clockOf, notASandbox, setSandboxClock } from './set-sandbox-clock.ts';
import { caseCustomers, caseProducts } from './special-cases.ts';

const secondsMax = clockDaysMax * 86_400;

const SandboxShape = Named(
  'Sandbox',
  Type.Object({
    organizationId: Id({ description: 'The organization that is the sandbox; another one after a reset' }),
    clock: Type.Object(
      {
        now: Timestamp({ description: 'What the clock of the sandbox shows' }),
        stands: Flag({ description: 'The clock shows this moment until it is set or moved' }),
        isMoved: Flag({ description: 'Whether it shows another time than the deployment' }),
      },
      { description: 'Prices, taxes, limits, ages and expiries are decided by this clock' },
    ),
    specialCases: List(
      Named(
        'SandboxSpecialCase',
        Type.Object({
          case: OneOf(
            [...caseCustomers, ...caseProducts].map((one) => one.case),
            { description: 'The case' },
          ),
          about: Text({ max: 300, description: 'What happens' }),
          customerId: Nullable(Id({ description: 'The customer; null: the case is of a product' })),
          email: Nullable(
            Text({ max: 254, description: "The customer's email, for `customer.email` of a cart" }),
          ),
          productId: Nullable(Id({ description: 'The product; null: the case is of a customer' })),
          productOptionId: Nullable(Id({ description: 'Its option, for `lineItems` of a cart' })),
        }),
      ),
      { max: 100, description: 'Customers and products for what an integration has to handle' },
    ),
    resetRequestedAt: Nullable(
      Timestamp({ description: 'A reset waits since then; null: none. It takes some seconds' }),
    ),
    createdAt: Timestamp({ description: 'When it was made, or reset' }),
  }),
);

const sandboxExample = {
  organizationId: 1003,
  clock: { now: '2026-03-01T17:05:09.123Z', stands: false, isMoved: false },
  specialCases: [
    {
      case: 'sold-out',
      about: 'None left: refused with OUT_OF_STOCK',
      customerId: null,
      email: null,
      productId: 1122,
      productOptionId: 2122,
    },
  ],
  resetRequestedAt: null,
  createdAt: '2026-03-01T17:05:09.123Z',
} as const;

/** The operations of sandboxes, for the integrators they belong to. */
export function sandboxRoutes(context: Context): Endpoint[] {
  return [
    getSandboxEndpoint(context),
    playOrderEndpoint(context),
    setClockEndpoint(context),
    resetEndpoint(context),
  ];
}

const shared = {
  address: 'base',
  publishableKey: 'refused',
  tag: 'Sandbox',
} as const;

function getSandboxEndpoint(context: Context): Endpoint {
  return endpoint({
    ...shared,
    id: 'getSandbox',
    method: 'GET',
    path: '/api/v1/sandbox',
    permission: null,
    kind: 'read',
    emptyInDemo: "the demo's sandbox is beside its shops",
    namesNoContact: true,
    summary: 'Retrieve the sandbox',
    description:
      'The clock, and the customers and products for special cases. Any key of a sandbox is enough.',
    success: { status: 200, data: SandboxShape, description: 'The sandbox', example: sandboxExample },
    failures: ['NOT_A_SANDBOX'],
    handle: async ({ caller }) => {
      const [[row]] = await context.database.read(caller.organizationId, selectSandbox({}));
      if (row === undefined) throw notASandbox();
      return reply(shownSandbox(context, caller.organizationId, row));
    },
  });
}

function playOrderEndpoint(context: Context): Endpoint {
  return endpoint({
    ...shared,
    id: 'playSandboxOrder',
    method: 'POST',
    path: '/api/v1/sandbox/orders/{orderId}/play',
    permission: 'create-orders',
    kind: 'write',
    namesNoContact: true,
    summary: 'Play a step of the staff',
    description:
      'Takes a step of an order as the staff of an organization do in the console, with the same checks and events: accept ' +
      'and pack it, send a delivery on its way (`dispatch`), fulfill it, take all of it back (`return`), void the last return ' +
      '(`void-return`). An order that the step has been taken of already stays as it is. An order without payments is paid with the ' +
      'first payment type when it is fulfilled, and refunds go the same way. A key without `analytics` plays orders that its integrator placed.',
    params: Type.Object({ orderId: OrderId({ description: 'The order id' }) }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    body: Type.Object({
      action: OneOf(playedActions, { description: 'The step' }),
      reason: Type.Optional(Text({ min: 1, max: 500, description: 'Why it is canceled; for `cancel` only' })),
      dispatchStatus: Type.Optional(
        OneOf(dispatchStatuses, {
          description: 'How far the delivery is, for `dispatch` only; absent: `active`, on its way',
        }),
      ),
    }),
    requestExample: { action: 'cancel', reason: 'The customer did not come' },
    success: { status: 200, data: Order, description: 'The order after the step', example: orderExample },
    failures: [
      'NOT_A_SANDBOX',
      'ORDER_NOT_FOUND',
      'INVALID_ORDER_TRANSITION',
      'INVALID_ORDER',
      'OUT_OF_STOCK',
      'PURCHASE_LIMIT_EXCEEDED',
      'STORE_CREDIT_SPENT',
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async ({ caller, params, body, requestId }) => {
      const { action, reason, dispatchStatus } = body;
      if (reason !== undefined && action !== 'cancel') {
        throw failure('INVALID_PARAMS', 'reason is for action cancel only.');
      }
      if (dispatchStatus !== undefined && action !== 'dispatch') {
        throw failure('INVALID_PARAMS', 'dispatchStatus is for action dispatch only.');
      }
      await assertSeesOrder(context.database, caller, params.orderId);
      const json = await playOrder(
        context,
        { actor: `key:${caller.clientKeyId}`, requestId },
        caller.organizationId,
        params.orderId,
        {
          action,
          ...(reason !== undefined && { reason }),
          ...(dispatchStatus !== undefined && { dispatchStatus }),
        },
      );
      return replyRawJson(`{"data":${json}}`);
    },
  });
}

function setClockEndpoint(context: Context): Endpoint {
  return endpoint({
    ...shared,
    id: 'setSandboxClock',
    method: 'PUT',
    path: '/api/v1/sandbox/clock',
    permission: null,
    kind: 'write',
    namesNoContact: true,
    summary: 'Set or move the clock',
    description:
      `Sets the clock of the sandbox (\`now\`), moves it (\`moveSeconds\`), stops it or lets it run (\`stands\`), up to ${clockDaysMax} ` +
      'days from the present. The next request is decided by it: prices, taxes, discounts, limits, ages, expiries, and the ' +
      'times of what is written. Keys, sessions, rate limits, idempotency keys and the sending of webhooks stay with the time of the deployment.',
    body: Type.Object({
      now: Type.Optional(
        Nullable(Timestamp({ description: 'The moment to show; null: the time of the deployment again' })),
      ),
      moveSeconds: Type.Optional(
        WholeNumber({
          min: -secondsMax,
          max: secondsMax,
          description: 'How far to move it; negative: back. Not together with `now`',
        }),
      ),
      stands: Type.Optional(
        Flag({
          description:
            'true: it stands there; false: it runs. Absent: it runs once it is set, and a move changes nothing',
        }),
      ),
    }),
    requestExample: { now: null },
    success: { status: 200, data: SandboxShape, description: 'The sandbox', example: sandboxExample },
    failures: ['NOT_A_SANDBOX', 'TRANSACTION_RETRY_EXCEEDED'],
    handle: async ({ caller, body, requestId }) => {
      const { now, moveSeconds, stands } = body;
      if (now !== undefined && moveSeconds !== undefined) {
        throw failure('INVALID_PARAMS', 'moveSeconds must be left out when now is sent.');
      }
      const row = await setSandboxClock(
        context,
        { actor: `key:${caller.clientKeyId}`, requestId },
        caller.organizationId,
        {
          ...(now !== undefined && { nowMs: now === null ? null : Date.parse(now) }),
          ...(moveSeconds !== undefined && { moveMs: moveSeconds * 1_000 }),
          ...(stands !== undefined && { stands }),
        },
      );
      return reply(shownSandbox(context, caller.organizationId, row));
    },
  });
}

function resetEndpoint(context: Context): Endpoint {
  return endpoint({
    ...shared,
    id: 'resetSandbox',
    method: 'POST',
    path: '/api/v1/sandbox/reset',
    permission: null,
    kind: 'write',
    ignoresIdempotencyKey: true,
    namesNoContact: true,
    summary: 'Reset the sandbox',
    description:
      'Starts over with the goods and customers of a new sandbox, in some seconds: `resetRequestedAt` is null again then. The ' +
      'keys stay valid. They open another organization, so every id is another one, cursors of changes have expired, and webhook ' +
      'endpoints are gone. A request while a reset waits changes nothing more, so `Idempotency-Key` has no effect here.',
    success: {
      status: 202,
      data: SandboxShape,
      description: 'The sandbox, before the reset',
      example: sandboxExample,
    },
    failures: ['NOT_A_SANDBOX', 'TRANSACTION_RETRY_EXCEEDED'],
    handle: async ({ caller, requestId }) => {
      const by = { actor: `key:${caller.clientKeyId}`, requestId } as const;
      return reply(
        shownSandbox(context, caller.organizationId, await requestReset(context, by, caller.organizationId)),
      );
    },
  });
}

function shownSandbox({ wallClock }: Context, organizationId: number, row: SandboxRow) {
  const clock = clockOf(row);
  return {
    organizationId,
    clock: {
      now: isoTimestamp(timeBy(clock, wallClock.now())),
      stands: clock.standsAtMs !== null,
      isMoved: isMoved(clock),
    },
    specialCases: row.special_cases,
    resetRequestedAt: row.reset_asked_at === null ? null : isoTimestamp(row.reset_asked_at),
    createdAt: isoTimestamp(row.created_at),
  };
}
