import Type from 'typebox';
import { v4 as uuidV4 } from 'uuid';
import { dutyCodes } from '../../engines/duties/judge-duties.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { reply, replyRawJson, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag } from '../../platform/http/schemas.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import {
  cartFactStatements,
  decideCart,
  deliveryAddress,
  missingAddress,
  missingContact,
  postalCodeOf,
  shelfStatements,
  shownStaffPricing,
  stockWarnings,
} from '../carts/carts.ts';
import { assertPackagesKnown, selectLocations } from '../inventory/stock.ts';
import { endOpenPayments, paymentDeskOf } from '../payments/payments.ts';
import { boughtBack, type ComingBack } from './coming-back.ts';
import { editOrder } from './edit-order.ts';
import { changesAmounts } from './edited-order.ts';
import { namedPackages, onlyPlace } from './held-stock.ts';
import { placeOrderExample } from './order-examples.ts';
import { OrderId } from './order-schemas.ts';
import { placeOrder } from './place-order.ts';
import { assertGivenWithinRole, assertMayOverridePrices } from './staff-allowance.ts';
import {
  EditOrderBody,
  notBlank,
  readChange,
  readStaffCart,
  StaffPlaceOrderBody,
  StaffPricingBody,
} from './staff-cart-body.ts';
import {
  StaffCartPricing,
  StaffOrder,
  staffOrderExample,
  staffPricingExample,
} from './staff-order-schemas.ts';
import { shownStaffOrder } from './staff-order-view.ts';

export const staffCartFailures = [
  'INVALID_ORDER_QUANTITY',
  'PRODUCT_OPTION_NOT_FOUND',
  'PAYMENT_TYPE_NOT_FOUND',
  'DISCOUNT_NOT_FOUND',
  'USER_NOT_FOUND',
  'PRODUCT_IS_INACTIVE',
  'INVALID_ORDER_TYPE',
  'DELIVERY_AREA_NOT_SERVED',
  'CUSTOMER_UNDERAGE',
  'CAREGIVER_NOT_REGISTERED',
  'DISCOUNT_CODE_INVALID',
  'INVALID_ORDER',
] as const;

const { expectedCustomerGrandTotal: _, ...orderedCart } = placeOrderExample;
const staffOrderRequest = {
  ...orderedCart,
  payments: [{ paymentTypeId: 2701, remaining: true }],
  internalNotes: 'Called in',
};

/** Orders that staff take: in the console or at the counter, with or without a customer. */
export function placeOrderStaffRoutes(context: Context): StaffEndpoint[] {
  return [priceCartEndpoint(context), placeOrderEndpoint(context), editOrderEndpoint(context)];
}

function priceCartEndpoint(context: Context): StaffEndpoint {
  const { database, clock } = context;
  return staffEndpoint({
    id: 'staffPriceCart',
    method: 'POST',
    path: '/staff/v1/orders/pricing',
    roles: orderRoles,
    approvable: 'amounts',
    kind: 'read',
    summary: 'Price a cart',
    description:
      'Prices a cart with the arithmetic that places orders, including discounts and reductions by staff. Nothing is ' +
      'stored. Reductions beyond the limit of the role are refused, as when an order is placed.',
    tag: 'Orders',
    query: Type.Object({
      explain: Type.Optional(Flag({ description: 'Adds `explanation`: the steps of the arithmetic' })),
    }),
    body: StaffPricingBody,
    alsoMissing: missingContact,
    requestExample: {
      type: 'in-store',
      lineItems: orderedCart.lineItems,
      adjustments: [{ amount: -100, description: 'Dented box' }],
    },
    success: {
      status: 200,
      data: StaffCartPricing,
      description: 'The priced cart',
      example: staffPricingExample,
    },
    failures: [...staffCartFailures, 'PACKAGE_NOT_FOUND', 'INVENTORY_LOCATION_NOT_FOUND', 'ORDER_NOT_FOUND'],
    handle: async ({ staff, body, query }) => {
      const request = await withReturned(
        context,
        staff.organizationId,
        body,
        readStaffCart(body, postalCodeOf(body)),
      );
      const nowMs = clock.now();
      const law = context.law.current;
      const { inventoryLocationId } = body;
      const optionIds = request.lineItems.map(({ productOptionId }) => productOptionId);
      const { chosenPackages = [] } = request;
      const [locations, packages, places, levels, ...facts] = await database.read(
        staff.organizationId,
        inventoryLocationId === undefined ? null : selectLocations({}),
        namedPackages(chosenPackages, isoTimestamp(nowMs)),
        ...shelfStatements(optionIds, nowMs),
        ...cartFactStatements(request, law, nowMs),
      );
      if (inventoryLocationId !== undefined) onlyPlace(inventoryLocationId, locations);
      assertPackagesKnown(chosenPackages, packages);
      const cart = decideCart(request, facts, law, nowMs, query.explain === true);
      assertMayOverridePrices(staff.role, request.priceOverrides);
      assertGivenWithinRole(cart, request, staff.role);
      const short = stockWarnings(cart, request, [places, levels], packages, inventoryLocationId);
      return reply(shownStaffPricing(cart, uuidV4({ random: context.randomBytes(16) }), short));
    },
  });
}

function placeOrderEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'staffPlaceOrder',
    method: 'POST',
    path: '/staff/v1/orders',
    roles: orderRoles,
    approvable: 'amounts',
    kind: 'write',
    recentProof: 'if `taxExempt.exempt` is true',
    summary: 'Take an order',
    description:
      'Places an order by staff: of any type, with or without a customer. Orders at the counter ' +
      '(`in-store`) start as `new`. Manual discounts and reductions must stay within the limit of the role ' +
      '(`INSUFFICIENT_PERMISSIONS` beyond it; an owner has none). An `idempotencyKey` places one order: sent again, it returns ' +
      'that order, with the header `Idempotent-Replayed: true`.',
    tag: 'Orders',
    body: StaffPlaceOrderBody,
    alsoMissing: (body) => [...missingAddress(body), ...missingContact(body)],
    requestExample: staffOrderRequest,
    success: { status: 201, data: StaffOrder, description: 'The order', example: staffOrderExample },
    failures: [
      ...staffCartFailures,
      'PACKAGE_NOT_FOUND',
      'INVALID_IDEMPOTENCY_KEY',
      'INVENTORY_LOCATION_NOT_FOUND',
      'ORDER_NOT_FOUND',
      'ORDER_MINIMUM_NOT_MET',
      ...dutyCodes,
      'PURCHASE_LIMIT_EXCEEDED',
      'PRICE_CHANGED',
      'TIME_SLOT_NOT_AVAILABLE',
      'OUT_OF_STOCK',
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async ({ staff, body, requestId, lackOfProof }) => {
      const lack = body.taxExempt?.exempt ? await lackOfProof() : null;
      if (lack !== null) throw lack;
      const { organizationId, staffId: id, email, firstName, lastName, role } = staff;
      const address = deliveryAddress(body);
      const { order, replayed } = await placeOrder(
        context,
        staffOrigin(staff, requestId),
        {
          organizationId,
          source: body.source ?? (body.type === 'in-store' ? 'in-store' : 'web-admin'),
          integrator: null,
          staffKey: body.idempotencyKey.toLowerCase(),
          placedBy: { id, email, firstName, lastName },
          customerName: body.customerName === undefined ? null : notBlank(body.customerName, 'customerName'),
          role,
        },
        {
          ...(await withReturned(
            context,
            organizationId,
            body,
            readStaffCart(body, address?.postalCode ?? null),
          )),
          address,
          deliveryNotes: body.deliveryNotes ?? null,
          internalNotes: body.internalNotes ?? null,
          shiftName: body.shiftName === undefined ? null : notBlank(body.shiftName, 'shiftName'),
          inventoryLocationId: body.inventoryLocationId ?? null,
          expectedCustomerGrandTotalCents: body.expectedCustomerGrandTotal ?? null,
        },
      );
      return replyRawJson(
        await shownStaffOrder(context, organizationId, order.head.id),
        replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {},
      );
    },
  });
}

/** The cart with what comes back for it. */
async function withReturned(
  { database }: Context,
  organizationId: OrganizationId,
  { returned }: { readonly returned?: ComingBack },
  request: CartRequest,
): Promise<CartRequest> {
  if (returned === undefined) return request;
  const run: TenantTransaction['run'] = (...statements) => database.read(organizationId, ...statements);
  return { ...request, boughtBack: await boughtBack({ organizationId, run }, returned) };
}

function editOrderEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'editOrder',
    method: 'PATCH',
    path: '/staff/v1/orders/{orderId}',
    roles: orderRoles,
    approvable: 'amounts',
    kind: 'write',
    recentProof: 'if `taxExempt.exempt` is true',
    takesIfMatch: true,
    summary: 'Edit an order',
    description:
      'Changes a draft or new order; absent fields keep their values. Prices again only what the change touches, and stores ' +
      'the new amounts: lines that stay keep their price, sale price and discounts, in any quantity, and the order keeps its ' +
      'taxes, fees and order discounts, as they were when it was placed. New lines, codes and discounts have current terms. ' +
      '`POST …/reprice` gives everything current prices. Notes alone change no amount. The stock of a new order ' +
      'changes by the difference. Purchase limits are checked. Uses of discounts, credits and points are counted again. ' +
      'Manual discounts and reductions that stay may exceed the limit of the role, but must not become a larger part of the ' +
      'price (`INSUFFICIENT_PERMISSIONS`).',
    tag: 'Orders',
    params: Type.Object({ orderId: OrderId() }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    body: EditOrderBody,
    requestExample: {
      lineItems: [{ productOptionId: 3101, quantity: 3 }],
      internalNotes: 'One more, by phone',
    },
    success: { status: 200, data: StaffOrder, description: 'The order', example: staffOrderExample },
    failures: [
      'ORDER_NOT_FOUND',
      ...staffCartFailures,
      'PACKAGE_NOT_FOUND',
      'INVENTORY_LOCATION_NOT_FOUND',
      ...dutyCodes,
      'PURCHASE_LIMIT_EXCEEDED',
      'INVALID_ORDER_TRANSITION',
      'OUT_OF_STOCK',
      'PAYMENT_IN_PROGRESS',
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs, lackOfProof }) => {
      const lack = body.taxExempt?.exempt ? await lackOfProof() : null;
      if (lack !== null) throw lack;
      const { organizationId, staffId: id, email, firstName, lastName, role } = staff;
      const change = readChange(body);
      const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
      if (changesAmounts(change)) {
        await endOpenPayments(paymentDeskOf(context), origin, organizationId, params.orderId);
      }
      await editOrder(context, origin, organizationId, params.orderId, change, {
        staff: { id, email, firstName, lastName },
        role,
      });
      return replyRawJson(await shownStaffOrder(context, organizationId, params.orderId));
    },
  });
}
