import { expect } from 'vitest';
import { purchaseLimitRules } from '../../src/shop/settings/terms-of-sale.ts';
import { addCredit } from '../harness/test-promotions.ts';
import {
  createTestShop,
  pickupBody,
  type ShopSettings,
  type TestShop,
  testOrigin,
} from '../harness/test-shop.ts';
import { collision } from './collision-refusals.ts';
import { type ContractRequest, makeSandbox, validRequest } from './contract-world.ts';
import type { Refusal, Stage } from './refusal.ts';

const paths = ['getSandbox', 'setSandboxClock', 'resetSandbox', 'playSandboxOrder'];

/** What requests of sandboxes are refused for (D60). */
export function sandboxRefusals(endpointId: string): Refusal[] {
  if (!paths.includes(endpointId)) return [];
  return [
    tradesInstead(endpointId),
    ...(endpointId === 'getSandbox' ? [] : [collision(endpointId, 'audit_entries')]),
    ...(endpointId === 'setSandboxClock' ? clockRefusals(endpointId) : []),
    ...(endpointId === 'playSandboxOrder' ? stepRefusals(endpointId) : []),
  ];
}

function tradesInstead(endpointId: string): Refusal {
  return {
    endpointId,
    code: 'NOT_A_SANDBOX',
    when: 'the organization trades',
    arrange: async ({ service, home }, endpoint) => {
      const shop = await createTestShop(service.context);
      return { shop, request: validRequest(endpoint, home) };
    },
    message: /^X-Client-Key must be /,
  };
}

function clockRefusals(endpointId: string): Refusal[] {
  return [
    ...[
      [{ now: '1999-01-01T00:00:00Z' }, /^now must keep the clock within /] as const,
      [{ now: null, moveSeconds: 60 }, /^moveSeconds must be left out /] as const,
    ].map(
      ([body, message]): Refusal => ({
        endpointId,
        code: 'INVALID_PARAMS',
        when: JSON.stringify(body),
        arrange: ({ home }, endpoint) => ({ request: { ...validRequest(endpoint, home), body } }),
        message,
      }),
    ),
  ];
}

/** A shop that is a sandbox, and a request for a step of an order in it. */
async function stepOf(
  { service }: Stage,
  action: string,
  { settings = {}, before = [] }: { readonly settings?: ShopSettings; readonly before?: readonly string[] },
): Promise<{ readonly shop: TestShop; readonly request: ContractRequest }> {
  const shop = await createTestShop(service.context, {
    statusOnCreation: { delivery: 'draft', pickup: 'draft' },
    ...settings,
  });
  await makeSandbox(service, shop);
  const place = async () => {
    const { data } = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop),
    });
    return data.id as string;
  };
  const play = (orderId: string, step: string) =>
    service.call('POST', `/api/v1/sandbox/orders/${orderId}/play`, {
      keys: shop.keys,
      body: { action: step },
    });
  // The other one takes stock first.
  const [orderId, other] = [await place(), await place()];
  for (const step of before) await play(step === 'accept other' ? other : orderId, step.split(' ', 1)[0]!);
  return { shop, request: { params: { orderId }, query: {}, body: { action } } };
}

/** A return of an order that store credit paid a part of; the customer has spent again what came back. */
async function voidOfSpentCredit({ service }: Stage) {
  const shop = await createTestShop(service.context);
  await makeSandbox(service, shop);
  const place = async () =>
    (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) })).data;
  const { customer } = await place();
  await addCredit(service.context, shop.organizationId, customer.id, { cents: 1_000 });
  const { id: orderId } = await place();
  for (const action of ['accept', 'fulfill', 'return']) {
    const path = `/api/v1/sandbox/orders/${orderId}/play`;
    await service.call('POST', path, { keys: shop.keys, body: { action } });
  }
  await place();
  return { shop, request: { params: { orderId }, query: {}, body: { action: 'void-return' } } };
}

/** Enough for one of two orders. */
const threeEighths: NonNullable<ShopSettings['products']> = [
  {
    key: 'Moonlit Grove',
    options: [{ key: 'eighth', priceCents: 3500 }],
    stock: [{ option: 'eighth', amount: '3' }],
  },
];

/** Known once the shop is made. */
const soldOutOption = { id: 0 };

function stepRefusals(endpointId: string): Refusal[] {
  return [
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'a reason is sent for another step than cancel',
      arrange: ({ home }, endpoint) => ({
        request: { ...validRequest(endpoint, home), body: { action: 'pack', reason: 'Why not' } },
      }),
      message: /^reason is for action cancel only/,
    },
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'a status of the delivery is sent for another step than dispatch',
      arrange: ({ home }, endpoint) => ({
        request: { ...validRequest(endpoint, home), body: { action: 'pack', dispatchStatus: 'failed' } },
      }),
      message: /^dispatchStatus is for action dispatch only/,
    },
    {
      endpointId,
      code: 'INVALID_ORDER',
      when: 'an order that is not delivered is dispatched',
      arrange: (stage) => stepOf(stage, 'dispatch', { before: ['accept'] }),
      message: /^dispatch is for deliveries, not for pickup orders\.$/,
    },
    {
      endpointId,
      code: 'INVALID_ORDER_TRANSITION',
      when: 'a return is voided where there is none',
      arrange: (stage) => stepOf(stage, 'void-return', { before: ['accept'] }),
      message: /^An order without a return cannot be changed by void-return/,
      meta: { status: 'new', action: 'void-return' },
    },
    {
      endpointId,
      code: 'STORE_CREDIT_SPENT',
      when: 'the credit that the return gave back is spent',
      arrange: (stage) => voidOfSpentCredit(stage),
      message: /^An order has used all or a part of the store credit of this return/,
      meta: { customerCreditId: expect.any(Number) },
    },
    {
      endpointId,
      code: 'INVALID_ORDER_TRANSITION',
      when: 'the status does not allow the step',
      arrange: (stage) => stepOf(stage, 'pack', { before: ['cancel'] }),
      message: /^An order that is canceled cannot be changed by pack\.$/,
      meta: { status: 'canceled', action: 'pack' },
    },
    {
      endpointId,
      code: 'OUT_OF_STOCK',
      when: 'another order has taken the stock',
      arrange: async (stage) => {
        const settings = { products: threeEighths };
        const step = await stepOf(stage, 'accept', { settings, before: ['accept other'] });
        soldOutOption.id = step.shop.optionId('eighth');
        return step;
      },
      message: /^Not enough stock of Moonlit Grove/,
      meta: () => ({
        lineItem: { productOptionId: soldOutOption.id, quantity: 2, specifiedPackageId: null },
        product: { name: 'Moonlit Grove' },
      }),
    },
    {
      endpointId,
      code: 'INVALID_ORDER',
      when: 'there is no payment type to pay with',
      arrange: (stage) => stepOf(stage, 'fulfill', { settings: { paymentTypes: [] }, before: ['accept'] }),
      message: /^payments are required/,
    },
    {
      endpointId,
      code: 'PURCHASE_LIMIT_EXCEEDED',
      when: 'a limit came after the order',
      arrange: async (stage) => {
        const step = await stepOf(stage, 'fulfill', { before: ['accept'] });
        await purchaseLimitRules.writes.create(stage.service.context, testOrigin, step.shop.organizationId, {
          name: 'A gram',
          ...{
            customerType: 'all',
            cannabisType: 'non-concentrated',
            limit: '1',
            unit: 'g',
            window: 'transaction',
            windowDays: null,
            counts: [],
          },
          ...{ locality: null, ownSource: null, startsOn: null, endsOn: null },
        });
        return step;
      },
      message: /^Over the purchase limit/,
      meta: { overages: [{ cannabisType: 'non-concentrated', limit: '1', total: '7', overage: '6' }] },
    },
  ];
}
