import { expect } from 'vitest';
import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../harness/test-shop.ts';
import type { CartRefusal, Changes } from './cart-refusal.ts';
import type { ContractRequest } from './contract-world.ts';
import { nowhereId } from './contract-world.ts';
import { barredDiscounts, brokenDuties } from './duty-refusals.ts';
import type { Refusal, Stage } from './refusal.ts';

/** Refusals of carts and orders (D12, D19–D33). */
export function orderRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'priceCart':
      return cartRefusals(endpointId);
    case 'placeOrder':
      return [...cartRefusals(endpointId), ...placingRefusals(endpointId)];
    case 'listOrders':
      return listRefusals(endpointId);
    case 'listOrderReturns':
      return returnListRefusals(endpointId);
    case 'getMenu':
      return [
        queryRefusal(
          endpointId,
          { type: 'curbside' },
          'INVALID_PARAMS',
          /^type must be one of delivery, pickup/,
        ),
        queryRefusal(
          endpointId,
          { startingAfter: nowhereId(1) },
          'INVALID_CURSOR',
          /^startingAfter must be /,
        ),
        queryRefusal(endpointId, { startingAfter: 'first' }, 'INVALID_CURSOR', /^startingAfter must be /),
        queryRefusal(
          endpointId,
          { changedSince: 'x', limit: 5 },
          'INVALID_PARAMS',
          /^changedSince answers everything at once: leave out limit/,
        ),
        queryRefusal(endpointId, { minPrice: 'cheap' }, 'INVALID_PARAMS', /^minPrice must be /),
        queryRefusal(endpointId, { search: ' ' }, 'INVALID_PARAMS', /^search must be /),
      ];
    default:
      return [];
  }
}

/** Versions 1 and 7 (RFC 9562, appendix A). */
const otherUuids = ['c232ab00-9414-11ec-b3c8-9f6bdeced846', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'] as const;

function cart(
  endpointId: string,
  { shop: settings, type, postalCode, change, ...refusal }: CartRefusal,
): Refusal {
  return {
    endpointId,
    ...refusal,
    arrange: async (stage) => {
      const shop = settings ? await createTestShop(stage.service.context, settings) : stage.home.shop;
      const changes = (await change?.(shop, stage)) ?? {};
      const body = (type === 'delivery' ? deliveryBody : pickupBody)(shop);
      const { address, idempotencyKey, ...fields } = body as Changes & { address?: Changes };
      const sent =
        endpointId === 'placeOrder'
          ? { ...body, ...(address && { address: { ...address, ...(postalCode && { postalCode }) } }) }
          : { ...fields, ...(address && { postalCode: postalCode ?? address.postalCode }) };
      return { shop, request: requestOf({ ...sent, ...changes }) };
    },
  };
}

function requestOf(body: unknown, query = {}): ContractRequest {
  return { params: {}, query, body };
}

const two = (productOptionId: number) => ({ productOptionId, quantity: 2 });

function cartRefusals(endpointId: string): Refusal[] {
  const refusals: CartRefusal[] = [
    ...[0, -1, 1.5, 10_001, 1e308, null, true].map(
      (quantity): CartRefusal => ({
        code: 'INVALID_ORDER_QUANTITY',
        when: `a quantity is ${quantity}`,
        change: (shop) => ({ lineItems: [{ productOptionId: shop.optionId('eighth'), quantity }] }),
        message: /^lineItems\[0\]\.quantity must be a whole number from 1 to 10,000\.$/,
      }),
    ),
    {
      code: 'INVALID_ORDER_QUANTITY',
      when: 'the lines of one option add up to more than 10,000',
      change: (shop) => ({
        lineItems: [10_000, 1].map((quantity) => ({ productOptionId: shop.optionId('eighth'), quantity })),
      }),
      message: /^lineItems: the quantities of option \d+ must add up to at most 10000/,
    },
    {
      code: 'PRODUCT_OPTION_NOT_FOUND',
      when: 'the second line names nothing',
      change: (shop) => ({ lineItems: [two(shop.optionId('eighth')), two(nowhereId(1) as number)] }),
      message: /^lineItems\[1\]\.productOptionId/,
    },
    {
      code: 'PRODUCT_OPTION_NOT_FOUND',
      when: 'the option is deleted',
      shop: {},
      change: async (shop, { witness }) => {
        await witness.query(
          'update product_options set deleted_at = created_at where id = $1',
          [shop.optionId('eighth')],
          shop.organizationId,
        );
        return {};
      },
      message: /^lineItems\[0\]\.productOptionId/,
    },
    {
      code: 'PAYMENT_TYPE_NOT_FOUND',
      when: 'a payment names no payment type',
      change: () => ({ payments: [{ paymentTypeId: nowhereId(1), remaining: true }] }),
      message: /^payments\[0\]\.paymentTypeId/,
    },
    {
      code: 'PAYMENT_TYPE_NOT_FOUND',
      when: 'the payment type is archived',
      shop: {},
      change: async (shop, { witness }) => {
        const paymentTypeId = shop.paymentTypeId('Cash');
        await witness.query(
          'update payment_types set archived_at = created_at where id = $1',
          [paymentTypeId],
          shop.organizationId,
        );
        return { payments: [{ paymentTypeId, remaining: true }] };
      },
      message: /^payments\[0\]\.paymentTypeId/,
    },
    {
      code: 'PRODUCT_IS_INACTIVE',
      when: 'the product is off the menu',
      change: (shop) => ({ lineItems: [two(shop.optionId('retired'))] }),
      message: /off the menu/,
      meta: ({ home }) => ({ productId: home.shop.productId('Retired Strain') }),
    },
    {
      code: 'PRODUCT_IS_INACTIVE',
      when: 'the product is deleted',
      shop: {},
      change: async (shop, { witness }) => {
        await witness.query(
          'update products set deleted_at = created_at where id = $1',
          [shop.productId('Moonlit Grove')],
          shop.organizationId,
        );
        return {};
      },
      message: /deleted/,
      // The separate shop, which only `change` knows.
      meta: { productId: expect.any(Number) },
    },
    {
      code: 'INVALID_ORDER_TYPE',
      when: 'the organization does not deliver',
      shop: { hasDelivery: false },
      type: 'delivery',
      message: /^type delivery is not offered/,
    },
    {
      code: 'INVALID_ORDER_TYPE',
      when: 'the organization has no pickup',
      shop: { hasPickup: false },
      message: /^type pickup is not offered/,
    },
    {
      code: 'DELIVERY_AREA_NOT_SERVED',
      when: 'no zone has the postal code',
      type: 'delivery',
      postalCode: '90210',
      message: /postalCode 90210/,
      meta: { postalCode: '90210' },
    },
    {
      code: 'CUSTOMER_UNDERAGE',
      when: 'the customer is too young',
      change: () => ({
        customer: { firstName: 'M', lastName: 'O', email: 'm@o.example.com', birthday: '2005-03-11' },
      }),
      message: /^The customer must be at least 21 years old/,
      meta: { minimumAge: 21 },
    },
    {
      ...{ code: 'CUSTOMER_SESSION_ENDED', when: 'the token of the customer is unknown' },
      change: () => ({ customer: { firstName: 'Ada', lastName: 'Moreno', token: 'dcu_live_unknown' } }),
      message: /^The customer session is over/,
    },
    {
      code: 'DISCOUNT_CODE_INVALID',
      when: 'a discount code is unknown',
      change: () => ({ discountCodes: ['HALF-OFF'] }),
      message: /^discountCodes\[0\]/,
      meta: { discountCode: 'HALF-OFF' },
    },
    ...barredDiscounts,
    {
      code: 'INVALID_ORDER',
      when: 'the payments do not add up',
      change: (shop) => ({ payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 1 }] }),
      message: /^payments must add up to \d+ cents .* not 1\.$/,
    },
    {
      code: 'INVALID_ORDER',
      when: 'the payment type cannot be used for deliveries',
      type: 'delivery',
      change: (shop) => ({ payments: [{ paymentTypeId: shop.paymentTypeId('Gift card'), remaining: true }] }),
      message: /^payments\[0\]: Gift card cannot be used for delivery/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'a payment has both amount and remaining',
      change: (shop) => ({
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 1, remaining: true }],
      }),
      message: /^payments\[0\] must have either amount or remaining: true/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'two payments take the rest',
      change: (shop) => ({
        payments: ['Cash', 'Debit'].map((name) => ({
          paymentTypeId: shop.paymentTypeId(name),
          remaining: true,
        })),
      }),
      message: /^payments must have at most one with remaining: true/,
    },
    {
      code: 'MISSING_PARAMS',
      when: 'the customer has neither email nor phone',
      change: () => ({ customer: { firstName: 'Marisol', lastName: 'Okafor', email: '  ' } }),
      message: /^Required but absent: customer\.email or customer\.phone\.$/,
      meta: { missing: ['customer.email', 'customer.phone'] },
    },
    {
      code: 'INVALID_PARAMS',
      when: 'the email is none',
      change: () => ({ customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@' } }),
      message: /^customer\.email must be an email address/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'the phone number is none',
      change: () => ({ customer: { firstName: 'Marisol', lastName: 'Okafor', phone: '12' } }),
      message: /^customer\.phone must be a phone number/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'the birthday does not exist',
      change: () => ({
        customer: { firstName: 'M', lastName: 'O', email: 'm@o.example.com', birthday: '2025-02-29' },
      }),
      message: /^customer\.birthday must be a date YYYY-MM-DD that exists/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'there are 201 lines',
      change: (shop) => ({ lineItems: Array(201).fill(two(shop.optionId('eighth'))) }),
      message: /^lineItems must be a list of 1 to 200 items/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'there are no lines',
      change: () => ({ lineItems: [] }),
      message: /^lineItems must be a list of 1 to 200 items/,
    },
    {
      code: 'INVALID_PARAMS',
      when: 'a fee is negative',
      change: () => ({ deliveryFee: -1 }),
      message: /^deliveryFee must be a whole number from 0 to/,
    },
  ];
  return refusals.map((refusal) => cart(endpointId, refusal));
}

function placingRefusals(endpointId: string): Refusal[] {
  const outOfStock = (option: string, quantity: number, name: string) => ({
    code: 'OUT_OF_STOCK' as const,
    message: new RegExp(`^Not enough stock of ${name} for a quantity of ${quantity}`),
    meta: (_: Stage, { body }: ContractRequest) => ({
      lineItem: {
        productOptionId: (body as { lineItems: { productOptionId: number }[] }).lineItems.at(-1)!
          .productOptionId,
        quantity,
        specifiedPackageId: null,
      },
      product: { name },
    }),
    change: (shop: TestShop) => ({ lineItems: [{ productOptionId: shop.optionId(option), quantity }] }),
  });
  const jar = (stock: NonNullable<ShopSettings['products']>[number]['stock']): ShopSettings => ({
    products: [
      {
        key: 'Counter Jar',
        unit: 'gram',
        inventoryType: 'product',
        options: [
          { key: 'eighth', amount: '3.5', priceCents: 3500 },
          { key: 'gram', amount: '1', priceCents: 1200 },
        ],
        stock: stock ?? [],
      },
    ],
  });
  const refusals: CartRefusal[] = [
    {
      code: 'TIME_SLOT_NOT_AVAILABLE',
      when: 'a time is chosen in a shop without time slots',
      change: () => ({ pickupAt: '2026-03-02T01:00:00.000Z' }),
      message: /^pickupAt must be the begin of a time slot/,
      meta: { field: 'pickupAt', reason: 'unknown' },
    },
    {
      code: 'MISSING_PARAMS',
      when: 'a delivery has no address',
      type: 'delivery',
      change: () => ({ address: undefined }),
      message: /^Required but absent: address\.$/,
      meta: { missing: ['address'] },
    },
    ...['', 'abc', ...otherUuids, 7, null].map(
      (idempotencyKey): CartRefusal => ({
        code: 'INVALID_IDEMPOTENCY_KEY',
        when: `the idempotency key is ${idempotencyKey === '' ? 'empty' : idempotencyKey}`,
        change: () => ({ idempotencyKey }),
        message: /^idempotencyKey must be a UUID v4/,
      }),
    ),
    {
      code: 'ORDER_MINIMUM_NOT_MET',
      when: "the cart is below the zone's minimum",
      type: 'delivery',
      change: (shop) => ({ lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }] }),
      message: /minimum of \$50 is not met: the cart comes to \$35\.$/,
      meta: { minimum: '$50', minimumCents: 5_000 },
    },
    {
      code: 'ORDER_MINIMUM_NOT_MET',
      when: "the cart is below the organization's minimum for pickup",
      shop: { orderMinimumCents: { delivery: 0, pickup: 7050 } },
      message: /minimum of \$70\.50 is not met: the cart comes to \$70\.$/,
      meta: { minimum: '$70.50', minimumCents: 7_050 },
    },
    ...brokenDuties,
    {
      code: 'PURCHASE_LIMIT_EXCEEDED',
      when: 'the cart exceeds a limit of the state',
      shop: { state: 'CA' },
      change: (shop) => ({ lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 9 }] }),
      message: /^Over the purchase limit: Flower: 28\.5 g a day, this would be 31\.5 g/,
      meta: {
        overages: [{ cannabisType: 'non-concentrated', limit: '28.5', total: '31.5', overage: '3' }],
      },
    },
    {
      code: 'PRICE_CHANGED',
      when: 'the total is not the expected one',
      change: () => ({ expectedCustomerGrandTotal: 9234 }),
      message: /would cost 9235 cents, not 9234/,
      meta: { expected: 9234, actual: 9235 },
    },
    { when: 'an option is sold out', ...outOfStock('sold out', 1, 'Moonlit Grove') },
    {
      when: 'a delivery that takes no stock yet exceeds the stock',
      type: 'delivery',
      ...outOfStock('sold out', 1, 'Moonlit Grove'),
    },
    {
      when: 'two lines together exceed the content of one jar',
      shop: jar([{ amount: '9.9' }]),
      ...outOfStock('gram', 3, 'Counter Jar'),
      change: (shop) => ({
        lineItems: [two(shop.optionId('eighth')), { productOptionId: shop.optionId('gram'), quantity: 3 }],
      }),
    },
    {
      when: 'all stock is in packages on hold, in trade samples and in expired packages',
      shop: jar([
        { amount: '100', label: '1A4FF0000000000000000011', onHold: true },
        { amount: '100', label: '1A4FF0000000000000000012', tradeSample: true },
        { amount: '100', label: '1A4FF0000000000000000013', expirationDate: '2026-03-09' },
      ]),
      ...outOfStock('gram', 1, 'Counter Jar'),
    },
    {
      when: 'the stock is at a location from which the order type does not draw',
      shop: {
        ...jar([{ amount: '100', location: 'Van' }]),
        drawnFrom: { delivery: ['Van'], pickup: ['Storefront'], 'in-store': ['Storefront'] },
      },
      ...outOfStock('gram', 1, 'Counter Jar'),
    },
    {
      code: 'TRANSACTION_RETRY_EXCEEDED',
      when: 'every attempt collides with another transaction',
      shop: {},
      change: async ({ organizationId }, { witness }) => {
        const name = `collide_${organizationId}`;
        await witness.query(
          `create function ${name}() returns trigger language plpgsql as
             $$ begin raise 'collision' using errcode = '40001'; end $$`,
        );
        await witness.query(
          `create trigger ${name} before insert on orders for each row
             when (new.organization_id = ${organizationId}) execute function ${name}()`,
        );
        return {};
      },
      message: /try again/,
    },
  ];
  return refusals.map((refusal) => cart(endpointId, refusal));
}

function returnListRefusals(endpointId: string): Refusal[] {
  const cursor = /^startingAfter must be /;
  return [
    queryRefusal(endpointId, { startingAfter: nowhereId(1) }, 'INVALID_CURSOR', cursor),
    queryRefusal(endpointId, { startingAfter: 'first' }, 'INVALID_CURSOR', cursor),
    queryRefusal(endpointId, { voided: 'maybe' }, 'INVALID_PARAMS', /^voided must be /),
  ];
}

function listRefusals(endpointId: string): Refusal[] {
  const cursor = /^startingAfter must be /;
  return [
    queryRefusal(endpointId, { startingAfter: nowhereId('') }, 'INVALID_CURSOR', cursor),
    queryRefusal(endpointId, { startingAfter: 'first' }, 'INVALID_CURSOR', cursor),
    queryRefusal(endpointId, { startingAfter: '' }, 'INVALID_CURSOR', cursor),
    {
      endpointId,
      code: 'INVALID_CURSOR',
      when: 'the cursor is an order that is not in the list of fulfilled ones',
      arrange: ({ home }) => ({
        request: requestOf(undefined, { startingAfter: home.ids.orderId, fulfilledOnly: true }),
      }),
      message: cursor,
    },
    queryRefusal(
      endpointId,
      { idempotencyKey: otherUuids[1] },
      'INVALID_IDEMPOTENCY_KEY',
      /^idempotencyKey must be/,
    ),
    ...['2026-02-30', '2026-2-3', '20260203', 'today', '0000-01-01', ''].map((startingOn) =>
      queryRefusal(endpointId, { startingOn }, 'INVALID_PARAMS', /^startingOn must be a date YYYY-MM-DD/),
    ),
    ...['1', 'yes', 'TRUE', ''].map((fulfilledOnly) =>
      queryRefusal(endpointId, { fulfilledOnly }, 'INVALID_PARAMS', /^fulfilledOnly must be true or false/),
    ),
    ...['0', '-1', '1.5', '1e3', '0x10', '9007199254740993', 'me', ''].map((userId) =>
      queryRefusal(endpointId, { userId }, 'INVALID_PARAMS', /^userId must be a whole number from 1 to/),
    ),
    queryRefusal(
      endpointId,
      { type: 'Delivery' },
      'INVALID_PARAMS',
      /^type must be one of delivery, pickup, in-store/,
    ),
    queryRefusal(
      endpointId,
      { status: 'open' },
      'INVALID_PARAMS',
      /^status must be one of draft, new, packed/,
    ),
    queryRefusal(endpointId, { sortBy: 'createdAt' }, 'INVALID_PARAMS', /^sortBy must be one of updatedAt/),
  ];
}

function queryRefusal(
  endpointId: string,
  query: Readonly<Record<string, string | number>>,
  code: ErrorCode,
  message: RegExp,
): Refusal {
  const when = Object.entries(query).map(([name, value]) => `${name} is ${value === '' ? 'empty' : value}`);
  return {
    endpointId,
    code,
    when: when.join(),
    arrange: () => ({ request: requestOf(undefined, query) }),
    message,
  };
}
