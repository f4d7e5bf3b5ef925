import Type from 'typebox';
import { orderRoles } from '../carts/carts.ts';
import type { Context } from '../database/context.ts';
import { staffOrigin } from '../database/context.ts';
import { replyRawJson, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import type { ErrorCode } from '../kernel/error-catalogue.ts';
import { failure } from '../kernel/failure.ts';
import { dispatchOrder } from './dispatch-order.ts';
import type { OrderAction, StepBy } from './order-lifecycle.ts';
import { OrderId } from './order-schemas.ts';
import {
  AcceptBody,
  CancelBody,
  DispatchBody,
  FulfillBody,
  FulfilledOrder,
  StaffOrder,
  staffOrderExample,
} from './staff-order-schemas.ts';
import { shownStaffOrder } from './staff-order-view.ts';
import { type StepSettings, stepOrder } from './step-order.ts';
import { changeOf } from './take-payments.ts';

type ActionWithoutBody = 'unaccept' | 'pack' | 'unpack';

const stepFailures = ['ORDER_NOT_FOUND', 'INVALID_ORDER_TRANSITION', 'TRANSACTION_RETRY_EXCEEDED'] as const;

interface StepRequest {
  readonly staff: StaffCaller;
  readonly params: { readonly orderId: string };
  readonly requestId: string;
}

/** The steps of an order's life (D24), and of its way to the customer (D26). */
export function orderStepStaffRoutes(context: Context): StaffEndpoint[] {
  const shared = {
    method: 'POST',
    roles: orderRoles,
    kind: 'write',
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId() }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
  } as const;
  const success = {
    status: 200,
    data: StaffOrder,
    description: 'The order after the step',
    example: staffOrderExample,
  } as const;

  const take = async (
    { staff, params, requestId }: StepRequest,
    action: OrderAction,
    by: Omit<StepBy, 'staff'> = {},
    settings: StepSettings = {},
  ) => {
    const { staffId: id, email, firstName, lastName, organizationId } = staff;
    const fullBy = { ...by, staff: { id, email, firstName, lastName } };
    return stepOrder(
      context,
      staffOrigin(staff, requestId),
      organizationId,
      params.orderId,
      action,
      fullBy,
      settings,
    );
  };
  const show = async ({ staff, params }: StepRequest, beside?: Readonly<Record<string, unknown>>) =>
    replyRawJson(await shownStaffOrder(context, staff.organizationId, params.orderId, beside));

  const stepWithoutBody = (action: ActionWithoutBody, summary: string, description: string) =>
    staffEndpoint({
      ...shared,
      id: `${action}Order`,
      path: `/staff/v1/orders/{orderId}/${action}`,
      source: ['D24'],
      summary,
      description,
      success,
      failures: stepFailures,
      handle: async (request) => {
        await take(request, action);
        return show(request);
      },
    });

  return [
    staffEndpoint({
      ...shared,
      id: 'acceptOrder',
      path: '/staff/v1/orders/{orderId}/accept',
      source: ['D24', 'D48'],
      summary: 'Accept a draft',
      description:
        'draft → new. Takes the stock of every line, oldest package first, from the locations of the order type or ' +
        'delivery zone, or from the one that is named. Short stock refuses and changes nothing.',
      body: AcceptBody,
      requestExample: {},
      success,
      failures: [...stepFailures, 'INVENTORY_LOCATION_NOT_FOUND', 'OUT_OF_STOCK'],
      handle: async (request) => {
        const { inventoryLocationId } = request.body;
        await take(request, 'accept', {}, inventoryLocationId === undefined ? {} : { inventoryLocationId });
        return show(request);
      },
    }),
    stepWithoutBody('unaccept', 'Take back the acceptance', 'new → draft. Gives back the stock it took.'),
    stepWithoutBody('pack', 'Mark as packed', 'new → packed. Sets `packedAt` and by whom.'),
    stepWithoutBody('unpack', 'Unpack', 'packed → new. Clears `packedAt`.'),
    staffEndpoint({
      ...shared,
      id: 'fulfillOrder',
      path: '/staff/v1/orders/{orderId}/fulfill',
      source: ['D24', 'D28', 'D36'],
      summary: 'Hand over',
      description:
        'new or packed → fulfilled. Without `payments` the intended ones count; with them, fees and ' +
        '`customerGrandTotal` become those of how it was paid. They cover the order exactly; cash that was `tendered` ' +
        'beyond it is answered as `change`. Limits are checked once more; points are earned. A `dispatchTask` that is open ' +
        'becomes `completed`.',
      body: FulfillBody,
      requestExample: {},
      success: {
        ...success,
        data: FulfilledOrder,
        example: { ...staffOrderExample, allowedActions: ['return'], change: 0 },
      },
      failures: [...stepFailures, ...fulfillFailures],
      handle: async (request) => {
        const taken = request.body.payments?.map(({ paymentTypeId, amount, tendered = null }) => ({
          paymentTypeId,
          amountCents: amount,
          tenderedCents: tendered,
        }));
        const order = await take(request, 'fulfill', {}, taken === undefined ? {} : { payments: taken });
        return show(request, { change: taken === undefined ? 0 : changeOf(order.payments, taken) });
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'cancelOrder',
      path: '/staff/v1/orders/{orderId}/cancel',
      source: ['D24'],
      summary: 'Cancel',
      description:
        'draft, new or packed → canceled. Gives back what the order took: stock, uses of discounts, credits, points. A ' +
        '`dispatchTask` that is open becomes `failed`.',
      body: CancelBody,
      requestExample: { reason: 'Customer did not come' },
      success,
      failures: stepFailures,
      handle: async (request) => {
        const reason = request.body.reason.trim();
        if (reason === '') throw failure('INVALID_PARAMS', 'reason must not be blank');
        await take(request, 'cancel', { cancelationReason: reason });
        return show(request);
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'dispatchOrder',
      path: '/staff/v1/orders/{orderId}/dispatch',
      source: ['D26'],
      summary: 'Dispatch a delivery',
      description:
        'Keeps who brings a delivery and how far they are; what is left out stays as it was. The order itself stays ' +
        'new or packed: to fulfill it is a step of its own, which completes the task if nobody has.',
      body: DispatchBody,
      requestExample: { status: 'assigned', driverName: 'Tomas Reyes' },
      success,
      failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER', 'INVALID_ORDER_TRANSITION'],
      handle: async (request) => {
        const { staff, params, requestId } = request;
        const { status, driverName, trackingUrl, estimatedArrivalAt } = request.body;
        if (trackingUrl != null) assertHttps(trackingUrl);
        await dispatchOrder(context, staffOrigin(staff, requestId), staff.organizationId, params.orderId, {
          status,
          ...(driverName !== undefined && { driverName }),
          ...(trackingUrl !== undefined && { trackingUrl }),
          ...(estimatedArrivalAt !== undefined && {
            estimatedArrivalAtMs: estimatedArrivalAt === null ? null : Date.parse(estimatedArrivalAt),
          }),
        });
        return show(request);
      },
    }),
  ];
}

const fulfillFailures: readonly ErrorCode[] = [
  'PAYMENT_TYPE_NOT_FOUND',
  'INVALID_ORDER',
  'PURCHASE_LIMIT_EXCEEDED',
];

/** It is shown to people who click: nothing but a web address, and none that anybody on the way can change. */
function assertHttps(trackingUrl: string): void {
  if (URL.canParse(trackingUrl) && new URL(trackingUrl).protocol === 'https:') return;
  throw failure('INVALID_PARAMS', 'trackingUrl must be an https address');
}
