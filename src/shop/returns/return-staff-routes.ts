import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, replyRawJson, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  Id,
  List,
  Nullable,
  OneOf,
  Text,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { readTotal } from '../../platform/lists/read-total.ts';
import { OrderReturn, refundTypes, returnLinesMax, returnTypes } from '../orders/order-return-schema.ts';
import { OrderId } from '../orders/order-schemas.ts';
import type { ReturnRequest } from './decide-return.ts';
import { exchangeEndpoint } from './exchange-staff-route.ts';
import { previewReturn } from './preview-return.ts';
import {
  backAtLocation,
  ReturnedGoods,
  readReason,
  returnedLine,
  staffNameOf,
  unprovenRefund,
} from './return-body.ts';
import {
  returnExample,
  returnPreviewExample,
  returnPreviewRequestExample,
  returnRequestExample,
} from './return-examples.ts';
import { returnOrder } from './return-order.ts';
import { countReturns, returnList } from './return-queries.ts';
import { returnListParts, returnsPage } from './return-routes.ts';
import { ReturnPreview } from './return-schemas.ts';
import { voidReturn } from './void-return.ts';

/** $1 billion: above any order, and far below what whole cents can hold. */
const adjustmentCentsMax = 100_000_000_000;

const adjustmentAmount = Type.Optional(
  Nullable(
    WholeNumber({
      min: -adjustmentCentsMax,
      max: adjustmentCentsMax,
      description:
        'In cents. Negative: the customer gets that much more, for example fees; a budtender can give at most the fees that are not refunded yet. Positive: the customer gets that much less',
    }),
  ),
);
const registerId = Type.Optional(
  Nullable(
    Id({
      description: 'The register that gives or takes the money: it belongs to the open session of its drawer',
    }),
  ),
);
const refundFields = {
  refundType: OneOf(refundTypes, {
    description:
      "`payment-method`: by a payment type; `store-credit`: to the customer's account; `none`: no refund",
  }),
  paymentTypeId: Type.Optional(Nullable(Id({ description: 'For `payment-method` only' }))),
  adjustmentAmount,
  brokenRewards: Type.Optional(
    OneOf(['keep', 'take-back'], {
      description:
        'Whether the customer keeps the discounts whose condition the return breaks, as the preview names them, or their amounts come off the refund, as far as it goes. Default: keep. What was taken back is given back when the other goods come back, too',
    }),
  ),
  inventoryLocationId: backAtLocation,
};
const linesBound = {
  min: 1,
  max: returnLinesMax,
  description: 'A line can occur more than once, with different inventory actions',
} as const;

const ReturnPreviewBody = Type.Object({
  ...refundFields,
  lineItems: List(Type.Object(returnedLine), linesBound),
});

const ReturnBody = Type.Object({
  ...refundFields,
  lineItems: List(
    Type.Object({
      ...ReturnedGoods.properties,
      type: OneOf(returnTypes, {
        description: '`exchange`: the customer took other goods, in a separate order',
      }),
    }),
    linesBound,
  ),
  adjustmentDescription: Type.Optional(
    Nullable(Text({ max: 500, description: 'Required unless `adjustmentAmount` is 0 or absent' })),
  ),
  giftCard: Type.Optional(
    Nullable(
      Text({
        min: 1,
        max: 100,
        description:
          'The code of the card that gets the refund, by a payment type with `takesGiftCards`. Absent: the cards that the order was paid with',
      }),
    ),
  ),
  registerId,
  idempotencyKey: Type.Optional(
    withErrorCode(
      UuidV4({
        description: 'A retry with the same key makes no second return and responds with the first one',
      }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
  ),
});

/** Operations on returns for staff. */
export function returnStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'returnOrder',
      method: 'POST',
      path: '/staff/v1/orders/{orderId}/returns',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'write',
      recentProof: 'if the refund is above `refundProofAbove` of the rules of signing in',
      summary: 'Take goods back',
      description:
        "Returns goods of a fulfilled order and refunds their share of what was paid, to the cent: returning everything refunds `netPrice`. Delivery and payment fees are refunded by an adjustment only; a budtender's adjustment in the customer's favor is limited to these fees. Store credit that the order used becomes new store credit. Points follow in proportion: those that were spent since take the balance below zero, or come off the refund. A return that breaks the condition of a discount gives its share back as any other; `brokenRewards` says whether the customer keeps the discount.",
      tag: 'Returns',
      params: Type.Object({ orderId: OrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      body: ReturnBody,
      alsoMissing: (body) => [...missingPaymentType(body), ...missingDescription(body)],
      requestExample: returnRequestExample,
      success: { status: 201, data: OrderReturn, description: 'The return', example: returnExample },
      failures: [
        'INVALID_IDEMPOTENCY_KEY',
        'INVALID_ORDER_QUANTITY',
        'ORDER_NOT_FOUND',
        'PAYMENT_TYPE_NOT_FOUND',
        'INVENTORY_LOCATION_NOT_FOUND',
        'INVALID_ORDER_TRANSITION',
        'RETURN_QUANTITY_EXCEEDED',
        'RETURN_NOT_ALLOWED',
        'REGISTER_NOT_FOUND',
        'DRAWER_NOT_OPEN',
        'GIFT_CARD_NOT_FOUND',
        'REFUND_EXCEEDS_PAYMENT',
      ],
      handle: async ({ staff, params, body, requestId, lackOfProof }) => {
        const { shown, replayed } = await returnOrder(
          context,
          { actor: `staff:${staff.staffId}`, requestId },
          staff.organizationId,
          params.orderId,
          {
            refundType: body.refundType,
            paymentTypeId: body.paymentTypeId ?? null,
            lines: body.lineItems.map((line, index) => ({
              ...line,
              reason: readReason(line.reason, `lineItems[${index}].reason`),
            })),
            adjustmentCents: body.adjustmentAmount ?? 0,
            adjustmentDescription: body.adjustmentDescription?.trim() ?? '',
            brokenRewards: body.brokenRewards ?? 'keep',
            idempotencyKey: body.idempotencyKey?.toLowerCase() ?? null,
            registerId: body.registerId ?? null,
            inventoryLocationId: body.inventoryLocationId ?? null,
            giftCard: body.giftCard ?? null,
            role: staff.role,
          },
          staffNameOf(staff),
          await unprovenRefund(staff, lackOfProof),
        );
        return reply(shown, replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {});
      },
    }),

    exchangeEndpoint(context),

    staffEndpoint({
      id: 'previewReturn',
      method: 'POST',
      path: '/staff/v1/orders/{orderId}/returns/preview',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      summary: 'Preview a return',
      description:
        'What returning these goods would refund now, by the same calculation as the return: amounts, taxes, store credit and points, and the discounts whose condition it breaks. Nothing is stored.',
      tag: 'Returns',
      params: Type.Object({ orderId: OrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      body: ReturnPreviewBody,
      alsoMissing: missingPaymentType,
      requestExample: returnPreviewRequestExample,
      success: {
        status: 200,
        data: ReturnPreview,
        description: 'The previewed return',
        example: returnPreviewExample,
      },
      failures: [
        'INVALID_ORDER_QUANTITY',
        'ORDER_NOT_FOUND',
        'PAYMENT_TYPE_NOT_FOUND',
        'INVENTORY_LOCATION_NOT_FOUND',
        'INVALID_ORDER_TRANSITION',
        'RETURN_QUANTITY_EXCEEDED',
        'RETURN_NOT_ALLOWED',
      ],
      handle: async ({ staff, params, body }) => {
        const request: ReturnRequest = {
          refundType: body.refundType,
          paymentTypeId: body.paymentTypeId ?? null,
          lines: body.lineItems.map((line) => ({ ...line, type: 'return', reason: '' })),
          adjustmentCents: body.adjustmentAmount ?? 0,
          adjustmentDescription: '',
          brokenRewards: body.brokenRewards ?? 'keep',
          inventoryLocationId: body.inventoryLocationId ?? null,
          idempotencyKey: null,
          role: staff.role,
        };
        const { organizationId } = staff;
        return reply(await previewReturn(context, organizationId, params.orderId, request));
      },
    }),

    staffEndpoint({
      id: 'staffListOrderReturns',
      list: {
        notInConsole: {
          createdAt: 'the console shows the returns of one order',
          refundTotal: 'the console shows the returns of one order',
        },
      },
      method: 'GET',
      path: '/staff/v1/order-returns',
      roles: ['owner', 'manager', 'budtender'],
      tag: 'Returns',
      ...returnListParts,
      query: Type.Object({ ...returnListParts.query.properties, ...sortFields(returnList.sorts) }),
      success: { ...returnListParts.success, meta: ListTotal, metaExample: listTotalExample },
      handle: async ({ staff, query }) => {
        const { organizationId } = staff;
        const total = await readTotal(context.database, organizationId, countReturns(query));
        const beside = `,"meta":${JSON.stringify(total)}`;
        return replyRawJson(await returnsPage(context, organizationId, query, beside));
      },
    }),

    staffEndpoint({
      id: 'voidOrderReturn',
      method: 'POST',
      path: '/staff/v1/order-returns/{returnId}/void',
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: 'Void a return',
      description:
        'Undoes a mistaken return, once: its units can be returned again, restocked units leave the stock, its store credit ends, and its points are reversed.',
      tag: 'Returns',
      params: Type.Object({ returnId: Id() }),
      resourceParams: { returnId: 'ORDER_RETURN_NOT_FOUND' },
      body: Type.Object({ reason: Text({ min: 1, max: 500 }), registerId }),
      requestExample: { reason: 'Rung up on the wrong order' },
      success: {
        status: 200,
        data: OrderReturn,
        description: 'The voided return',
        example: {
          ...returnExample,
          voidedAt: '2026-03-12T19:31:00.000Z',
          voidedReason: 'Rung up on the wrong order',
          voidedBy: returnExample.createdBy,
        },
      },
      failures: [
        'ORDER_RETURN_NOT_FOUND',
        'ORDER_RETURN_VOIDED',
        'RETURN_REFUNDED',
        'STORE_CREDIT_SPENT',
        'GIFT_CARD_BALANCE',
        'OUT_OF_STOCK',
        'REGISTER_NOT_FOUND',
        'DRAWER_NOT_OPEN',
      ],
      handle: async ({ staff, params, body, requestId }) => {
        const shown = await voidReturn(
          context,
          { actor: `staff:${staff.staffId}`, requestId },
          staff.organizationId,
          params.returnId,
          {
            reason: readReason(body.reason, 'reason'),
            by: staffNameOf(staff),
            registerId: body.registerId ?? null,
          },
        );
        return reply(shown);
      },
    }),
  ];
}

/** D39: a refund by payment type must name the type. */
function missingPaymentType(body: unknown): string[] {
  const { refundType, paymentTypeId } = (body ?? {}) as Record<string, unknown>;
  return refundType === 'payment-method' && (paymentTypeId ?? null) === null ? ['paymentTypeId'] : [];
}

/** An adjustment needs a reason. */
function missingDescription(body: unknown): string[] {
  const { adjustmentAmount, adjustmentDescription } = (body ?? {}) as Record<string, unknown>;
  const isAdjusted = typeof adjustmentAmount === 'number' && adjustmentAmount !== 0;
  const said = adjustmentDescription ?? '';
  const isBlank = typeof said === 'string' && said.trim() === '';
  return isAdjusted && isBlank ? ['adjustmentDescription'] : [];
}
