import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { photoFetching } from './fetch-product-photo.ts';
import { productBody } from './product-bodies.test-support.ts';

/* Alternative texts of photos, and photos of options. */

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;
const staff = await service.staff(shop, 'inventory');
const at = 'https://pictures.example.com';
const eighth = { amount: 3.5, price: 3500, content: '3.5' };
const quarter = { amount: 7, price: 6500, content: '7' };

interface Photo {
  readonly id: number;
  readonly url: string;
  readonly fullPath: string;
  readonly altText: string | null;
  readonly productOptionId: number | null;
}

interface Option {
  readonly photos: readonly Photo[];
}

const create = async (changes: Readonly<Record<string, unknown>>) => {
  const reply = await service.call('POST', '/api/v1/products', { keys, body: productBody(changes) });
  expect(reply.error).toBeUndefined();
  await staff.call('PATCH', `/staff/v1/products/${reply.data.id}`, { isActive: true });
  return reply.data;
};
const save = (externalId: string, body: object) =>
  service.call('PUT', `/api/v1/products/by-external-id/${externalId}`, { keys, body });
const detail = async (id: number) => (await staff.call('GET', `/staff/v1/products/${id}`)).data;
const contents = () => witness.contents(organizationId);
const textsOf = (photos: readonly { fullPath: string; altText: string | null }[]) =>
  photos.map(({ fullPath, altText }) => [fullPath.replace(`${at}/`, ''), altText]);
const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#2f7d5b' } })
  .png()
  .toBuffer();
const upload = (path: string, altText?: string) =>
  staff.call(
    'POST',
    `${path}${altText === undefined ? '' : `?altText=${encodeURIComponent(altText)}`}`,
    picture,
    { headers: { 'content-type': 'image/png' } },
  );

describe('what integrators send', () => {
  test('is shown by every read: the texts of photos, and the photos of each option', async () => {
    const { id, ...reply } = await create({
      photos: [
        `${at}/1.jpg`,
        { url: `${at}/2.jpg`, altText: '  A jar,\n half full ' },
        { url: `${at}/3.jpg` },
      ],
      options: [
        { ...eighth, photos: [{ url: `${at}/e1.jpg`, altText: 'An eighth' }, `${at}/e2.jpg`] },
        quarter,
      ],
    });
    const texts = [null, 'A jar, half full', null];
    const ofEighth = [
      ['e1.jpg', 'An eighth'],
      ['e2.jpg', null],
    ];
    for (const product of [reply, await detail(id)]) {
      expect(product.photos).toEqual([1, 2, 3].map((number) => `${at}/${number}.jpg`));
      expect(product.photoAltTexts).toEqual(texts);
      expect(product.options.map((option: Option) => textsOf(option.photos))).toEqual([ofEighth, []]);
    }
    for (const path of ['/api/v1/menu', '/api/v1/products/all', `/api/v1/records/products?ids=${id}`]) {
      const [address, query] = path.split('?');
      const { data } = await service.call('GET', address!, {
        keys,
        query: Object.fromEntries(new URLSearchParams(query)),
      });
      const product = data.find((it: { id: number }) => it.id === id);
      expect([path, textsOf(product.photos)]).toEqual([
        path,
        [1, 2, 3].map((n, i) => [`${n}.jpg`, texts[i]]),
      ]);
      expect(product.options.map((option: Option) => textsOf(option.photos))).toEqual([ofEighth, []]);
      expect(product.options[0].photos[0]).toEqual({
        id: expect.any(Number),
        fullPath: `${at}/e1.jpg`,
        altText: 'An eighth',
        sizes: [],
      });
    }
  });

  test('is in the data of the changes feed', async () => {
    const { id } = await create({
      photos: [{ url: `${at}/1.jpg`, altText: 'A jar' }],
      options: [{ ...eighth, photos: [`${at}/e.jpg`] }],
    });
    let after: string | undefined;
    for (;;) {
      const page = await service.call('GET', '/api/v1/changes', {
        keys,
        query: { include: 'data', ...(after !== undefined && { startingAfter: after }) },
      });
      const change = page.data.find((it: { data?: { id: number } }) => it.data?.id === id);
      if (change !== undefined) {
        expect(textsOf(change.data.photos)).toEqual([['1.jpg', 'A jar']]);
        expect(textsOf(change.data.options[0].photos)).toEqual([['e.jpg', null]]);
        return;
      }
      expect(page.data.length).toBeGreaterThan(0);
      after = page.data.at(-1).id;
    }
  });

  test('sent again changes no row; an address alone keeps its text and null clears it', async () => {
    const body = productBody({
      photos: [{ url: `${at}/1.jpg`, altText: 'A jar' }, `${at}/2.jpg`],
      options: [{ ...eighth, externalId: 'e', photos: [{ url: `${at}/e.jpg`, altText: 'An eighth' }] }],
    });
    const first = await save('texts', body);
    expect(first.data.photoAltTexts).toEqual(['A jar', null]);
    const before = await contents();
    expect((await save('texts', body)).data).toEqual(first.data);
    const plain = {
      ...body,
      photos: [`${at}/1.jpg`, { url: `${at}/2.jpg` }],
      options: [{ ...eighth, externalId: 'e' }],
    };
    expect((await save('texts', plain)).data).toEqual(first.data);
    const batch = await service.call('POST', '/api/v1/products/batch', {
      keys,
      body: { products: [{ externalId: 'texts', ...body }] },
    });
    expect(batch.data.results).toEqual([{ externalId: 'texts', id: first.data.id }]);
    expect(await contents()).toEqual(before);

    const changed = await save('texts', {
      ...body,
      photos: [
        { url: `${at}/2.jpg`, altText: 'The other side' },
        { url: `${at}/1.jpg`, altText: null },
      ],
      options: [{ ...eighth, externalId: 'e', photos: [] }],
    });
    expect(changed.data).toMatchObject({
      id: first.data.id,
      photos: [`${at}/2.jpg`, `${at}/1.jpg`],
      photoAltTexts: ['The other side', null],
      options: [{ id: first.data.options[0].id, photos: [] }],
    });
  });

  test('replaces the photos of options where they are said, in their order, and no others', async () => {
    const product = await create({
      options: [
        { ...eighth, photos: [`${at}/a.jpg`, { url: `${at}/b.jpg`, altText: 'Bag' }] },
        { ...quarter, photos: [`${at}/c.jpg`] },
      ],
    });
    const [first, second] = product.options;
    const { data } = await service.call('PUT', `/api/v1/products/${product.id}/options`, {
      keys,
      body: {
        options: [
          { id: first.id, photos: [`${at}/b.jpg`, `${at}/a.jpg`, `${at}/new.jpg`] },
          { id: second.id, price: 6000 },
        ],
      },
    });
    expect(data.options.map((option: Option) => textsOf(option.photos))).toEqual([
      [
        ['b.jpg', 'Bag'],
        ['a.jpg', null],
        ['new.jpg', null],
      ],
      [['c.jpg', null]],
    ]);
    const kept = (option: Option) => option.photos.map((photo: Photo) => photo.id);
    expect(kept(data.options[0]).slice(0, 2)).toEqual(kept(first).reverse());
    const [entry] = await witness.query(
      `select details from audit_entries where subject_id = $1 and action = 'product_options.replaced'`,
      [String(product.id)],
      organizationId,
    );
    expect(entry.details.changed[0]).toMatchObject({
      id: first.id,
      photos: {
        from: [{ url: `${at}/a.jpg`, altText: null }, { altText: 'Bag' }],
        to: [{ altText: 'Bag' }, { url: `${at}/a.jpg` }, { url: `${at}/new.jpg` }],
      },
    });
  });

  test.each([
    [
      { photos: ['no address'] },
      'photos[0] must be an http or https address of at most 2,000 characters, alone or in an object with url and altText.',
    ],
    [{ photos: [{ altText: 'A jar' }] }, 'Required but absent: photos[0].url.'],
    [
      { photos: [{ url: 'ftp://a.example.com' }] },
      'photos[0].url must be an http or https address of at most 2,000 characters.',
    ],
    [
      { photos: [{ url: `${at}/1.jpg`, altText: 'x'.repeat(501) }] },
      'photos[0].altText must be text of at most 500 characters, or null.',
    ],
    [
      { photos: [{ url: `${at}/1.jpg`, altText: 7 }] },
      'photos[0].altText must be text of at most 500 characters, or null.',
    ],
    [
      { photos: [null] },
      'photos[0] must be an http or https address of at most 2,000 characters, alone or in an object with url and altText.',
    ],
    [
      { options: [{ ...eighth, photos: Array(21).fill(`${at}/1.jpg`) }] },
      'options[0].photos must be a list of at most 20 items.',
    ],
    [
      { options: [{ ...eighth, photos: [{ url: 'https://[' }] }] },
      'options[0].photos[0].url must be an http or https address.',
    ],
  ])('that is wrong is refused by its name: %j', async (changes, message) => {
    const before = await contents();
    const refused = await service.call('POST', '/api/v1/products', { keys, body: productBody(changes) });
    expect([refused.status, refused.error?.message]).toEqual([400, message]);
    expect(await contents()).toEqual(before);
  });
});

describe('staff', () => {
  test('say what a photo shows when they upload it, later, or not at all', async () => {
    const product = await create({ photos: [`${at}/1.jpg`] });
    const path = `/staff/v1/products/${product.id}/photos`;
    expect((await upload(path, ' A jar ')).data).toMatchObject({ altText: 'A jar', productOptionId: null });
    expect((await upload(path)).data.altText).toBeNull();
    const [first, second] = (await staff.call('GET', path)).data;
    const patch = (altText: unknown, headers = {}) =>
      staff.call('PATCH', `${path}/${first.id}`, { altText }, { headers });
    const { updatedAt } = await detail(product.id);
    expect((await patch('A tin')).data).toMatchObject({ id: first.id, altText: 'A tin' });
    expect((await detail(product.id)).photoAltTexts).toEqual(['A tin', 'A jar', null]);
    const stale = await patch('A box', { 'if-match': `"${updatedAt}"` });
    expect([stale.status, stale.error?.code]).toEqual([409, 'STALE_EDIT']);
    const before = await contents();
    expect((await patch('A tin ')).data.altText).toBe('A tin');
    expect(await contents()).toEqual(before);
    expect((await patch('   ')).data.altText).toBeNull();
    const entries = await witness.query(
      `select details from audit_entries where subject_id = $1 and action = 'product.updated' order by id desc limit 2`,
      [String(product.id)],
      organizationId,
    );
    expect(
      entries.map((entry: { details?: { photos: { changed: unknown } } }) => entry.details?.photos.changed),
    ).toEqual([
      [{ id: first.id, altText: { from: 'A tin', to: null } }],
      [{ id: first.id, altText: { from: null, to: 'A tin' } }],
    ]);
    const ordered = await staff.call('PUT', path, {
      photoIds: [second.id, first.id, (await staff.call('GET', path)).data[2].id],
    });
    expect(ordered.data.map((photo: Photo) => photo.altText)).toEqual(['A jar', null, null]);
  });

  test('give an option several photos, in an order, up to twenty', async () => {
    const product = await create({ photos: [`${at}/p.jpg`], options: [eighth, quarter] });
    const [first, second] = product.options;
    const path = `/staff/v1/products/${product.id}/options/${first.id}/photos`;
    const made = [await upload(path, 'Front'), await upload(path, 'Back')].map(({ data }) => data);
    expect(made).toMatchObject([
      { productOptionId: first.id, status: 'stored', altText: 'Front' },
      { productOptionId: first.id, altText: 'Back' },
    ]);
    const [front, back] = made.map(({ id }) => id);
    await staff.call('PUT', path, { photoIds: [back, front] });
    const shown = await detail(product.id);
    expect(shown.photos).toEqual([`${at}/p.jpg`]);
    expect(shown.options.map(({ photos }: Option) => photos.map((photo: Photo) => photo.altText))).toEqual([
      ['Back', 'Front'],
      [],
    ]);
    expect(shown.options[0].photos[0].sizes).toHaveLength(3);
    expect(shown.options[0].updatedAt >= shown.options[1].updatedAt).toBe(true);
    // The product's own list has neither of them, and the other option none.
    const own = await staff.call('GET', `/staff/v1/products/${product.id}/photos`);
    expect(own.data.map((photo: Photo) => photo.productOptionId)).toEqual([null]);
    const mixed = await staff.call('PUT', path, { photoIds: [back, front, own.data[0].id] });
    expect(mixed.error?.code).toBe('PRODUCT_PHOTO_NOT_FOUND');
    const other = `/staff/v1/products/${product.id}/options/${second.id}/photos`;
    expect((await staff.call('GET', other)).data).toEqual([]);
    // By the path of the product's photos, a single one is described and deleted.
    await staff.call('PATCH', `/staff/v1/products/${product.id}/photos/${back}`, { altText: null });
    await staff.call('DELETE', `/staff/v1/products/${product.id}/photos/${front}`);
    expect((await staff.call('GET', path)).data).toMatchObject([{ id: back, altText: null }]);

    await service.call('PUT', `/api/v1/products/${product.id}/options`, {
      keys,
      body: {
        options: [
          { id: first.id, photos: Array.from({ length: 20 }, (_, n) => `${at}/${n}.jpg`) },
          { id: second.id },
        ],
      },
    });
    const full = await upload(path);
    expect([full.status, full.error?.message]).toEqual([
      400,
      'photos: a product or option must not have more than 20; delete one first.',
    ]);
  });

  test('find no photos of an option that is deleted, or of another product', async () => {
    const product = await create({ options: [{ ...eighth, photos: [`${at}/gone.jpg`] }, quarter] });
    const other = await create({});
    const [first, second] = product.options;
    const strange = `/staff/v1/products/${other.id}/options/${first.id}/photos`;
    expect((await staff.call('GET', strange)).error?.code).toBe('PRODUCT_OPTION_NOT_FOUND');
    expect((await upload(strange)).error?.code).toBe('PRODUCT_OPTION_NOT_FOUND');
    const waiting = async () =>
      (await staff.call('GET', '/staff/v1/product-photos')).data.map((photo: Photo) => photo.url);
    expect(await waiting()).toContain(`${at}/gone.jpg`);
    await service.call('PUT', `/api/v1/products/${product.id}/options`, {
      keys,
      body: { options: [{ id: second.id }] },
    });
    expect((await staff.call('GET', strange.replace(String(other.id), String(product.id)))).error?.code).toBe(
      'PRODUCT_OPTION_NOT_FOUND',
    );
    expect(await waiting()).not.toContain(`${at}/gone.jpg`);
    let fetched = 0;
    const task = photoFetching(service.context, service.photoBlobs, async () => {
      fetched++;
      return picture;
    });
    const photoId = first.photos[0].id;
    const signal = new AbortController().signal;
    await task.run({ organization: organizationId, payload: { photoId, productId: product.id }, signal });
    expect(fetched).toBe(0);
  });
});

test("an option's photo is fetched as a product's, keeps its text, and has its sizes afterwards", async () => {
  const product = await create({
    options: [{ ...eighth, photos: [{ url: `${at}/fetch.jpg`, altText: 'A jar' }] }],
  });
  const photoId = product.options[0].photos[0].id;
  const task = photoFetching(service.context, service.photoBlobs, async () => picture);
  const signal = new AbortController().signal;
  await task.run({ organization: organizationId, payload: { photoId, productId: product.id }, signal });
  const [photo] = (await detail(product.id)).options[0].photos;
  expect(photo).toMatchObject({ id: photoId, altText: 'A jar' });
  expect(photo.sizes.map(({ width }: { width: number }) => width)).toEqual([320, 800, 1600]);
  expect(photo.fullPath).toMatch(/\/photos\/[0-9a-f]{40}-1600\.webp$/);
  // The address that it was fetched from is still the same photo.
  const { data } = await service.call('PUT', `/api/v1/products/${product.id}/options`, {
    keys,
    body: { options: [{ id: product.options[0].id, photos: [`${at}/fetch.jpg`] }] },
  });
  expect(data.options[0].photos).toEqual([photo]);
});
