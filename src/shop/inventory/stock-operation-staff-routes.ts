import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  DecimalText,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  Timestamp,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { adjustStock } from './adjust-stock.ts';
import { countStock } from './count-stock.ts';
import type { OperationOutcome } from './stock-operation.ts';
import { stockWriters } from './stock-schemas.ts';
import { transferStock } from './transfer-stock.ts';

const countedLinesMax = 500;

/** The item in a request, with or without a package. */
const namedItem = {
  productId: Id(),
  productOptionId: Type.Optional(
    Nullable(Id({ description: 'Required if stock is kept per option, and only then' })),
  ),
  packageId: Type.Optional(
    Nullable(
      WholeNumber({
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
        description: 'Absent, null or 0: stock without a package',
      }),
    ),
  ),
};

/** The same fields in a response. */
const shownItem = { productId: Id(), productOptionId: Nullable(Id()), packageId: Nullable(Id()) };

const idempotencyKey = Type.Optional(
  withErrorCode(
    UuidV4({
      description: 'A retry with the same key changes nothing and gets the first response',
    }),
    'INVALID_IDEMPOTENCY_KEY',
  ),
);
const reason = NonBlankText({ max: 500, description: 'The reason, for the ledger' });
const Amount = DecimalText({ sign: 'positive' });

const StockAdjustment = Named(
  'StockAdjustment',
  Type.Object({
    id: Id(),
    ...shownItem,
    inventoryLocationId: Id(),
    delta: DecimalText({ sign: 'any' }),
    onHand: DecimalText({ description: 'Stock on hand afterwards' }),
    reason,
    createdAt: Timestamp(),
  }),
);

const StockTransfer = Named(
  'StockTransfer',
  Type.Object({
    id: Id(),
    ...shownItem,
    fromInventoryLocationId: Id(),
    toInventoryLocationId: Id(),
    amount: Amount,
    fromOnHand: DecimalText({ description: 'Remaining stock there' }),
    toOnHand: DecimalText({ description: 'Current stock there' }),
    reason: Nullable(reason),
    createdAt: Timestamp(),
  }),
);

const StockCount = Named(
  'StockCount',
  Type.Object({
    id: Id(),
    inventoryLocationId: Id(),
    lines: List(
      Type.Object({
        ...shownItem,
        counted: DecimalText(),
        expected: DecimalText({ description: 'Stock on hand in the ledger before' }),
        difference: DecimalText({ sign: 'any', description: '`counted` less `expected`' }),
      }),
      { max: countedLinesMax },
    ),
    reason: Nullable(reason),
    createdAt: Timestamp(),
  }),
);

const exampleKey = '6f1f0b0e-8a5d-4c55-9d0e-3f6a5a3f2c11';
const exampleItem = { productId: 2101, productOptionId: 2201, packageId: 2601 } as const;
const exampleTime = '2026-03-10T18:00:00.000Z';

/** The refusals of all operations that name items and locations. */
const namingFailures = [
  'INVALID_IDEMPOTENCY_KEY',
  'INVENTORY_LOCATION_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_OPTION_NOT_FOUND',
  'PACKAGE_NOT_FOUND',
  'INVALID_CHILD_RESOURCE',
  'INVALID_INVENTORY_TYPE',
] as const;

/** Operations on stock for staff. */
export function stockOperationStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'adjustStock',
      method: 'POST',
      path: '/staff/v1/inventory-adjustments',
      roles: stockWriters,
      kind: 'write',
      summary: 'Adjust stock',
      description:
        "Adds `delta` to a location's stock, or removes it if negative: never below zero. A package that is finished, void, shipped or transferred takes no stock.",
      tag: 'Stock',
      body: Type.Object({
        ...namedItem,
        inventoryLocationId: Id(),
        delta: DecimalText({ sign: 'any', description: 'Not 0' }),
        reason,
        idempotencyKey,
      }),
      requestExample: {
        ...exampleItem,
        inventoryLocationId: 2401,
        delta: '2',
        reason: 'Found behind the shelf',
        idempotencyKey: exampleKey,
      },
      success: {
        status: 201,
        data: StockAdjustment,
        description: 'The adjustment',
        example: {
          id: 8801,
          ...exampleItem,
          inventoryLocationId: 2401,
          delta: '2',
          onHand: '36',
          reason: 'Found behind the shelf',
          createdAt: exampleTime,
        },
      },
      failures: [...namingFailures, 'OUT_OF_STOCK', 'INVALID_PACKAGE_TRANSITION'],
      handle: async (request) => {
        const { body } = request;
        const outcome = await adjustStock(
          context,
          staffOrigin(request.staff, request.requestId),
          request.staff.organizationId,
          {
            ...itemOf(body),
            inventoryLocationId: body.inventoryLocationId,
            delta: body.delta,
            reason: body.reason.trim(),
            idempotencyKey: body.idempotencyKey ?? null,
          },
        );
        return reply(outcome.result, headersOf(outcome));
      },
    }),

    staffEndpoint({
      id: 'transferStock',
      method: 'POST',
      path: '/staff/v1/inventory-transfers',
      roles: stockWriters,
      kind: 'write',
      summary: 'Transfer stock between locations',
      description:
        'Both locations change, or neither. A package keeps its identity at two locations; a package that is finished, void, shipped or transferred cannot be moved.',
      tag: 'Stock',
      body: Type.Object({
        ...namedItem,
        fromInventoryLocationId: Id(),
        toInventoryLocationId: Id(),
        amount: Amount,
        reason: Type.Optional(Nullable(reason)),
        idempotencyKey,
      }),
      requestExample: {
        ...exampleItem,
        fromInventoryLocationId: 2401,
        toInventoryLocationId: 2402,
        amount: '1',
        idempotencyKey: exampleKey,
      },
      success: {
        status: 201,
        data: StockTransfer,
        description: 'The transfer',
        example: {
          id: 8802,
          ...exampleItem,
          fromInventoryLocationId: 2401,
          toInventoryLocationId: 2402,
          amount: '1',
          fromOnHand: '35',
          toOnHand: '89',
          reason: null,
          createdAt: exampleTime,
        },
      },
      failures: [...namingFailures, 'OUT_OF_STOCK', 'INVALID_PACKAGE_TRANSITION'],
      handle: async (request) => {
        const { body } = request;
        const outcome = await transferStock(
          context,
          staffOrigin(request.staff, request.requestId),
          request.staff.organizationId,
          {
            ...itemOf(body),
            fromInventoryLocationId: body.fromInventoryLocationId,
            toInventoryLocationId: body.toInventoryLocationId,
            amount: body.amount,
            reason: body.reason?.trim() ?? null,
            idempotencyKey: body.idempotencyKey ?? null,
          },
        );
        return reply(outcome.result, headersOf(outcome));
      },
    }),

    staffEndpoint({
      id: 'countStock',
      method: 'POST',
      path: '/staff/v1/inventory-counts',
      roles: stockWriters,
      kind: 'write',
      summary: 'Set stock to the counted amounts',
      description:
        "Each line sets a location's stock to `counted`; the difference goes to the ledger. Stock without a line is unchanged. All lines, or none. A line with `expected` is refused if the ledger has another amount: a sale or move since then is reported, not undone. A package that is finished, void, shipped or transferred can only be counted down.",
      tag: 'Stock',
      body: Type.Object({
        inventoryLocationId: Id(),
        lines: List(
          Type.Object({
            ...namedItem,
            counted: DecimalText(),
            expected: Type.Optional(
              Nullable(DecimalText({ description: 'Stock on hand in the ledger when counting began' })),
            ),
          }),
          { min: 1, max: countedLinesMax },
        ),
        reason: Type.Optional(Nullable(reason)),
        idempotencyKey,
      }),
      requestExample: {
        inventoryLocationId: 2401,
        lines: [{ ...exampleItem, counted: '35' }],
        reason: 'Monthly count',
        idempotencyKey: exampleKey,
      },
      success: {
        status: 201,
        data: StockCount,
        description: 'The count',
        example: {
          id: 8803,
          inventoryLocationId: 2401,
          lines: [{ ...exampleItem, counted: '35', expected: '36', difference: '-1' }],
          reason: 'Monthly count',
          createdAt: exampleTime,
        },
      },
      failures: [...namingFailures, 'STALE_EDIT', 'INVALID_PACKAGE_TRANSITION'],
      handle: async (request) => {
        const { body } = request;
        const outcome = await countStock(
          context,
          staffOrigin(request.staff, request.requestId),
          request.staff.organizationId,
          {
            inventoryLocationId: body.inventoryLocationId,
            lines: body.lines.map((line) => ({
              ...itemOf(line),
              counted: line.counted,
              expected: line.expected ?? null,
            })),
            reason: body.reason?.trim() ?? null,
            idempotencyKey: body.idempotencyKey ?? null,
          },
        );
        return reply(outcome.result, headersOf(outcome));
      },
    }),
  ];
}

function itemOf(named: {
  readonly productId: number;
  readonly productOptionId?: number | null;
  readonly packageId?: number | null;
}) {
  return {
    productId: named.productId,
    productOptionId: named.productOptionId ?? null,
    packageId: named.packageId || null,
  };
}

function headersOf({ replayed }: OperationOutcome<object>) {
  return replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {};
}
