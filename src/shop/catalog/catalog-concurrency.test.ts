import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { openStock } from '../inventory/stock.ts';
import { stepOrder } from '../orders/orders.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;
const staff = await service.staff(shop, 'inventory');

const create = (changes: object) =>
  service.call('POST', '/api/v1/products', { keys, body: productBody({ ...changes }) });
const update = (id: number, body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys, body });
const deletion = () => ({ deletedAt: isoTimestamp(service.clock.now()) });
const codeOf = ({ status, error }: TestReply) => error?.code ?? status;
const count = async (text: string, ...values: unknown[]) =>
  Number((await witness.query(text, values, organizationId))[0].count);
const times = <Result>(howMany: number, run: (index: number) => Result) =>
  Array.from({ length: howMany }, (_, index) => run(index));

test('20 concurrent requests with a new brand and the same new sub-categories create each exactly once', async () => {
  for (const round of times(casesOf({ everyRun: 2, long: 5 }), (index) => index)) {
    const names = [`New one ${round}`, `New two ${round}`, `New three ${round}`];
    const replies = await Promise.all(
      times(20, (index) =>
        create({
          brandName: index % 2 === 0 ? `Brand ${round}` : ` BRAND ${round}`,
          // Each in another order: they must not deadlock.
          subCategories: names.map((_, at) => names[(at + index) % 3]),
        }),
      ),
    );
    expect(replies.map(codeOf)).toEqual(Array(20).fill(201));
    expect(new Set(replies.map(({ data }) => data.brand.id)).size).toBe(1);
    expect(await count('select count(*) from brands where name ilike $1', `%brand ${round}%`)).toBe(1);
    const found = replies.flatMap(({ data }) => data.subCategories.map(({ id }: { id: number }) => id));
    expect(new Set(found).size).toBe(3);
    expect(
      await count(
        "select count(*) from outbox_events where type = 'brand.created' and subject_id = $1",
        String(replies[0]!.data.brand.id),
      ),
    ).toBe(1);
  }
  expect(service.faults).toEqual([]);
});

/** Whether a deleted product, or one of its options, has stock that no canceled order returned. */
const misplaced = `select count(*) from stock_balances b
  join products p on p.organization_id = b.organization_id and p.id = b.product_id
  left join product_options o on o.organization_id = b.organization_id and o.id = b.product_option_id
 where b.on_hand > 0 and (p.deleted_at is not null or o.deleted_at is not null
   or p.inventory_type <> case when b.product_option_id = 0 then 'product' else 'option' end)`;

test('stock that staff add while a product is being deleted is either refused, or prevents the deletion', async () => {
  const outcomes = new Set<string>();
  // Repeats until both outcomes have occurred; otherwise there was no race. The machine decides who wins.
  for (
    let round = 0;
    round < casesOf({ everyRun: 10, long: 30 }) || (outcomes.size < 2 && round < 500);
    round += 1
  ) {
    const { data } = await create({ name: `Raced ${round}` });
    const adjust = () =>
      staff.call('POST', '/staff/v1/inventory-adjustments', {
        productId: data.id,
        productOptionId: data.options[0].id,
        inventoryLocationId: shop.locationId('Storefront'),
        delta: '5',
        reason: 'Found behind the shelf',
      });
    const both =
      round % 2 === 0 ? [adjust(), update(data.id, deletion())] : [update(data.id, deletion()), adjust()];
    const [first, second] = (await Promise.all(both)).map(codeOf);
    const [adjusted, deleted] = round % 2 === 0 ? [first, second] : [second, first];
    expect([
      [201, 'NON_ZERO_INVENTORY'],
      ['PRODUCT_NOT_FOUND', 201],
    ]).toContainEqual([adjusted, deleted]);
    outcomes.add(String(adjusted));
  }
  expect(await count(misplaced)).toBe(0);
  expect(outcomes.size).toBe(2);
  expect(service.faults).toEqual([]);
});

test("concurrent stock is safe even without the service's checks: for products, options and stock tracking", async () => {
  const refused = new Set<string>();
  for (const round of times(casesOf({ everyRun: 6, long: 30 }), (index) => index)) {
    const { data } = await create({
      name: `Unseen ${round}`,
      options: times(2, (index) => ({ amount: index + 1, price: 100, content: '1' })),
    });
    const [kept, gone] = data.options;
    const change = [
      () => update(data.id, deletion()),
      () => update(data.id, { inventoryType: 'product' }),
      () =>
        service.call('PUT', `/api/v1/products/${data.id}/options`, {
          keys,
          body: { options: [{ id: kept.id }] },
        }),
    ][round % 3]!;
    const arrive = openStock(service.context, testOrigin, organizationId, [
      {
        label: null,
        productId: data.id,
        optionId: gone.id,
        locationId: shop.locationId('Storefront'),
        unit: 'Each',
        amount: '3',
        costPerUnit: '1',
        receivedAtMs: service.clock.now(),
        expirationDate: null,
        onHold: false,
        tradeSample: false,
      },
    ]).then(
      () => 'arrived',
      (error: Error) => error.message,
    );
    // At least once the stock is there first, on the slowest database, too.
    if (round === 0) await arrive;
    const [stock, reply] = await Promise.all([arrive, change()]);
    expect([
      ['arrived', 'NON_ZERO_INVENTORY'],
      ['stock arrives where none is kept', 201],
    ]).toContainEqual([stock, codeOf(reply)]);
    refused.add(String(stock));
  }
  expect(await count(misplaced)).toBe(0);
  expect(refused.has('arrived')).toBe(true);
});

test('a canceled order returns its stock, even to a product deleted meanwhile', async () => {
  const own = await createTestShop(service.context, {
    products: [
      {
        key: 'Last one',
        options: [{ key: 'last', priceCents: 100 }],
        stock: [{ option: 'last', amount: '1' }],
      },
    ],
  });
  const manager = await service.staff(own, 'manager');
  const { data: order } = await service.call('POST', '/api/v1/orders', {
    keys: own.keys,
    body: {
      type: 'pickup',
      lineItems: [{ productOptionId: own.optionId('last'), quantity: 1 }],
      customer: { firstName: 'M', lastName: 'O', email: 'm@customers.example.com' },
      idempotencyKey: '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55',
    },
  });
  const deleted = await manager.call('PUT', `/staff/v1/products/${own.productId('Last one')}`, deletion());
  expect(deleted.status).toBe(200);
  await stepOrder(service.context, testOrigin, own.organizationId, order.id, 'cancel', {
    staff: null,
    cancelationReason: 'Changed their mind',
  });
  const [row] = await witness.query(
    'select sum(on_hand) as left from stock_balances where organization_id = $1',
    [own.organizationId],
    own.organizationId,
  );
  expect(Number(row.left)).toBe(1);
});

test('concurrent full sets of options leave one of them complete', async () => {
  const { data } = await create({ name: 'Contested' });
  const sets = times(10, (index) =>
    times((index % 3) + 1, (at) => ({ amount: index + 1, price: at, content: '1' })),
  );
  const replies = await Promise.all(
    sets.map((options) =>
      service.call('PUT', `/api/v1/products/${data.id}/options`, { keys, body: { options } }),
    ),
  );
  expect(replies.map(codeOf)).toEqual(Array(10).fill(201));
  const { data: after } = await staff.call('GET', `/staff/v1/products/${data.id}`);
  const amounts = after.options.map(({ amount }: { amount: number }) => amount);
  expect(new Set(amounts).size).toBe(1);
  expect(amounts).toHaveLength(((amounts[0] - 1) % 3) + 1);
});

test('references that are deleted while a product is created are either in use or created again', async () => {
  for (const round of times(casesOf({ everyRun: 4, long: 10 }), (index) => index)) {
    const { data: category } = await staff.call('POST', '/staff/v1/product-categories', {
      name: `Fleeting ${round}`,
      cannabisType: 'none',
    });
    const { data: brand } = await staff.call('POST', '/staff/v1/brands', { name: `Fleeting ${round}` });
    const { data: sub } = await staff.call('POST', '/staff/v1/product-sub-categories', {
      name: `Fleeting ${round}`,
    });
    const [product, ...deletions] = await Promise.all([
      create({ category: category.name, brandName: brand.name, subCategories: [sub.name] }),
      staff.call('DELETE', `/staff/v1/product-categories/${category.id}`),
      staff.call('DELETE', `/staff/v1/brands/${brand.id}`),
      staff.call('DELETE', `/staff/v1/product-sub-categories/${sub.id}`),
    ]);
    if (product!.status === 201) {
      expect(codeOf(deletions[0]!)).toBe('CATALOG_ENTRY_IN_USE');
      expect(product!.data.brand.id === brand.id).toBe(codeOf(deletions[1]!) === 'CATALOG_ENTRY_IN_USE');
      const kept = product!.data.subCategories[0].id === sub.id;
      expect(kept).toBe(codeOf(deletions[2]!) === 'CATALOG_ENTRY_IN_USE');
    } else {
      expect(codeOf(product!)).toBe('PRODUCT_CATEGORY_NOT_FOUND');
    }
  }
  const ofShop = (table: string) => `${table}.organization_id = ${organizationId}`;
  const orphans = `select count(*) from products p
     join brands b on ${ofShop('b')} and b.id = p.brand_id
     join product_categories c on ${ofShop('c')} and c.id = p.primary_category_id
    where ${ofShop('p')} and p.deleted_at is null and (b.deleted_at is not null or c.deleted_at is not null
      or exists (select from unnest(p.sub_category_ids) as s(id)
        where not exists (select from product_sub_categories x where ${ofShop('x')} and x.id = s.id)))`;
  expect(await count(orphans)).toBe(0);
  expect(service.faults).toEqual([]);
});

test('concurrent merges of brands, and products that move between them, end at existing brands', async () => {
  const brands = (
    await Promise.all(
      times(4, (index) => staff.call('POST', '/staff/v1/brands', { name: `Merged ${index}` })),
    )
  ).map(({ data }) => data);
  const products = (
    await Promise.all(
      times(12, (index) => create({ name: `Moved ${index}`, brandName: brands[index % 4].name })),
    )
  ).map(({ data }) => data);
  const replies = await Promise.all([
    staff.call('POST', `/staff/v1/brands/${brands[0].id}/merge`, { intoBrandId: brands[1].id }),
    staff.call('POST', `/staff/v1/brands/${brands[1].id}/merge`, { intoBrandId: brands[0].id }),
    staff.call('POST', `/staff/v1/brands/${brands[2].id}/merge`, { intoBrandId: brands[3].id }),
    ...products.map(({ id }, index) => update(id, { brandName: brands[(index + 1) % 4].name })),
  ]);
  expect(replies.slice(0, 3).map(codeOf).sort()).toEqual([200, 200, 'BRAND_NOT_FOUND']);
  expect(replies.slice(3).map(codeOf)).toEqual(Array(12).fill(201));
  const listed = new Set(
    (await staff.call('GET', '/staff/v1/brands')).data.map(({ id }: { id: number }) => id),
  );
  for (const { id } of products) {
    const { data } = await staff.call('GET', `/staff/v1/products/${id}`);
    expect(listed).toContain(data.brand.id);
  }
  expect(service.faults).toEqual([]);
});
