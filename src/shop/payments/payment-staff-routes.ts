import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyEmpty, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Cents, Flag, Id, List, NonBlankText } from '../../platform/http/schemas.ts';
import { selectIntentsOfOrder, selectPaidOrder } from './intent-queries.ts';
import { moneyReportRoutes } from './money-report.ts';
import { paymentConnectionStaffRoutes } from './payment-connection-staff-routes.ts';
import { paymentDeskOf } from './payment-desk.ts';
import {
  PaidOrderId,
  PaymentTask,
  StaffPaymentIntent,
  shownTask,
  shownToStaff,
  staffIntentExample,
  taskExample,
} from './payment-schemas.ts';
import { selectOpenTasks } from './payment-task-queries.ts';
import { slipEndpoint } from './print-slip.ts';
import { doneTask, refundTask } from './refund-intent.ts';
import { readIntent, requestAtCounter } from './request-intent.ts';
import { cancelIntent } from './start-intent.ts';

const shared = { roles: orderRoles, tag: 'Orders' } as const;
const ofIntent = {
  params: Type.Object({ paymentIntentId: Id() }),
  resourceParams: { paymentIntentId: 'PAYMENT_INTENT_NOT_FOUND' },
} as const;
const ofTask = {
  params: Type.Object({ paymentTaskId: Id() }),
  resourceParams: { paymentTaskId: 'PAYMENT_TASK_NOT_FOUND' },
} as const;
const tasksMax = 1_000;
const shownOne = {
  data: StaffPaymentIntent,
  description: 'The payment intent',
  example: staffIntentExample,
} as const;

/** What the operations need of the deployment. */
interface PaymentAccess {
  /** The address of a path of this service; absent: the path. */
  readonly pageUrl?: (path: string) => string;
  /** PAYMENT_HOSTS_ALLOWED. */
  readonly paymentHostsAllowed?: readonly string[];
}

/** Payments at providers, for staff (D105), and the accounts at them. */
export function paymentStaffRoutes(context: Context, access: PaymentAccess): StaffEndpoint[] {
  const { pageUrl = (path) => path, paymentHostsAllowed } = access;
  if (paymentHostsAllowed !== undefined) paymentDeskOf(context).allow(paymentHostsAllowed);
  return [
    ...intentEndpoints(context),
    slipEndpoint(context),
    ...taskEndpoints(context),
    ...moneyReportRoutes(context),
    ...paymentConnectionStaffRoutes(context, pageUrl),
  ];
}

function intentEndpoints(context: Context): StaffEndpoint[] {
  const desk = () => paymentDeskOf(context);
  return [
    staffEndpoint({
      ...shared,
      id: 'staffCreatePaymentIntent',
      method: 'POST',
      path: '/staff/v1/payment-intents',
      kind: 'write',
      ignoresIdempotencyKey: true,
      summary: 'Ask for a payment at the counter',
      description:
        'Asks the terminal of the register, or sends the customer a link. Answers at once; read it until its status is final. An ' +
        'order has one open payment at a time, so an Idempotency-Key is ignored.',
      body: Type.Object({
        orderId: PaidOrderId(),
        paymentTypeId: Id(),
        amount: Cents({ min: 1, description: 'Without the fee of the payment type' }),
        registerId: Type.Optional(Id({ description: 'Where the customer stands' })),
      }),
      requestExample: {
        orderId: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
        paymentTypeId: 2301,
        amount: 4130,
        registerId: 5201,
      },
      success: { status: 201, ...shownOne },
      failures: [
        'ORDER_NOT_FOUND',
        'INVALID_ORDER',
        'PAYMENT_TYPE_NOT_FOUND',
        'REGISTER_NOT_FOUND',
        'PAYMENT_TYPE_NOT_CONNECTED',
        'PAYMENT_IN_PROGRESS',
      ],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId, staffId } = staff;
        const { amount: amountCents, registerId = null, orderId, paymentTypeId } = body;
        const asked = { orderId, paymentTypeId, amountCents, registerId, staffId };
        const origin = staffOrigin(staff, requestId);
        const intent = await requestAtCounter(desk(), origin, organizationId, asked);
        return reply(shownToStaff(intent, organizationId));
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofIntent,
      id: 'staffGetPaymentIntent',
      method: 'GET',
      path: '/staff/v1/payment-intents/{paymentIntentId}',
      kind: 'read',
      emptyInDemo: 'the payments of a demo are made by who tries it',
      summary: 'Retrieve a payment intent',
      description: 'As the provider said last.',
      success: { status: 200, ...shownOne },
      failures: ['PAYMENT_INTENT_NOT_FOUND'],
      handle: async ({ staff, params }) => {
        const intent = await readIntent(context, staff.organizationId, params.paymentIntentId);
        return reply(shownToStaff(intent, staff.organizationId));
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofIntent,
      id: 'cancelPaymentIntent',
      method: 'POST',
      path: '/staff/v1/payment-intents/{paymentIntentId}/cancel',
      kind: 'write',
      ignoresIdempotencyKey: true,
      summary: 'Cancel a payment intent',
      description:
        'A wish: the terminal or the bank may have taken the money already. Read it until its status is final. Asking again is harmless, so an Idempotency-Key is ignored.',
      success: { status: 200, ...shownOne },
      failures: ['PAYMENT_INTENT_NOT_FOUND'],
      handle: async ({ staff, requestId, params }) => {
        const { organizationId } = staff;
        await readIntent(context, organizationId, params.paymentIntentId);
        const origin = staffOrigin(staff, requestId);
        const intent = await cancelIntent(desk(), origin, organizationId, params.paymentIntentId);
        return reply(shownToStaff(intent, organizationId));
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'listOrderPaymentIntents',
      method: 'GET',
      path: '/staff/v1/orders/{orderId}/payment-intents',
      kind: 'read',
      readsFrom: { primary: 'a counter acts on what has just changed' },
      list: { staysSmall: 'of one order', unsorted: 'the tries of one order, in their order' },
      emptyInDemo: 'the payments of a demo are made by who tries it',
      exported: { not: 'the ledger of payments has them' },
      summary: 'List the payment intents of an order',
      description: 'Oldest first.',
      params: Type.Object({ orderId: PaidOrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      success: {
        status: 200,
        data: List(StaffPaymentIntent, { max: 1_000 }),
        description: 'The payment intents',
        example: [staffIntentExample],
      },
      failures: ['ORDER_NOT_FOUND'],
      handle: async ({ staff, params: { orderId } }) => {
        const [[order], rows] = await context.database.read(
          staff.organizationId,
          selectPaidOrder({ orderId }),
          selectIntentsOfOrder({ orderId }),
        );
        if (order === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
        return reply(rows.map((row) => shownToStaff(row, staff.organizationId)));
      },
    }),
  ];
}

function taskEndpoints(context: Context): StaffEndpoint[] {
  const desk = () => paymentDeskOf(context);
  return [
    staffEndpoint({
      ...shared,
      id: 'listPaymentTasks',
      method: 'GET',
      path: '/staff/v1/payment-tasks',
      kind: 'read',
      readsFrom: { primary: 'staff act on what has just changed' },
      list: { staysSmall: 'what people have still to do' },
      sorts: { createdAt: 'descending', amount: 'descending', kind: 'ascending' },
      emptyInDemo: 'the payments of a demo are made by who tries it',
      summary: 'List what is to be done about payments',
      description: 'Open tasks, newest first.',
      success: {
        status: 200,
        data: List(PaymentTask, { max: tasksMax }),
        description: 'The tasks',
        example: [taskExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(
          staff.organizationId,
          selectOpenTasks({ limit: tasksMax }),
        );
        return reply(rows.map(shownTask));
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofTask,
      roles: ['owner', 'manager'],
      id: 'refundPaymentTask',
      method: 'POST',
      path: '/staff/v1/payment-tasks/{paymentTaskId}/refund',
      kind: 'write',
      ignoresIdempotencyKey: true,
      summary: 'Give back what a task names',
      description:
        'By the way it came. `hasCard`: the customer is at the terminal with the card. What the provider refuses becomes a task again. A task is refunded once, so an Idempotency-Key is ignored.',
      body: Type.Object({ hasCard: Flag() }),
      requestExample: { hasCard: false },
      success: { status: 204, description: 'It is under way' },
      failures: ['PAYMENT_TASK_NOT_FOUND', 'PAYMENT_TASK_DONE', 'REFUND_EXCEEDS_PAYMENT'],
      handle: async ({ staff, requestId, params, body }) => {
        const by = { staffId: staff.staffId, hasCard: body.hasCard };
        const origin = staffOrigin(staff, requestId);
        await refundTask(desk(), origin, staff.organizationId, params.paymentTaskId, by);
        return replyEmpty();
      },
    }),

    staffEndpoint({
      ...shared,
      ...ofTask,
      roles: ['owner', 'manager'],
      id: 'endPaymentTask',
      method: 'POST',
      path: '/staff/v1/payment-tasks/{paymentTaskId}/done',
      kind: 'write',
      summary: 'Say that a task is done',
      description: 'In another way, such as in cash. The note stays with the task.',
      body: Type.Object({ note: NonBlankText({ max: 500 }) }),
      requestExample: { note: 'Given back in cash' },
      success: { status: 204, description: 'The task is done' },
      failures: ['PAYMENT_TASK_NOT_FOUND', 'PAYMENT_TASK_DONE'],
      handle: async ({ staff, requestId, params, body }) => {
        const done = { staffId: staff.staffId, note: body.note.trim() };
        await doneTask(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          params.paymentTaskId,
          done,
        );
        return replyEmpty();
      },
    }),
  ];
}
