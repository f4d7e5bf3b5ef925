import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestIntegrator, createTestKeys, createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import {
  claimOptionExternalIds,
  claimProductExternalId,
  selectExternalIdsOfOptions,
  selectOptionsOfExternalIds,
  selectProductOfExternalId,
} from './external-id-queries.ts';
import { productBody } from './product-bodies.test-support.ts';
import { selectPhotosOfProducts } from './product-photo-queries.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;

const eighth = { externalId: 'eighth', amount: 3.5, price: 3500, content: '3.5' };
const ounce = { externalId: 'ounce', amount: 28, price: 20_000, content: '28', name: 'Ounce' };
/** A body whose options have ids that no other test uses. */
function savedBody(changes: Record<string, unknown> = {}) {
  const own = randomUUID();
  const options = [eighth, ounce].map((option) => ({ ...option, externalId: `${option.externalId} ${own}` }));
  return productBody({ options, ...changes }) as Omit<ReturnType<typeof productBody>, 'options'> & {
    options: typeof options;
  };
}
const pathOf = (externalId: string) => `/api/v1/products/by-external-id/${encodeURIComponent(externalId)}`;
const save = (externalId: string, body: object, of = keys) =>
  service.call('PUT', pathOf(externalId), { keys: of, body });
const saveAll = (products: readonly unknown[], headers: Record<string, string> = {}) =>
  service.call('POST', '/api/v1/products/batch', { keys, body: { products }, headers });
const find = (externalId: string, of = keys) => service.call('GET', pathOf(externalId), { keys: of });
const codeOf = ({ error }: TestReply) => error?.code;
const idsOf = ({ data }: TestReply): number[] => data.options.map(({ id }: { id: number }) => id);
const contents = () => witness.contents(organizationId);
/** The events since, oldest first. */
const eventsOf = async (subjectId: number) => {
  const rows = await witness.query(
    'select type from outbox_events where subject_id = $1 order by id',
    [String(subjectId)],
    organizationId,
  );
  return rows.map(({ type }) => type);
};

describe('a product with an id of the integrator (D71)', () => {
  test('is created, found by the id, and is the same as one without it', async () => {
    const body = savedBody({ thcAmount: '21.50', thcUnit: '%' });
    const reply = await save('POS/10 442 ü', body);
    expect([reply.status, reply.error]).toEqual([200, undefined]);
    const { externalId, options, ...product } = reply.data;
    const { data: plain } = await service.call('POST', '/api/v1/products', {
      keys,
      body: { ...body, options: body.options.map(({ externalId: _, ...option }) => option) },
    });
    const without = ({ id: _, createdAt: __, updatedAt: ___, ...rest }: Record<string, unknown>) => rest;
    expect(externalId).toBe('POS/10 442 ü');
    expect(without(product)).toEqual(without({ ...plain, options: undefined }));
    expect(options.map(without)).toEqual(
      plain.options.map((option: object, index: number) => ({
        ...without(option as Record<string, unknown>),
        externalId: body.options[index]!.externalId,
      })),
    );
    expect((await find('POS/10 442 ü')).data).toEqual(reply.data);
    expect(await eventsOf(product.id)).toEqual(['product.created']);
  });

  test('is found by an id that is a word of other paths', async () => {
    for (const id of ['options', 'batch', 'by-external-id', '7']) {
      const saved = await save(id, savedBody());
      expect([saved.status, saved.data.externalId]).toEqual([200, id]);
      expect((await find(id)).data.externalId).toBe(id);
    }
  });

  test('stays as it is when it is sent again: not a row is written', async () => {
    const body = savedBody({ photos: ['https://pictures.example.com/1.jpg'] });
    const first = await save('again', body);
    const before = await contents();
    expect((await save('again', body)).data).toEqual(first.data);
    // In other words, the same.
    const spelled = { ...body, brandName: ' fernweh FARMS ', cbdAmount: '', options: [...body.options] };
    expect((await save('again', spelled)).data).toEqual(first.data);
    expect(await contents()).toEqual(before);
  });

  test('may be one that staff made: it gets the id, keeps its options, and no other id of the integrator', async () => {
    const owner = await service.staff(shop);
    const plain = productBody({
      name: 'Made by staff',
      options: [{ amount: 3.5, price: 3500, content: '3.5' }],
    });
    const made = await owner.call('POST', '/staff/v1/products', plain);
    const body = savedBody({
      name: 'Made by staff',
      options: [{ ...eighth, externalId: 'eighth of staff' }],
    });
    const stranger = await createTestShop(service.context);
    const before = await contents();
    const refused = async (externalId: string, id: number) => {
      const reply = await save(externalId, { ...body, id });
      return [reply.status, codeOf(reply), reply.error?.message];
    };
    expect((await refused('made by staff', 999_999_999)).slice(0, 2)).toEqual([404, 'PRODUCT_NOT_FOUND']);
    const strangers = stranger.productId('Moonlit Grove');
    expect((await refused('made by staff', strangers)).slice(0, 2)).toEqual([404, 'PRODUCT_NOT_FOUND']);
    expect(await contents()).toEqual(before);

    const given = await save('made by staff', { ...body, id: made.data.id });
    expect([given.error, given.data.id, idsOf(given)]).toEqual([undefined, made.data.id, idsOf(made)]);
    expect((await find('made by staff')).data).toEqual(given.data);
    // Again, with the id or without it, nothing changes.
    const kept = await contents();
    expect((await save('made by staff', { ...body, id: made.data.id })).data).toEqual(given.data);
    expect((await save('made by staff', body)).data).toEqual(given.data);
    expect(await contents()).toEqual(kept);
    expect(await refused('another id', made.data.id)).toEqual([
      400,
      'INVALID_PARAMS',
      `id must be of a product without an id of yours: product ${made.data.id} has "made by staff".`,
    ]);
    expect(await refused('made by staff', shop.productId('Moonlit Grove'))).toEqual([
      400,
      'INVALID_PARAMS',
      `id must be ${made.data.id}, the product that has this id of yours.`,
    ]);
    // Another integrator has ids of its own.
    const { keys: rival } = await createTestKeys(
      service.context,
      organizationId,
      await createTestIntegrator(service.context),
    );
    expect((await save('their id', { ...body, id: made.data.id }, rival)).data.id).toBe(made.data.id);
  });

  test('gets one id, however many requests give it one at the same time', async () => {
    const owner = await service.staff(shop);
    const made = await owner.call('POST', '/staff/v1/products', productBody({ name: 'Wanted by many' }));
    const options = [{ amount: 1, price: 1000, content: '1' }];
    const replies = await Promise.all(
      ['first', 'second', 'third'].map((name) =>
        save(`wanted by ${name}`, savedBody({ name: 'Wanted by many', id: made.data.id, options })),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  test('is replaced as a whole: what is absent has no value, options keep their ids', async () => {
    const body = savedBody({ thcAmount: '20', thcUnit: '%' });
    const first = await save('replaced', body);
    const {
      description: _,
      brandName: __,
      thcAmount: ___,
      thcUnit: ____,
      ...rest
    } = body as Record<string, unknown>;
    const [small, large] = body.options;
    const second = await save('replaced', {
      ...rest,
      name: 'Harbor Mist',
      options: [{ ...large!, price: 19_000, name: undefined }, { ...small! }],
    });
    expect(second.error).toBeUndefined();
    expect(second.data).toMatchObject({
      id: first.data.id,
      name: 'Harbor Mist',
      description: '',
      brand: null,
      thcAmount: null,
      thcUnit: null,
      options: [{ name: '28 grams', price: 19_000 }, { name: '3.5 grams' }],
    });
    expect(idsOf(second)).toEqual(idsOf(first).reverse());
    expect(await eventsOf(first.data.id)).toEqual([
      'product.created',
      'product.updated',
      'product_options.replaced',
    ]);
  });

  test('knows an option without an id by its name and amount, and an id that is new to it', async () => {
    const options = [eighth, ounce].map(({ externalId: _, ...option }) => option);
    const first = await save('nameless', productBody({ options }));
    const turned = await save('nameless', productBody({ options: [...options].reverse() }));
    expect(idsOf(turned)).toEqual(idsOf(first).reverse());
    const own = randomUUID();
    const named = await save(
      'nameless',
      productBody({ options: [{ ...options[0], externalId: own }, options[1]] }),
    );
    expect(idsOf(named)).toEqual(idsOf(first));
    expect(named.data.options.map(({ externalId }: { externalId: string }) => externalId)).toEqual([
      own,
      null,
    ]);
    expect(named.data.updatedAt >= turned.data.updatedAt).toBe(true);
    // Ids may change places.
    const two = [randomUUID(), randomUUID()];
    const with2 = (order: readonly string[]) =>
      save(
        'swapped',
        productBody({ options: options.map((option, at) => ({ ...option, externalId: order[at] })) }),
      );
    const before = await with2(two);
    const after = await with2([...two].reverse());
    expect(idsOf(after)).toEqual(idsOf(before).reverse());
  });

  test('belongs to its integrator: another one has its own ids', async () => {
    const other = await createTestIntegrator(service.context);
    const { keys: strange } = await createTestKeys(service.context, organizationId, other);
    const own = await save('shared', savedBody());
    expect(codeOf(await find('shared', strange))).toBe('PRODUCT_NOT_FOUND');
    const theirs = await save('shared', savedBody({ name: 'Another' }), strange);
    expect(theirs.data.id).not.toBe(own.data.id);
    expect((await find('shared')).data.name).toBe('Harbor Fog');
    // The integrator's second key finds the same.
    const { keys: second } = await createTestKeys(service.context, organizationId, shop.integrator);
    expect((await find('shared', second)).data).toEqual(own.data);
  });

  test('is one product, however many requests create it at once', async () => {
    const body = savedBody();
    const replies = await Promise.all(
      Array.from({ length: casesOf({ everyRun: 4, long: 20 }) }, () => save('raced', body)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(await eventsOf(replies[0]!.data.id)).toEqual(['product.created']);
  });

  test('gives its ids back when it is deleted', async () => {
    const body = savedBody();
    const first = await save('reused', body);
    const deletion = { deletedAt: new Date(service.clock.now()).toISOString() };
    const path = `/api/v1/products/${first.data.id}`;
    expect((await service.call('PUT', path, { keys, body: deletion })).status).toBe(201);
    expect(codeOf(await find('reused'))).toBe('PRODUCT_NOT_FOUND');
    const second = await save('reused', body);
    expect([second.status, second.data.id === first.data.id]).toEqual([200, false]);
    expect((await find('reused')).data).toEqual(second.data);
  });

  test('refuses what it cannot do, and keeps everything', async () => {
    const body = savedBody();
    await save('held', body);
    const before = await contents();
    const refusalOf = async (externalId: string, changes: object) => {
      const { error } = await save(externalId, { ...savedBody(), ...changes });
      return [error?.code, error?.message];
    };
    expect(
      await refusalOf('thief', { options: [{ ...eighth, externalId: body.options[1]!.externalId }] }),
    ).toEqual([
      'INVALID_CHILD_RESOURCE',
      expect.stringMatching(
        /^options\[0\]\.externalId must be new or that of an option of this product: option \d+ of/,
      ),
    ]);
    const twice = [eighth, { ...ounce, externalId: 'eighth' }];
    expect(await refusalOf('held', { options: twice })).toEqual([
      'INVALID_PARAMS',
      'options[1].externalId must be unique in the list.',
    ]);
    expect(await refusalOf('held', { options: [{ amount: 3.5, price: 3500 }] })).toEqual([
      'MISSING_PARAMS',
      expect.stringMatching(/options\[0\]\.content/),
    ]);
    expect((await refusalOf('held', { category: 'Flowers' }))[0]).toBe('PRODUCT_CATEGORY_NOT_FOUND');
    expect((await refusalOf(' outer', {}))[1]).toMatch(/^externalId must be text of 1 to 200 characters/);
    expect((await refusalOf('x'.repeat(201), {}))[0]).toBe('INVALID_PARAMS');
    expect(await contents()).toEqual(before);
  });
});

test('an option with stock stays in the list', async () => {
  const body = savedBody();
  const { data } = await save('stocked', body);
  const staff = await service.staff(shop, 'inventory');
  const adjusted = await staff.call('POST', '/staff/v1/inventory-adjustments', {
    productId: data.id,
    productOptionId: data.options[1].id,
    inventoryLocationId: shop.locationId('Storefront'),
    delta: '4',
    reason: 'Counted',
  });
  expect(adjusted.error).toBeUndefined();
  const { error } = await save('stocked', { ...body, options: body.options.slice(0, 1) });
  expect(error?.code).toBe('NON_ZERO_INVENTORY');
  const { data: dearer } = await save('stocked', {
    ...body,
    options: body.options.map((option) => ({ ...option, price: option.price + 100 })),
  });
  expect(dearer.options.map(({ id }: { id: number }) => id)).toEqual(idsOf({ data } as TestReply));
});

describe('a batch of products (D71)', () => {
  const of = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      externalId: `${prefix} ${at}`,
      ...productBody({ name: `${prefix} ${at}`, options: [{ amount: 1, price: 100 + at, content: '1' }] }),
    }));

  test('saves all but the bad ones, each with its result, in order; again it changes nothing', async () => {
    const size = casesOf({ everyRun: 40, long: 500 });
    const products: unknown[] = of('row', size);
    products[3] = { ...(products[3] as object), options: [{ amount: 1 }] };
    products[17] = { ...(products[17] as object), category: 'Nowhere' };
    products[30] = { ...(products[30] as object), externalId: 'row 2' };
    const reply = await saveAll(products);
    expect([reply.status, reply.error]).toEqual([200, undefined]);
    const { results } = reply.data;
    expect(results).toHaveLength(size);
    expect(results.filter(({ id }: { id?: number }) => id !== undefined)).toHaveLength(size - 3);
    expect([3, 17, 30].map((at) => results[at])).toEqual([
      {
        externalId: 'row 3',
        error: {
          code: 'MISSING_PARAMS',
          message: 'Required but absent: options[0].price.',
          meta: { missing: ['options[0].price'] },
        },
      },
      {
        externalId: 'row 17',
        error: {
          code: 'PRODUCT_CATEGORY_NOT_FOUND',
          message:
            'category is not a category of the organization: "Nowhere"; it must be the name of one of its categories.',
        },
      },
      {
        externalId: 'row 2',
        error: { code: 'INVALID_PARAMS', message: 'externalId must be unique in the list.' },
      },
    ]);
    expect((await find('row 5')).data).toMatchObject({ id: results[5].id, options: [{ price: 105 }] });
    const before = await contents();
    expect((await saveAll(products)).data).toEqual(reply.data);
    expect(await contents()).toEqual(before);
  });

  test('refuses a product as the single operation does', async () => {
    const wrongs = [
      { name: ' ' },
      { options: [{ ...eighth, salesPrice: 9_999_999 }] },
      { thcAmount: '20' },
      { thcAmount: '120', thcUnit: '%' },
      { photos: ['ftp://pictures.example.com/1.jpg'] },
      { unit: 'ounce' },
      { options: [] },
    ].map((changes) => savedBody(changes));
    const { data } = await saveAll(wrongs.map((body, at) => ({ externalId: `wrong ${at}`, ...body })));
    for (const [at, body] of wrongs.entries()) {
      const { error } = await save(`wrong ${at}`, body);
      expect(data.results[at]).toEqual({ externalId: `wrong ${at}`, error });
    }
    const { data: odd } = await saveAll([{}, { externalId: 7 }, { externalId: 'a\u0000b' }]);
    expect(odd.results.map(({ externalId }: { externalId: unknown }) => externalId)).toEqual([
      null,
      null,
      'a\u0000b',
    ]);
    expect(codeOf(await saveAll(of('many', 501)))).toBe('INVALID_PARAMS');
    expect(codeOf(await saveAll([]))).toBe('INVALID_PARAMS');
    expect(codeOf(await saveAll(['text']))).toBe('INVALID_PARAMS');
  });

  test('saves products that share an id in their order; a new brand is made once, and an option has one owner', async () => {
    for (let round = 0; round < casesOf({ everyRun: 2, long: 20 }); round += 1) {
      const name = `meeting ${round}`;
      const products = of(name, 12).map((product, at) => ({
        ...product,
        brandName: at % 2 === 0 ? `Maker ${round}` : `MAKER ${round}`,
        subCategories: [`Kind ${round}`],
      }));
      const owned = (at: number, externalId: string) => {
        const { options, ...rest } = products[at]!;
        return { ...rest, options: [{ ...options[0]!, externalId }] };
      };
      // The second of two with an option's id does not get it, and one that is given up is free for the next.
      products[3] = owned(3, `${name} owned`);
      products[4] = owned(4, `${name} owned`);
      const { results } = (await saveAll(products)).data;
      const codes = results.map(({ error }: { error?: { code: string } }) => error?.code ?? 'saved');
      expect(codes).toEqual(products.map((_, at) => (at === 4 ? 'INVALID_CHILD_RESOURCE' : 'saved')));
      const saved = await Promise.all(
        products.filter((_, at) => at !== 4).map((one) => find(one.externalId)),
      );
      const brands = saved.map(({ data }) => [data.brand.id, data.subCategories[0].id]);
      expect(new Set(brands.map(String)).size).toBe(1);
      const handedOn = [owned(3, `${name} other`), owned(5, `${name} owned`)];
      const { data } = await saveAll(handedOn);
      expect(data.results.map(({ error }: { error?: object }) => error)).toEqual([undefined, undefined]);
    }
    expect(service.faults).toEqual([]);
  });

  test('with a key is one transaction, and a bad product still stops no other', async () => {
    const isBad = (at: number) => at % 3 === 1;
    const products = of('keyed', 12).map((product, at) =>
      isBad(at) ? { ...product, category: 'Nowhere' } : product,
    );
    const headers = { 'idempotency-key': randomUUID() };
    const first = await saveAll(products, headers);
    const found = await Promise.all(products.map(({ externalId }) => find(externalId)));
    expect(found.map(({ status }) => status)).toEqual(products.map((_, at) => (isBad(at) ? 404 : 200)));
    expect(first.data.results.map(({ id }: { id?: number }) => id)).toEqual(
      found.map(({ data }) => data?.id),
    );
    const before = await contents();
    const again = await saveAll(products, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(codeOf(await saveAll(of('keyed', 2), headers))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await contents()).toEqual(before);
  });
});

const ofIntegrator = {
  integratorId: 1,
  productId: 1,
  externalId: 'a',
  externalIds: ['a'] as const,
  optionIds: [1],
};
// What a transaction sets for the planner stays on the server that explains.
test.skipIf(inject('server').isDistributed).each(
  Object.entries({
    selectProductOfExternalId: selectProductOfExternalId(ofIntegrator),
    selectOptionsOfExternalIds: selectOptionsOfExternalIds(ofIntegrator),
    selectExternalIdsOfOptions: selectExternalIdsOfOptions(ofIntegrator),
    claimProductExternalId: claimProductExternalId(ofIntegrator),
    claimOptionExternalIds: claimOptionExternalIds(ofIntegrator),
    selectPhotosOfProducts: selectPhotosOfProducts({ productIds: [1] }),
  }),
)(
  '%s reads by keys, whatever PostgreSQL believes of the size of its tables',
  async (named, { text, values }) => {
    const bound = values.map((value) => (typeof value === 'symbol' ? organizationId : value));
    const plan = await service.context.database.write(organizationId, async (tx) => {
      const run = (name: string, sql: string, ...of: typeof bound) => tx.run({ name, text: sql, values: of });
      // As where other joins seem cheaper: then they are taken, unless there is none.
      await run(
        'test_no_loops',
        `select set_config('enable_nestloop', 'off', true), set_config('enable_seqscan', 'off', true)`,
      );
      const [rows] = await run(`plan_of_${named}`, `explain (costs off) ${text}`, ...bound);
      return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).not.toMatch(/Hash Join|Merge Join|hashed|Seq Scan/);
    // Each range of an index is one of a key, not the whole organization.
    for (const [range] of plan.matchAll(/Index Cond: .*/g)) expect(range).toMatch(/ AND /);
  },
);
