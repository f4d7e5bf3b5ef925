import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import {
  replyRawJson,
  type StaffCaller,
  type StaffEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { Id, Named, NonBlankText } from '../../platform/http/schemas.ts';
import { orderActions } from './actions/order-actions.ts';
import { checkId } from './check-id.ts';
import { correctPayment } from './correct-payment.ts';
import { dispatchOrder } from './dispatch-order.ts';
import { OrderId } from './order-schemas.ts';
import { IdCheck } from './seen-id.ts';
import { DispatchBody, StaffOrder, staffOrderExample, staffOrderFields } from './staff-order-schemas.ts';
import { shownStaffOrder } from './staff-order-view.ts';
import { stepOrder } from './step-order.ts';

const stepFailures = ['ORDER_NOT_FOUND', 'INVALID_ORDER_TRANSITION', 'TRANSACTION_RETRY_EXCEEDED'] as const;

interface StepRequest {
  readonly staff: StaffCaller;
  readonly params: { readonly orderId: string };
  readonly body: unknown;
  readonly requestId: string;
}

/** Steps of an order's life (D24) and of its delivery (D26). */
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

  const show = async ({ staff, params }: StepRequest, beside?: Readonly<Record<string, unknown>>) =>
    replyRawJson(await shownStaffOrder(context, staff.organizationId, params.orderId, beside));

  return [
    ...orderActions.map(({ id, roles, approvable, operation: { body, reply, failures, ...documented } }) =>
      staffEndpoint({
        ...shared,
        ...documented,
        id: `${id}Order`,
        path: `/staff/v1/orders/{orderId}/${id}`,
        roles,
        ...(approvable && { approvable }),
        ...(body !== null && { body: body.schema, requestExample: body.example }),
        success:
          reply === undefined
            ? success
            : {
                ...success,
                data: Named(reply.schemaName, Type.Object({ ...staffOrderFields, ...reply.fields })),
                example: { ...staffOrderExample, ...reply.example },
              },
        failures: [...stepFailures, ...failures],
        handle: async (request: StepRequest) => {
          const { staff, params, requestId } = request;
          const { staffId, email, firstName, lastName } = staff;
          // The schema of this action has checked the body.
          const { cancelationReason, ...settings } = body === null ? {} : body.read(request.body as never);
          if (settings.leavesUnknownPayment === true && staff.role === 'budtender') {
            throw failure(
              'INSUFFICIENT_PERMISSIONS',
              'Only owners and managers may send leavesUnknownPayment.',
            );
          }
          const by = {
            staff: { id: staffId, email, firstName, lastName },
            ...(cancelationReason !== undefined && { cancelationReason }),
          };
          const order = await stepOrder(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.orderId,
            id,
            by,
            settings,
          );
          return show(request, reply?.of(order, settings));
        },
      }),
    ),
    staffEndpoint({
      ...shared,
      id: 'checkIdOfOrder',
      path: '/staff/v1/orders/{orderId}/id-check',
      summary: 'Say that an ID was seen',
      description:
        'Keeps who saw the ID of who takes an open order, when and how. It counts for the same day: at a pickup on another day it is seen again.',
      body: Type.Object({ idCheck: IdCheck }),
      requestExample: { idCheck: 'eye' },
      success,
      failures: ['ORDER_NOT_FOUND', 'INVALID_ORDER_TRANSITION'],
      handle: async (request) => {
        const { staff, params, requestId, body } = request;
        const { organizationId, staffId } = staff;
        await checkId(
          context,
          staffOrigin(staff, requestId),
          organizationId,
          params.orderId,
          staffId,
          body.idCheck,
        );
        return show(request);
      },
    }),
    staffEndpoint({
      ...shared,
      roles: ['owner', 'manager'],
      id: 'correctOrderPayment',
      path: '/staff/v1/orders/{orderId}/payments/{orderPaymentId}/correct',
      summary: 'Correct how a sale was paid',
      description:
        'For a wrong tender, such as cash that was a debit card. Amount and fee stay as the receipt says them; cash is rounded where the shop ' +
        'rounds it. The drawer, its report and the reports follow, and the audit log keeps both ways. Only on the business day of the sale, ' +
        'while the session of its drawer is open, and without returns. Money at a provider or of a gift card stays as they know it.',
      params: Type.Object({
        orderId: OrderId(),
        orderPaymentId: Id({ description: 'An entry of `payments` of the order' }),
      }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND', orderPaymentId: 'ORDER_PAYMENT_NOT_FOUND' },
      body: Type.Object({
        paymentTypeId: Id({ description: 'How it was paid in truth' }),
        reason: NonBlankText({ max: 500 }),
      }),
      requestExample: { paymentTypeId: 2301, reason: 'It was a debit card' },
      success,
      failures: [
        'ORDER_NOT_FOUND',
        'ORDER_PAYMENT_NOT_FOUND',
        'PAYMENT_TYPE_NOT_FOUND',
        'INVALID_ORDER_TRANSITION',
        'PAYMENT_NOT_CORRECTABLE',
      ],
      handle: async (request) => {
        const { staff, params, requestId, body } = request;
        const { organizationId, staffId } = staff;
        const { orderId, orderPaymentId } = params;
        const correction = { ...body, orderPaymentId, reason: body.reason.trim() };
        const origin = staffOrigin(staff, requestId);
        await correctPayment(context, origin, organizationId, orderId, staffId, correction);
        return show(request);
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'dispatchOrder',
      path: '/staff/v1/orders/{orderId}/dispatch',
      summary: 'Dispatch a delivery',
      description:
        'Stores who brings a delivery, and its progress; an absent field stays as it is. The order itself stays ' +
        'new or packed: fulfilling it is a separate step, which completes an open task. When it becomes `active`, it leaves the shop: by the hours ' +
        'of delivery of the law and the shop, and with what the law lets a driver carry, all active deliveries of that `driverName` together.',
      body: DispatchBody,
      requestExample: { status: 'assigned', driverName: 'Tomas Reyes' },
      success,
      failures: [
        'ORDER_NOT_FOUND',
        'INVALID_ORDER',
        'OUTSIDE_SALE_HOURS',
        'PATIENTS_ONLY_PRODUCT',
        'DELIVERY_NOT_ALLOWED',
        'VEHICLE_VALUE_EXCEEDED',
        'INVALID_ORDER_TRANSITION',
      ],
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

/** Customers click on this address: it must be a web address that cannot be changed on its way. */
function assertHttps(trackingUrl: string): void {
  if (URL.canParse(trackingUrl) && new URL(trackingUrl).protocol === 'https:') return;
  throw failure('INVALID_PARAMS', 'trackingUrl must be an https address');
}
