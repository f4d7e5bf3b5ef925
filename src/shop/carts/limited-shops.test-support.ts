import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestReply, TestService } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  type ShopSettings,
  type TestProduct,
  type TestShop,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { importCustomers } from '../customers/customers.ts';
import type { OrderActionId } from '../orders/actions/order-actions.ts';
import { stepOrder } from '../orders/orders.ts';

/* A shop with a product of every cannabis type, and its customers' actions. */

const untracked = { inventoryType: 'none' } as const;
const product = (key: string, category: string, content: string | null): TestProduct => ({
  key,
  category,
  ...untracked,
  options: [{ key, priceCents: 1000, content }],
});

/** One unit of each type, named by its content. */
const products: readonly TestProduct[] = [
  product('3.5 g', 'Flower', '3.5'),
  product('1 oz', 'Flower', '28.349523125'),
  product('1 g of extract', 'Extracts', '1000'),
  product('4 oz of treats', 'Treats', '4'),
  product('12 fl oz', 'Drinks', '12'),
  product('100 mg', 'Edibles', '100'),
  product('a plant', 'Plants', '1'),
  product('5 seeds', 'Seeds', '5'),
  product('1 g to inhale', 'Inhalables', '1000'),
  product('4 mg drink', 'Low-dose drinks', '4'),
  product('a patch', 'Patches', '1'),
  product('a tray', 'Accessories', null),
  product('unmeasured', 'Extracts', null),
  {
    key: 'loose',
    ...untracked,
    unit: 'gram',
    options: [{ key: 'loose 2.5 g', amount: '2.5', priceCents: 900, content: null }],
  },
];

/** Quantities by the name of the product. */
type Cart = Readonly<Record<string, number>>;

/** Actions of customers and staff in the test shops, in terms of limits. */
export function limitedShops(service: TestService) {
  function shopIn(state: string, settings: ShopSettings = {}): Promise<TestShop> {
    return createTestShop(service.context, {
      state,
      products,
      taxes: [],
      categories: {
        Extracts: 'concentrated',
        Treats: 'mi-infused-solids',
        Drinks: 'mi-infused-fluids',
        Plants: 'immature-plant',
        Seeds: 'seeds',
        Inhalables: 'inhalables',
        'Low-dose drinks': 'low-dose-drinks',
        Patches: 'other-units',
      },
      ...settings,
    });
  }

  /** A new customer. */
  const person = () => ({
    firstName: 'Ada',
    lastName: 'Quill',
    email: `${randomUUID()}@customers.example.com`,
  });

  function bodyOf(shop: TestShop, cart: Cart, customer: object | undefined) {
    return {
      type: 'pickup',
      lineItems: Object.entries(cart).map(([key, quantity]) => ({
        productOptionId: shop.optionId(key),
        quantity,
      })),
      customer,
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    };
  }

  function place(shop: TestShop, cart: Cart, customer: object): Promise<TestReply> {
    const body = { ...bodyOf(shop, cart, customer), idempotencyKey: randomUUID() };
    return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  }

  async function buy(shop: TestShop, cart: Cart, customer: object): Promise<string> {
    const reply = await place(shop, cart, customer);
    expect(reply.status, reply.text).toBe(201);
    return reply.data.id;
  }

  function price(shop: TestShop, cart: Cart, customer?: object): Promise<TestReply> {
    return service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body: bodyOf(shop, cart, customer),
    });
  }

  async function limitsOf(shop: TestShop, cart: Cart, customer?: object) {
    const reply = await price(shop, cart, customer);
    expect(reply.status, reply.text).toBe(200);
    return reply.data.purchaseLimits;
  }

  /** The use of every limit, by the limit's name. */
  async function usedOf(shop: TestShop, cart: Cart, customer?: object): Promise<Record<string, string>> {
    const limits: { name: string; used: string }[] = await limitsOf(shop, cart, customer);
    return Object.fromEntries(limits.map(({ name, used }) => [name, used]));
  }

  /** The error of a refused order; fails the test if the order is accepted. */
  async function overagesOf(shop: TestShop, cart: Cart, customer: object) {
    const { status, error } = await place(shop, cart, customer);
    expect([status, error?.code]).toEqual([422, 'PURCHASE_LIMIT_EXCEEDED']);
    return (error!.meta as { overages: unknown[] }).overages;
  }

  const at = (instant: string) => service.clock.set(Date.parse(instant));
  const sql = (shop: TestShop, text: string) =>
    tenantSql(service.context.database, shop.organizationId, text);

  async function known(shop: TestShop, facts: { birthday?: string; medicalExpiration?: string } = {}) {
    const ada = person();
    const [row] = await importCustomers(service.context, testOrigin, shop.organizationId, [
      {
        ...ada,
        phone: null,
        birthday: null,
        sex: null,
        zip: null,
        licenseExpiry: null,
        medicalExpiration: null,
        marketingOptInAtMs: null,
        joinedAtMs: service.clock.now(),
        ...facts,
      },
    ]);
    return { ...ada, id: row!.id };
  }

  async function setRule(shop: TestShop, rule: object): Promise<number> {
    const owner = await service.staff(shop);
    const { data } = await owner.call('POST', '/staff/v1/purchase-limit-rules', {
      name: 'House',
      customerType: 'all',
      cannabisType: 'non-concentrated',
      unit: 'g',
      window: 'transaction',
      ...rule,
    });
    return data.id;
  }

  function step(shop: TestShop, orderId: string, action: OrderActionId) {
    return stepOrder(service.context, testOrigin, shop.organizationId, orderId, action, { staff: null });
  }

  return {
    shopIn,
    person,
    bodyOf,
    place,
    buy,
    price,
    limitsOf,
    usedOf,
    overagesOf,
    at,
    sql,
    known,
    setRule,
    step,
  };
}
