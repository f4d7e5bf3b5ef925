import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import type { OfflineTerms } from '../../engines/offline-pricing/offline-terms.ts';
import { type OfflineCart, priceOffline } from '../../engines/offline-pricing/price-offline.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** Beside what a test cart has by default: a T-shirt for $30, a cap for $25 (on sale for $20), a lighter for $6, socks for $10; no taxes. */
const goods: ShopSettings = {
  taxes: [],
  deliveryZones: [],
  products: [
    ['eighth', 9900],
    ['tee', 3000],
    ['cap', 2500, 2000],
    ['lighter', 600],
    ['socks', 1000],
  ].map(([key, priceCents, salesPriceCents]) => ({
    key: String(key),
    category: 'Accessories',
    inventoryType: 'none' as const,
    options: [
      {
        key: String(key),
        content: null,
        priceCents: Number(priceCents),
        ...(salesPriceCents !== undefined && { salesPriceCents: Number(salesPriceCents) }),
      },
    ],
  })),
};
type Lines = readonly (readonly [key: string, quantity: number])[];

/** A shop, an owner, and a register's terms; `off` is what a preview, an order and the register take off a cart. */
async function open() {
  const shop = await createTestShop(service.context, goods);
  const owner = await service.staff(shop);
  const { data: register } = await owner.call('POST', '/staff/v1/registers', {
    name: 'Counter',
    inventoryLocationId: shop.locationId('Storefront'),
  });
  await owner.call('PUT', '/staff/v1/offline-sale-settings', {
    shop: { isOn: true, hoursMax: 4, saleMax: 500_000, outageMax: 600_000 },
    locations: [],
  });
  const create = async (discount: object) => {
    const body = { name: 'Offer', kind: 'product', type: 'percent', amount: 20, ...discount };
    const reply = await owner.call('POST', '/staff/v1/discounts', body);
    expect(reply, reply.error?.message).toMatchObject({ status: 201 });
    return reply.data;
  };
  const lineItems = (lines: Lines) =>
    lines.map(([key, quantity]) => ({ productOptionId: shop.optionId(key), quantity }));
  const off = async (lines: Lines, changes: object = {}) => {
    const body = pickupBody(shop, { lineItems: lineItems(lines), ...changes });
    const preview = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
    const order = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(preview, preview.error?.message).toMatchObject({ status: 200 });
    expect(order.data?.customerGrandTotal, order.error?.message).toBe(preview.data.customerGrandTotal);
    return preview.data.discountsTotal as number;
  };
  const offAlone = async (lines: Lines, audience: OfflineCart['audience'] = 'adult-use') => {
    const { data } = await owner.call('GET', `/staff/v1/registers/${register.id}/offline-terms`);
    const cart = { lines: lineItems(lines), discountIds: [], audience, birthday: null, payments: [] };
    return priceOffline(JSON.parse(data.terms) as OfflineTerms, cart, service.clock.now()).priced
      .discountsTotalCents;
  };
  return { shop, owner, create, off, offAlone, targets: { productIds: [shop.productId('tee')] } };
}

const menuPrice = async (shop: TestShop, key: string) => {
  const { data } = await service.call('GET', '/api/v1/menu?type=pickup', { keys: shop.keys });
  const options = data.flatMap((product: { options: { id: number }[] }) => product.options);
  return options.find(({ id }: { id: number }) => id === shop.optionId(key)).specialPrice;
};

describe('"20 % off the tee from $50"', () => {
  test('counts the tees, and no other goods', async () => {
    const { create, off, offAlone, targets, shop } = await open();
    const discount = await create({ targets, conditions: { minimumSubtotal: 5000 } });
    expect(discount.conditions).toMatchObject({ minimumSubtotal: 5000, countsWholeCart: false });
    for (const price of [off, offAlone]) {
      expect(
        await price([
          ['tee', 1],
          ['socks', 9],
        ]),
      ).toBe(0);
      expect(await price([['tee', 2]])).toBe(1200);
      expect(
        await price([
          ['tee', 2],
          ['socks', 1],
        ]),
      ).toBe(1200);
    }
    expect(await menuPrice(shop, 'tee')).toBeNull();
  });

  test('counts the whole cart where the owner says so', async () => {
    const { create, off, offAlone, targets } = await open();
    await create({ targets, conditions: { minimumSubtotal: 5000, countsWholeCart: true } });
    for (const price of [off, offAlone]) {
      expect(await price([['tee', 1]])).toBe(0);
      expect(
        await price([
          ['tee', 1],
          ['socks', 2],
        ]),
      ).toBe(600);
    }
  });

  test('of a buy-x-get-y counts what is bought and what gets cheaper', async () => {
    const { create, off, targets, shop } = await open();
    await create({
      ...{ kind: 'buy-x-get-y', amount: 100, buyQuantity: 1, getQuantity: 1 },
      targets: { productIds: [shop.productId('socks')] },
      buyTargets: targets,
      conditions: { minimumSubtotal: 4000 },
    });
    expect(
      await off([
        ['tee', 1],
        ['socks', 1],
      ]),
    ).toBe(1000);
    expect(
      await off([
        ['tee', 1],
        ['lighter', 9],
      ]),
    ).toBe(0);
  });

  test('that stood before counts the whole cart as it did: the flag says so, and stays through a change', async () => {
    const { create, owner, off, targets } = await open();
    const { id } = await create({ targets, conditions: { minimumSubtotal: 5000, countsWholeCart: true } });
    const changed = await owner.call('PATCH', `/staff/v1/discounts/${id}`, { amount: 10 });
    expect(changed.data.conditions.countsWholeCart).toBe(true);
    expect(
      await off([
        ['tee', 1],
        ['socks', 2],
      ]),
    ).toBe(300);
  });
});

describe('a minimum quantity', () => {
  test('counts units of the products that the discount is for', async () => {
    const { create, off, offAlone, targets, shop } = await open();
    await create({ targets, conditions: { minimumQuantity: 3 } });
    for (const price of [off, offAlone]) {
      expect(
        await price([
          ['tee', 2],
          ['socks', 5],
        ]),
      ).toBe(0);
      expect(await price([['tee', 3]])).toBe(1800);
    }
    expect(await menuPrice(shop, 'tee')).toBeNull();
  });

  test('of a discount on the order counts the order', async () => {
    const { create, off } = await open();
    await create({ kind: 'order', amount: 10, conditions: { minimumQuantity: 3 } });
    expect(await off([['tee', 2]])).toBe(0);
    expect(
      await off([
        ['tee', 2],
        ['socks', 1],
      ]),
    ).toBe(700);
  });
});

describe('not on sale items', () => {
  test('leaves them alone, on the line, in the order, in a group, and in what a minimum counts', async () => {
    for (const [discount, expected] of [
      [{ kind: 'line' }, [600, 0]],
      [{ kind: 'order' }, [600, 0]],
      [{ kind: 'order', type: 'flat', amount: 5000 }, [3000, 0]],
      [{ kind: 'bundle', type: 'flat', amount: 1000, bundleQuantity: 1 }, [2000, 0]],
      [{ kind: 'line', conditions: { minimumSubtotal: 4000, excludeSaleItems: true } }, [0, 0]],
    ] as const) {
      const { create, off, offAlone, shop } = await open();
      await create({ conditions: { excludeSaleItems: true }, ...discount });
      for (const price of [off, offAlone]) {
        expect(
          [
            await price([
              ['tee', 1],
              ['cap', 1],
            ]),
            await price([['cap', 3]]),
          ],
          JSON.stringify(discount),
        ).toEqual(expected);
      }
      expect(await menuPrice(shop, 'cap')).toBeNull();
    }
  });
});

describe('patients or adults', () => {
  test('a discount for one of them is for no other, at the register too', async () => {
    const { create, off, offAlone, owner, shop } = await open();
    await create({ kind: 'order', amount: 10, conditions: { customerType: 'medical' } });
    await create({ kind: 'order', amount: 5, conditions: { customerType: 'adult-use' } });
    const patient = { firstName: 'Ada', lastName: 'Okafor', email: 'ada@customers.example.com' };
    await owner.call('POST', '/staff/v1/customers', {
      ...patient,
      birthday: '1980-01-01',
      medicalExpiration: '2027-01-01',
    });
    expect(await off([['tee', 1]], { customer: patient })).toBe(300);
    expect(await off([['tee', 1]])).toBe(150);
    expect(await offAlone([['tee', 1]])).toBe(150);
    expect(await offAlone([['tee', 1]], 'medical')).toBe(300);
    expect(await menuPrice(shop, 'tee')).toBe(2850);
    const code = { trigger: 'code', codes: ['CARD'], conditions: { customerType: 'medical' } };
    await create(code);
    const refused = await service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body: pickupBody(shop, {
        lineItems: [{ productOptionId: shop.optionId('tee'), quantity: 1 }],
        discountCodes: ['CARD'],
      }),
    });
    expect(refused.error).toMatchObject({
      code: 'DISCOUNT_CODE_INVALID',
      message: expect.stringMatching('for patients only'),
    });
  });
});

describe('"3 for $60"', () => {
  const three = { kind: 'bundle', type: 'flat', amount: 6000, bundleQuantity: 3 };

  test('of one product or mixed, the dearest units first, never for more than without it', async () => {
    const { create, off, offAlone, shop } = await open();
    await create({ ...three, name: '3 for $60' });
    for (const price of [off, offAlone]) {
      expect(await price([['tee', 2]])).toBe(0);
      expect(await price([['tee', 3]])).toBe(3000);
      expect(await price([['tee', 7]])).toBe(6000);
      // 30 + 30 + 20 make a group; the socks are left over.
      expect(
        await price([
          ['tee', 2],
          ['cap', 1],
          ['socks', 2],
        ]),
      ).toBe(2000);
      expect(await price([['socks', 3]])).toBe(0);
    }
    expect(await menuPrice(shop, 'tee')).toBeNull();
  });

  test('as often as an order may use it, and together with what else applies', async () => {
    const { create, off } = await open();
    await create({ ...three, usesPerOrder: 1 });
    expect(await off([['tee', 6]])).toBe(3000);
    await create({ kind: 'line', type: 'percent', amount: 10, priority: -1 });
    // 27 each: 81 less 60, and 3 off each of six.
    expect(await off([['tee', 6]])).toBe(2100 + 1800);
  });

  test.each([
    ['percent', { ...three, type: 'percent', amount: 60 }, /^type must be flat for kind bundle/],
    ['without its quantity', { ...three, bundleQuantity: null }, /^bundleQuantity is required/],
    ['of another kind', { kind: 'line', bundleQuantity: 3 }, /^bundleQuantity is for kind bundle only/],
  ])('%s is refused', async (_, discount, message) => {
    const { owner } = await open();
    const body = { name: 'Offer', type: 'flat', amount: 100, ...discount };
    const reply = await owner.call('POST', '/staff/v1/discounts', body);
    expect(reply.error).toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringMatching(message) });
  });
});

test('a condition that is not known is refused wherever it stands, and nothing is saved or changed', async () => {
  const { owner, create, shop } = await open();
  const base = { name: 'Offer', kind: 'line', type: 'percent', amount: 20 };
  const saved = await create({});
  for (const [body, name] of [
    [{ minQuantity: 3 }, 'minQuantity'],
    [{ conditions: { customer: 'medical' } }, 'conditions.customer'],
    [
      { conditions: { schedule: [{ days: [1], from: '10:00', to: '11:00', zone: 'UTC' }] } },
      'conditions.schedule[0].zone',
    ],
    [{ targets: { productId: [shop.productId('tee')] } }, 'targets.productId'],
    [{ buyTargets: { skus: [] } }, 'buyTargets.skus'],
  ] as const) {
    const path = `/staff/v1/discounts/${saved.id}`;
    for (const reply of [
      await owner.call('POST', '/staff/v1/discounts', { ...base, ...body }),
      await owner.call('PUT', path, { ...base, ...body }),
      await owner.call('PATCH', path, body),
      await owner.call('POST', '/staff/v1/discounts/try', {
        discount: { ...base, ...body },
        cart: { type: 'pickup', lineItems: [{ productOptionId: shop.optionId('tee'), quantity: 1 }] },
      }),
    ]) {
      expect(reply.status, name).toBe(400);
      expect(reply.error?.message).toContain(`${name} is not known`);
    }
  }
  expect((await owner.call('GET', '/staff/v1/discounts')).data.slice(-1)).toEqual([saved]);
  // All that a reply shows may be sent back.
  expect((await owner.call('PUT', `/staff/v1/discounts/${saved.id}`, saved)).data).toEqual(saved);
});
