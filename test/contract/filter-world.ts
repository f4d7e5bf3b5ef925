import { randomUUID } from 'node:crypto';
import { createIntegrator } from '../../src/access/keys/keys.ts';
import { assert } from '../../src/kernel/assert.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import { importPackages } from '../../src/shop/inventory/import-packages.ts';
import { createPurchaseOrder } from '../../src/shop/purchasing/purchasing.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  type TestKeys,
  type TestProduct,
  type TestShop,
  testOrigin,
} from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import { addPaymentTasks } from './contract-payments.ts';
import { documentBody } from './contract-world.ts';
import { addDrawers } from './filter-drawers.ts';
import { addOrders, addReturns, type PlacedBy } from './filter-orders.ts';
import { addSettings } from './filter-settings.ts';
import { aroundThem, midnights, nowMs, numbersTo, turn } from './filter-times.ts';
import { uploadMenu } from './staff-world.ts';
import { addStateReports } from './state-report-preparations.ts';

/*
 * The shop of list-filters.test.ts. Each list has more rows than a page, rows that share a moment, rows at both sides of
 * a local midnight, and rows that each filter keeps and leaves out. The data is the same in every run.
 */

export interface FilterWorld {
  readonly shop: TestShop;
  readonly timeZone: string;
  /** The caller of integrators' lists. */
  readonly keys: Required<TestKeys>;
  readonly integratorId: number;
  /** The caller of staff's lists. */
  readonly owner: TestStaff;
  /** What paths name. */
  readonly ids: Readonly<Record<string, number>>;
  readonly placedBy: ReadonlyMap<string, PlacedBy>;
  readonly nowMs: number;
}

const timeZone = 'America/Los_Angeles';

export async function createFilterWorld(service: TestService): Promise<FilterWorld> {
  const { context, clock } = service;
  clock.set(midnights[0]! - 86_400_000);
  const shop = await createTestShop(context, {
    tz: timeZone,
    products: stockedProducts,
    categories: { Vapes: 'concentrated' },
  });
  await addProducts(service, shop);
  const people = await addPeople(service, shop);
  await addPackages(service, shop);
  await addPurchases(service, shop);
  await addDrawers(service, shop);
  await addStateReports(service, shop);
  // Before the first by its name, after it by its id.
  const name = 'Aisle Nine';
  const rival = { name, ...(await createIntegrator(context, 'production', name)) };
  const { keys: rivalKeys } = await createTestKeys(context, shop.organizationId, rival);
  const { keys: secondKeys } = await createTestKeys(context, shop.organizationId, shop.integrator);
  const seen = { keys: shop.keys, integratorId: shop.integrator.id };
  const callers = [seen, { keys: rivalKeys, integratorId: rival.id }, { ...seen, keys: secondKeys }];
  const placedBy = await addOrders(service, shop, people, callers);
  await addReturns(service, shop);
  await addPaymentTasks(service, shop);
  await addToCustomer(service, shop, people[0]!.id);
  await addPromotions(service, shop);
  await sendRefusedRequests(service, callers);
  await service.apiRequests.write();
  const webhookEndpointId = await addWebhookDeliveries(service, shop);
  await addSettings(service, shop, people[0]!.id);
  clock.set(nowMs);
  const owner = await service.staff(shop);
  for (const _ of numbersTo(53)) await uploadMenu(owner);
  return {
    shop,
    timeZone,
    ...seen,
    owner,
    ids: { customerId: people[0]!.id, webhookEndpointId },
    placedBy,
    nowMs,
  };
}

/** An endpoint with more deliveries than a page, some of them of one moment. */
async function addWebhookDeliveries({ call, clock }: TestService, { keys }: TestShop): Promise<number> {
  const path = '/api/v1/webhook-endpoints';
  const made = await call('POST', path, { keys, body: { url: 'https://hooks.example.com' } });
  for (const at of numbersTo(60)) {
    clock.advance(at % 3);
    const tested = await call('POST', `${path}/${made.data.id}/test`, { keys });
    assert(tested.status === 201, `a test event is refused: ${tested.text}`);
  }
  return made.data.id;
}

/** The name of an option that was taken from its product again. */
export const withdrawnOption = 'Withdrawn size';

const words = ['Moonlit', 'Citrus', 'Ember', 'Harbor', 'Quiet', 'Copper', 'Lantern'];
const kinds = ['Grove', 'Gummies', 'Haze', 'Tide', '100% Resin', 'Old_Fern'];
const nameOf = (at: number): string => `${turn(words, at)} ${turn(kinds, at)} ${Math.floor(at / 42) + 1}`;

/** What is in stock, in all ways that it can lie there. */
const stockedProducts: readonly TestProduct[] = [
  ...[
    { key: 'Front Jar', options: [{ key: 'front', name: 'Eighth of Front', priceCents: 3500 }] },
    { key: 'Vault Jar', options: [{ key: 'vault', name: 'Eighth of Vault', priceCents: 3500 }] },
  ].map((product) => ({
    ...product,
    stock: [
      {
        option: product.options[0]!.key,
        amount: '100000',
        label: `1A4FA000000000000000${product.options[0]!.key}`,
        location: product.options[0]!.key === 'vault' ? 'Vault' : 'Storefront',
      },
    ],
  })),
  {
    key: 'Counter Jar',
    unit: 'gram',
    inventoryType: 'product',
    options: [
      { key: 'whole', name: 'Whole Counter', amount: '1', priceCents: 3600 },
      { key: 'half', name: 'Half Counter', amount: '0.5', priceCents: 2600 },
      { key: 'withdrawn', name: withdrawnOption, amount: '2', priceCents: 6600 },
    ],
    stock: [{ amount: '100000', label: '1A4FA00000000000000counter' }],
  },
  ...numbersTo(26).map(
    (at): TestProduct => ({
      key: nameOf(at),
      category: turn(['Flower', 'Edibles', 'Vapes'], at),
      isActive: at % 4 !== 0,
      tags: turn([['Staff pick'], []], at),
      options: [
        { key: `small ${at}`, name: turn(['Mini', 'Small', 'Trial size'], at), priceCents: 2500 },
        { key: `large ${at}`, name: 'Family size', priceCents: 9900 },
      ],
      stock: [
        { option: `small ${at}`, amount: '1000', ...(at % 2 === 0 && { label: `1A4FB${1_000 + at}` }) },
        { option: `large ${at}`, amount: '50', location: turn(['Vault', 'Storefront', 'Vault'], at) },
      ],
    }),
  ),
];

/** What integrators and staff brought in: brands, sub-categories, codes, photos that are not fetched yet. */
async function addProducts(service: TestService, shop: TestShop): Promise<void> {
  const { context, clock } = service;
  const owner = await service.staff(shop);
  const made: number[] = [];
  for (const at of numbersTo(30)) {
    if (at % 2 === 0) clock.advance(1000);
    const reply = await owner.call('POST', '/staff/v1/products', {
      name: `${nameOf(at + 5)} of ${turn(['Tallow', 'Briar'], at)}`,
      description: '',
      unit: 'item',
      strainType: turn(['hybrid', 'sativa', 'none'], at),
      category: turn(['Edibles', 'Flower', 'Vapes', 'Flower'], at),
      subCategories: turn([['Pre-rolls'], ['Pre-rolls', 'Small batch'], ['Small batch'], ['Indoor']], at),
      ...(at % 5 !== 0 && { brandName: turn(['Alder & Ash', 'Ember Works', 'Fernweh Farms'], at) }),
      photos: [`https://pictures.example.com/${at}.jpg`, `https://pictures.example.com/${at}-back.jpg`],
      options: [turn(['Single', 'Harbor pack'], at), ...(at < 2 ? [withdrawnOption] : [])].map((name) => ({
        name,
        amount: 1,
        price: 1200,
        content: '1',
      })),
    });
    assert(reply.status === 201, `the product of a list's test is refused: ${reply.text}`);
    const { id, options } = reply.data;
    made.push(id);
    if (at < 2) await keepOptions(owner, id, [options[0].id]);
  }
  await keepOptions(owner, shop.productId('Counter Jar'), [shop.optionId('whole'), shop.optionId('half')]);
  await owner.call('DELETE', `/staff/v1/products/${made[3]}`);
  const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
  await sql(`update products set is_active = true where is_compliant and id % 3 = 0`);
  await sql(`update products set is_active = true where strain_type <> 'hybrid' and brand_id is not null`);
  await sql(`update product_options set upc = '8500' || lpad((id % 100000)::text, 8, '0') where id % 3 <> 0`);
  await sql(`update product_photos set gave_up_at = now(), failure = 'It is no picture', tries = 9
              where id % 3 = 0 and location not like '/%'`);
  await sql(`update packages set on_hold = id % 2 = 0 where label like '1A4FB%'`);
}

/** Takes the other options from a product. */
async function keepOptions(owner: TestStaff, productId: number, ids: readonly number[]): Promise<void> {
  const body = { options: ids.map((id) => ({ id })) };
  const reply = await owner.call('PUT', `/staff/v1/products/${productId}/options`, body);
  assert(reply.status === 200, `options of a list's test cannot go: ${reply.text}`);
}

const firstNames = ['Ana', 'Anaïs', 'BEN', 'Zoë', 'Marisol', 'Mar', 'Ómar', 'Lee'];
const lastNames = ['Okafor', 'Oka', 'de la Cruz', 'Núñez', 'Nunez', 'Lee', 'Sandoval-Ríos'];

async function addPeople(service: TestService, shop: TestShop) {
  const { context, clock } = service;
  const { organizationId } = shop;
  const moments = aroundThem(midnights).map((at) => at - 2 * 86_400_000);
  const people = await importCustomers(
    context,
    testOrigin,
    organizationId,
    numbersTo(112).map((at) => ({
      firstName: turn(firstNames, at),
      lastName: turn(lastNames, at),
      email: at % 3 === 1 ? null : `${turn(['m', 'Mar', 'okafor'], at + 1)}.${at}@customers.example.com`,
      phone: at % 3 === 0 ? null : `+1${turn(['510', '415', '5105'], at).padEnd(4, '2')}55${1000 + at}`,
      birthday: '1980-01-01',
      sex: null,
      zip: null,
      licenseExpiry: null,
      medicalExpiration: null,
      marketingOptInAtMs: null,
      joinedAtMs: turn(moments, at),
    })),
  );
  const owner = await service.staff(shop);
  // In another order than they joined.
  for (const at of numbersTo(40)) {
    if (at % 3 === 0) clock.advance(5_400_000);
    const { id } = people[(at * 37) % people.length]!;
    const { status } = await owner.call('PATCH', `/staff/v1/customers/${id}`, { zip: `946${10 + at}` });
    assert(status === 200, 'a customer of a list is changed');
    if (at < 1 || at > 2) continue;
    const erased = await owner.call('DELETE', `/staff/v1/customers/${id}`);
    assert(erased.error === undefined, `a customer of a list is not erased: ${erased.text}`);
  }
  return people;
}

async function addPackages({ context }: TestService, shop: TestShop): Promise<void> {
  const statuses = ['ready', 'finished', 'shipped', 'transferred', 'transfer-returned', 'syncing'] as const;
  const createdAtMs = context.clock.now();
  await importPackages(
    context,
    testOrigin,
    shop.organizationId,
    numbersTo(90).map((at) => ({
      label: `1A4F${turn(['C', 'D', 'E'], at)}${String(at).padStart(6, '0')}`,
      status: turn(at < 60 ? ['finished'] : statuses, at),
      productId: at % 3 === 0 ? null : shop.productId(nameOf(at % 26)),
      optionId: at % 3 === 0 ? null : shop.optionId(`small ${at % 26}`),
      unit: 'Each',
      initialAmount: '10',
      costPerUnit: null,
      createdAtMs,
      receivedAtMs: null,
      finishedAtMs: null,
      shippedAtMs: null,
      transferredAtMs: null,
      transferReturnedAtMs: null,
      details: at % 2 === 0 ? { externalProductName: `Manifest of ${nameOf(at)}` } : {},
    })),
  );
}

async function addPurchases(service: TestService, shop: TestShop): Promise<void> {
  const { context, clock } = service;
  for (const at of numbersTo(54)) {
    if (at % 3 === 0) clock.advance(1000);
    await createPurchaseOrder(context, testOrigin, shop.organizationId, {
      lineItems: [
        {
          productId: shop.productId('Front Jar'),
          productOptionId: shop.optionId('front'),
          amount: '5',
          costPerUnit: '10',
        },
      ],
      expectedAt: '2026-03-14',
      inventoryVendor: { name: `Vendor ${at}` },
    });
  }
  const staff = await service.staff(shop, 'inventory');
  const { status } = await staff.call('POST', '/staff/v1/compliance-transfers', {
    rows: numbersTo(54).map((at) => ({
      manifestNumber: String(at),
      shipperName: 'Tidewater Distribution',
      shipperLicenseNumber: 'C11-0000512-LIC',
      label: `1A4FF${String(at).padStart(19, '0')}`,
      initialAmount: '48',
      unit: 'Each',
    })),
  });
  assert(status === 201, 'the transfers of a list are there');
}

/** Points and documents of one customer. */
async function addToCustomer({ call, clock }: TestService, shop: TestShop, customerId: number) {
  for (const at of numbersTo(54)) {
    if (at % 3 === 0) clock.advance(1);
    const body = { customerId, pointsAmount: ((at * 7) % 54) + 1, reason: 'Welcome' };
    const { status } = await call('POST', '/api/v1/loyalty-events', { keys: shop.keys, body });
    assert(status === 200, 'points of a list are given');
  }
  for (const at of numbersTo(8)) {
    if (at % 3 === 0) clock.advance(1);
    const path = `/api/v1/documents/${customerId}/${turn(['license', 'recommendation'], at)}`;
    const { status } = await call('POST', path, { keys: shop.keys, body: documentBody });
    assert(status === 204, 'the document of a list is taken');
  }
}

/** Discounts and rewards, some ended, some that end with the very moment of asking or after it. */
async function addPromotions(service: TestService, shop: TestShop): Promise<void> {
  const owner = await service.staff(shop);
  const special = await owner.call('POST', '/staff/v1/discounts', {
    name: 'Edibles week',
    kind: 'line',
    type: 'percent',
    amount: 15,
    trigger: 'automatic',
    targets: { categoryIds: [shop.categoryId('Edibles')] },
    // After all orders of this world, whose prices it must not change.
    conditions: { startsAt: new Date(nowMs - 1).toISOString() },
  });
  assert(special.status === 201, `the discount of a menu is refused: ${special.text}`);
  const endings = [null, nowMs - 1, nowMs, nowMs + 1, nowMs + 86_400_000];
  for (const at of numbersTo(15)) {
    const endsAtMs = turn(endings, at);
    const discount = await owner.call('POST', '/staff/v1/discounts', {
      name: `Discount ${at}`,
      kind: 'order',
      type: 'percent',
      amount: 10,
      trigger: 'manual',
      priority: turn([3, 1, 2, 1], at),
      ...(endsAtMs !== null && { conditions: { endsAt: new Date(endsAtMs).toISOString() } }),
    });
    assert(discount.status === 201, `the discount of a list is refused: ${discount.text}`);
    const reward = await owner.call('POST', '/staff/v1/loyalty-rewards', {
      name: `Reward ${at}`,
      type: 'flat',
      pointsRequirement: 100 + at,
      discountAmount: 500,
    });
    assert(reward.status === 201, `the reward of a list is refused: ${reward.text}`);
    if (at % 3 !== 0) continue;
    await owner.call('DELETE', `/staff/v1/discounts/${discount.data.id}`);
    await owner.call('DELETE', `/staff/v1/loyalty-rewards/${reward.data.id}`);
  }
}

/** Requests that are refused, each for another reason. */
async function sendRefusedRequests(
  { call, clock }: TestService,
  callers: readonly { readonly keys: TestKeys }[],
): Promise<void> {
  for (const at of numbersTo(24)) {
    if (at % 4 === 0) clock.advance(50_000);
    const { keys } = turn(callers, Math.floor(at / 2));
    const [method, path, body] = turn(
      [
        ['GET', `/api/v1/orders/${randomUUID()}/detail`],
        ['POST', '/api/v1/orders', {}],
        ['GET', '/api/v1/customers/9007199254740000'],
        ['GET', `/api/v1/orders?startingAfter=${randomUUID()}`],
      ] as const,
      at,
    );
    const { status } = await call(method, path, { keys, ...(body && { body }) });
    assert(status >= 400 && status < 500, `${method} ${path} is refused`);
  }
}
