import { collision } from './collision-refusals.ts';
import { nowhereId, validRequest } from './contract-world.ts';
import type { Refusal, Stage } from './refusal.ts';

/** Refusals of requests about purchase orders, packages and transfers (D49–D54). */
export function purchasingRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'createPurchaseOrder':
    case 'updatePurchaseOrder':
      return [
        ...contentRefusals(endpointId),
        ...(endpointId === 'createPurchaseOrder' ? newOrderRefusals(endpointId) : updateRefusals(endpointId)),
        collision(endpointId, 'purchase_orders'),
      ];
    case 'listPurchaseOrders':
    case 'listComplianceTransfers':
      return [nowhereId(1), 'first'].map((startingAfter) =>
        queryRefusal(
          endpointId,
          () => ({ startingAfter }),
          'INVALID_CURSOR',
          `startingAfter is ${startingAfter}`,
          /^startingAfter must be /,
        ),
      );
    case 'listPackages':
      return packageListRefusals(endpointId);
    default:
      return [];
  }
}

type Changes = Readonly<Record<string, unknown>>;
type Line = Readonly<Record<string, unknown>>;

function withBody(
  endpointId: string,
  refusal: Omit<Refusal, 'endpointId' | 'arrange'>,
  change: (body: Changes, stage: Stage) => Changes,
): Refusal {
  return {
    endpointId,
    ...refusal,
    arrange: (stage, endpoint) => {
      const request = validRequest(endpoint, stage.home);
      return { request: { ...request, body: change(request.body as Changes, stage) } };
    },
  };
}

const withLine = (body: Changes, changes: Line): Changes => ({
  ...body,
  lineItems: (body.lineItems as readonly Line[]).map((line) => ({ ...line, ...changes })),
});

function contentRefusals(endpointId: string): Refusal[] {
  const lines: readonly (readonly [Refusal['code'], string, RegExp, (stage: Stage) => Line])[] = [
    [
      'PRODUCT_NOT_FOUND',
      'a product is unknown',
      /^lineItems\[0\]\.productId must be/,
      () => ({ productId: nowhereId(1) }),
    ],
    [
      'PRODUCT_OPTION_NOT_FOUND',
      'an option is unknown',
      /^lineItems\[0\]\.productOptionId must be/,
      () => ({ productOptionId: nowhereId(1) }),
    ],
    [
      'INVALID_CHILD_RESOURCE',
      'an option is of another product',
      /^lineItems\[0\]\.productOptionId must be an option of that product/,
      ({ home }) => ({ productOptionId: home.shop.optionId('gummies') }),
    ],
    [
      'INVALID_INVENTORY_TYPE',
      'stock is kept per option, and none is named',
      /^lineItems\[0\]\.productOptionId must be sent/,
      () => ({ productOptionId: null }),
    ],
    [
      'INVALID_INVENTORY_TYPE',
      'stock is kept per product, and an option is named',
      /^lineItems\[0\]\.productOptionId must be left out/,
      ({ home }) => ({
        productId: home.shop.productId('Counter Jar'),
        productOptionId: home.shop.optionId('gram'),
      }),
    ],
    [
      'INVALID_PARAMS',
      'a line is worth more than all goods',
      /^lineItems\[0\]\.amount times costPerUnit/,
      () => ({ amount: '999999999', costPerUnit: '1' }),
    ],
  ];
  return [
    ...lines.map(([code, when, message, changes]) =>
      withBody(endpointId, { code, when, message }, (body, stage) => withLine(body, changes(stage))),
    ),
    withBody(
      endpointId,
      {
        code: 'INVENTORY_VENDOR_NOT_FOUND',
        when: 'the vendor is unknown',
        message: /^inventoryVendorId must be/,
      },
      (body) => ({ ...body, inventoryVendorId: nowhereId(1) }),
    ),
    withBody(
      endpointId,
      {
        code: 'INVALID_PARAMS',
        when: 'a vendor is named twice',
        message: /^inventoryVendor must be left out/,
      },
      (body, { home }) => ({
        ...body,
        inventoryVendorId: home.ids.inventoryVendorId,
        inventoryVendor: { name: 'Another' },
      }),
    ),
    withBody(
      endpointId,
      {
        code: 'PURCHASE_ORDER_MISSING_CUSTOM_DATE',
        when: 'the terms are custom, without a date',
        message: /^paymentTermsDueDate must be sent/,
      },
      (body) => ({ ...body, paymentTerms: 'custom' }),
    ),
  ];
}

function newOrderRefusals(endpointId: string): Refusal[] {
  return [
    withBody(
      endpointId,
      {
        code: 'MISSING_PARAMS',
        when: 'no vendor is named',
        message: /^Required but absent: inventoryVendorId or inventoryVendor\.$/,
        meta: { missing: ['inventoryVendorId', 'inventoryVendor'] },
      },
      ({ inventoryVendorId, ...body }) => body,
    ),
  ];
}

function updateRefusals(endpointId: string): Refusal[] {
  const ofOrder = (
    refusal: Omit<Refusal, 'endpointId' | 'arrange'>,
    id: 'closedPurchaseOrderId' | 'receivedPurchaseOrderId',
    body: (stage: Stage) => Changes,
  ): Refusal => ({
    endpointId,
    ...refusal,
    arrange: (stage) => ({
      request: { params: { purchaseOrderId: stage.home.ids[id] }, query: {}, body: body(stage) },
    }),
  });
  return [
    withBody(
      endpointId,
      {
        code: 'MISSING_PARAMS',
        when: 'a new line lacks required fields',
        message: /^Required but absent: lineItems\[0\]\.amount, lineItems\[0\]\.costPerUnit\.$/,
        meta: { missing: ['lineItems[0].amount', 'lineItems[0].costPerUnit'] },
      },
      (_, { home }) => ({ lineItems: [{ productId: home.shop.productId('Counter Jar') }] }),
    ),
    withBody(
      endpointId,
      {
        code: 'INVALID_CHILD_RESOURCE',
        when: 'a line is of another purchase order',
        message: /^lineItems\[0\]\.id must be the id of a line of this purchase order/,
      },
      (_, { home }) => ({ lineItems: [{ id: home.ids.receivedLineItemId }] }),
    ),
    withBody(
      endpointId,
      {
        code: 'INVALID_PARAMS',
        when: 'a line is named twice',
        message: /^lineItems\[1\]\.id must be unique/,
      },
      (_, { home }) => ({ lineItems: [{ id: home.ids.lineItemId }, { id: home.ids.lineItemId }] }),
    ),
    ofOrder(
      {
        code: 'PURCHASE_ORDER_CLOSED',
        when: 'the purchase order is closed',
        message: /^The purchase order is closed/,
      },
      'closedPurchaseOrderId',
      () => ({ notes: 'Late' }),
    ),
    ofOrder(
      {
        code: 'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
        when: 'a line that was received is edited',
        message: /^lineItems\[0\] must be unchanged/,
      },
      'receivedPurchaseOrderId',
      ({ home }) => ({ lineItems: [{ id: home.ids.receivedLineItemId, amount: '13' }] }),
    ),
    ofOrder(
      {
        code: 'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
        when: 'a line that was received is left out',
        message: /^lineItems must contain line \d+/,
      },
      'receivedPurchaseOrderId',
      ({ home }) => ({
        lineItems: [{ productId: home.shop.productId('Counter Jar'), amount: '100', costPerUnit: '1' }],
      }),
    ),
  ];
}

function queryRefusal(
  endpointId: string,
  query: (stage: Stage) => Readonly<Record<string, string | number>>,
  code: Refusal['code'],
  when: string,
  message: RegExp,
  meta?: object,
): Refusal {
  return {
    endpointId,
    code,
    when,
    arrange: (stage) => ({ request: { params: {}, query: query(stage), body: undefined } }),
    message,
    ...(meta && { meta }),
  };
}

function packageListRefusals(endpointId: string): Refusal[] {
  const startingAfterUpdatedAt = '2026-03-10T18:00:00.123456Z';
  return [
    queryRefusal(
      endpointId,
      () => ({ startingAfterUpdatedAt, startingAfterId: nowhereId(1) }),
      'INVALID_CURSOR',
      'no package has the id',
      /^startingAfterId must be /,
    ),
    queryRefusal(
      endpointId,
      () => ({ startingAfterUpdatedAt, startingAfterId: 'first' }),
      'INVALID_CURSOR',
      'the id is none',
      /^startingAfterId must be /,
    ),
    queryRefusal(
      endpointId,
      () => ({ startingAfterUpdatedAt: 'yesterday', startingAfterId: 1 }),
      'INVALID_PARAMS',
      'the time is none',
      /^startingAfterUpdatedAt must be a timestamp/,
    ),
    queryRefusal(
      endpointId,
      () => ({ startingAfterUpdatedAt }),
      'MISSING_PARAMS',
      'only the time is sent',
      /^Required but absent: startingAfterId\.$/,
      { missing: ['startingAfterId'] },
    ),
    queryRefusal(
      endpointId,
      ({ home }) => ({ startingAfterId: home.ids.startingAfterId as number }),
      'MISSING_PARAMS',
      'only the id is sent',
      /^Required but absent: startingAfterUpdatedAt\.$/,
      { missing: ['startingAfterUpdatedAt'] },
    ),
  ];
}
