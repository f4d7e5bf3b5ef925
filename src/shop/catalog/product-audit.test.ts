import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;

const create = (changes: object = {}) =>
  service.call('POST', '/api/v1/products', { keys, body: productBody({ ...changes }) });
const made = async (changes: object = {}) => (await create(changes)).data;
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

const unstated = { thcPercent: null, thcMg: null, cbdPercent: null, cbdMg: null };

describe('the audit of a product', () => {
  const entriesOf = async (id: number) =>
    (
      await witness.query(
        'select action, details from audit_entries where subject_id = $1 order by id',
        [String(id)],
        organizationId,
      )
    ).map(({ action, details }) => [action, details]);
  const put = (id: number, body: object, path = '') =>
    service.call('PUT', `/api/v1/products/${id}${path}`, { keys, body });

  test('records the user, the old and the new values', async () => {
    const { data } = await create({
      name: 'Before',
      brandName: 'Audited brand',
      thcAmount: '21.5',
      thcUnit: '%',
    });
    const requestId = 'catalog-audit-1';
    const deletedAt = isoTimestamp(service.clock.now());
    await service.call('PUT', `/api/v1/products/${data.id}`, {
      keys,
      body: { name: 'After', thcAmount: '21.50', brandName: 'Another brand', deletedAt },
      headers: { 'x-request-id': requestId },
    });
    const rows = await witness.query(
      `select actor, action, subject_id, details from audit_entries
        where request_id = $1 and subject_type = 'product'`,
      [requestId],
      organizationId,
    );
    expect(rows).toEqual([
      {
        actor: `key:${shop.clientKeyId}`,
        action: 'product.deleted',
        subject_id: String(data.id),
        details: {
          productId: data.id,
          name: { from: 'Before', to: 'After' },
          brandName: { from: 'Audited brand', to: 'Another brand' },
          deletedAt: { from: null, to: deletedAt },
        },
      },
    ]);
  });

  test('records the old and new price of each changed option, and added and removed options', async () => {
    const { id, options } = await made({
      options: [
        { amount: 1, price: 3333, content: '1' },
        { amount: 2, price: 2200, content: '2', name: 'Pair' },
      ],
    });
    const [one, two] = options;
    const reply = await put(
      id,
      {
        options: [
          { id: one.id, price: 1 },
          { amount: 7, price: 6500, content: '7.0' },
        ],
      },
      '/options',
    );
    expect(reply.status).toBe(201);
    expect((await entriesOf(id)).at(-1)).toEqual([
      'product_options.replaced',
      {
        added: [
          {
            id: reply.data.options[1].id,
            name: null,
            amount: '7',
            price: 6500,
            salesPrice: null,
            content: '7',
            upc: null,
            ...unstated,
          },
        ],
        removed: [
          {
            id: two.id,
            name: 'Pair',
            amount: '2',
            price: 2200,
            salesPrice: null,
            content: '2',
            upc: null,
            ...unstated,
          },
        ],
        changed: [{ id: one.id, price: { from: 3333, to: 1 } }],
      },
    ]);
    await put(id, { options: [{ id: one.id, upc: '111' }] }, '/options/upc');
    expect((await entriesOf(id)).at(-1)).toEqual([
      'product_options.updated',
      { changed: [{ id: one.id, upc: { from: null, to: '111' } }] },
    ]);
  });

  test('has no entry for a change to the same values, and `updatedAt` stays', async () => {
    const product = await made({
      subCategories: ['Second', 'First'],
      brandName: 'Same brand',
      thcAmount: '21.5',
      thcUnit: '%',
      options: [
        { amount: 1, price: 1200, content: '1', upc: '111' },
        { amount: 2, price: 2200, content: '2' },
      ],
    });
    const before = await entriesOf(product.id);
    service.clock.advance(1000);
    const { name, description, unit, strainType, photos } = product;
    const options: { id: number; price: number; amount: number }[] = product.options;
    const again = [
      await put(product.id, {
        name,
        description,
        unit,
        strainType,
        photos,
        category: product.primaryCategory.name.toUpperCase(),
        subCategories: ['second', 'FIRST'],
        brandName: 'same BRAND',
        thcAmount: '21.50',
      }),
      await put(
        product.id,
        { options: options.map(({ id, price, amount }) => ({ id, price, amount })) },
        '/options',
      ),
      await put(product.id, { options: [{ id: options[0]!.id, upc: '111' }] }, '/options/upc'),
    ];
    for (const reply of again) expect([reply.error, reply.data]).toEqual([undefined, product]);
    expect(await entriesOf(product.id)).toEqual(before);

    const turned = await put(
      product.id,
      { options: options.map(({ id }) => ({ id })).reverse() },
      '/options',
    );
    expect(ids(turned.data.options)).toEqual([options[1]!.id, options[0]!.id]);
    expect((await entriesOf(product.id)).at(-1)![1]).toEqual({
      sequence: { from: ids(options), to: ids(options).reverse() },
    });
  });
});
