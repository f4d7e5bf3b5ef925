import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import { photoFetching } from '../catalog/fetch-product-photo.ts';
import { productBody } from '../catalog/product-bodies.test-support.ts';
import { forgetPhotosOfDeleted, measurePhotos } from '../catalog/tend-photos.ts';
import { createDocumentDesk } from '../documents/document-desk.test-support.ts';
import { png } from '../documents/sample-files.test-support.ts';
import { readFileUses, setFileQuota } from './quotas.ts';

const service = await startTestService();
const { context } = service;
const desk = await createDocumentDesk(service);
const { shop } = desk;
const { organizationId } = shop;
const owner = await service.staff(shop);
const bytesOfDocument = png().length;
const uses = () => readFileUses(context, organizationId);
const limit = (kind: 'photos' | 'documents', of: { filesMax?: number | null; bytesMax?: number | null }) =>
  setFileQuota(context, testOrigin, organizationId, kind, of);
const picture = (color: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer();

test('documents uploaded at once take exactly the room that there is, by number and by bytes, and leave no further file', async () => {
  for (const quota of [
    { filesMax: 3, bytesMax: null },
    { filesMax: null, bytesMax: 6 * bytesOfDocument - 1 },
  ]) {
    await limit('documents', quota);
    const before = (await uses()).documents;
    const room = quota.filesMax === null ? 5 - before.files : 3 - before.files;
    const people = await Promise.all(Array.from({ length: 6 }, () => desk.newCustomer()));
    const replies = await Promise.all(people.map(({ id }) => desk.upload(id, 'license')));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(room);
    const refused = replies.filter(({ status }) => status !== 204);
    expect(refused).toHaveLength(6 - room);
    const { documents } = await uses();
    for (const { status, error } of refused) {
      expect([status, error?.code, error?.meta]).toEqual([
        422,
        'FILE_QUOTA_EXCEEDED',
        { kind: 'documents', ...documents },
      ]);
      expect(error?.message).toMatch(
        /^The organization has no room for another file of its documents: it keeps \d of/,
      );
    }
    expect(documents.files).toBe(before.files + room);
    expect(documents.bytes).toBe(documents.files * bytesOfDocument);
    const own = desk.fileNames().filter((name) => name.startsWith(`${organizationId}-`));
    expect(own).toHaveLength(documents.files);
  }
  const settings = await owner.call('GET', '/staff/v1/organization');
  expect(settings.data.storedFiles).toEqual(await uses());
  await limit('documents', { filesMax: null, bytesMax: null });
  const later = await desk.newCustomer();
  expect((await desk.upload(later.id, 'license')).status).toBe(204);
});

test('photos are held against their limit at upload and in the background, and a deleted one gives its room back', async () => {
  const make = async (photos: readonly string[]) =>
    (await service.call('POST', '/api/v1/products', { keys: shop.keys, body: productBody({ photos }) })).data;
  const product = await make([]);
  const path = `/staff/v1/products/${product.id}/photos`;
  const headers = { 'content-type': 'image/png' };
  const upload = async (color: string) => owner.call('POST', path, await picture(color), { headers });
  const start = (await uses()).photos;
  await limit('photos', { filesMax: start.files + 1 });
  const both = await Promise.all([upload('#123456'), upload('#654321')]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  const kept = both.find(({ status }) => status === 201)!.data;
  const full = (await uses()).photos;
  expect(full.files).toBe(start.files + 1);
  const files = service.photoBlobs;
  const name = (width: number) => kept.url.replace('/photos/', '').replace('1600', String(width));
  const sizes = await Promise.all([320, 800, 1600].map((width) => files.get(name(width))));
  expect(full.bytes - start.bytes).toBe(sizes.reduce((sum, bytes) => sum + bytes!.length, 0));
  // A photo that is fetched gives up, and says why; nothing is fetched while there is no room.
  const other = await make(['https://pictures.example.com/a.png']);
  const waiting = async () => (await owner.call('GET', `/staff/v1/products/${other.id}/photos`)).data[0];
  const { id: photoId } = await waiting();
  let asked = 0;
  const task = photoFetching(context, files, async () => {
    asked += 1;
    return picture('#00ff00');
  });
  const run = () =>
    task.run({
      organization: organizationId,
      payload: { photoId, productId: other.id },
      signal: new AbortController().signal,
    });
  await run();
  expect(asked).toBe(0);
  expect((await waiting()).failure).toMatch(/^The organization has no room for another file of its photos/);
  expect((await owner.call('DELETE', `${path}/${kept.id}`)).status).toBe(204);
  expect((await uses()).photos).toMatchObject({ files: start.files, bytes: start.bytes });
  const again = await owner.call('POST', `/staff/v1/products/${other.id}/photos/${photoId}/retry`);
  expect(again.status).toBeLessThan(300);
  await run();
  expect([asked, (await waiting()).url]).toEqual([1, expect.stringMatching(/^\/photos\//)]);
  expect((await upload('#abcdef')).error?.code).toBe('FILE_QUOTA_EXCEEDED');
  await limit('photos', { filesMax: null });
});

test('photos without a count are measured, and those of products that are gone for 30 days are forgotten', async () => {
  const { data: product } = await service.call('POST', '/api/v1/products', {
    keys: shop.keys,
    body: productBody({}),
  });
  const headers = { 'content-type': 'image/png' };
  const path = `/staff/v1/products/${product.id}/photos`;
  expect((await owner.call('POST', path, await picture('#777777'), { headers })).status).toBe(201);
  // The goods of the test shop were put there without one.
  await measurePhotos(context, service.photoBlobs, organizationId);
  const before = (await uses()).photos;
  await desk.sql('update product_photos set byte_count = null where product_id = $1', product.id);
  expect((await uses()).photos.bytes).toBeLessThan(before.bytes);
  expect(await measurePhotos(context, service.photoBlobs, organizationId)).toBe(1);
  expect((await uses()).photos).toEqual(before);
  await desk.sql(`update products set deleted_at = timestamptz '2020-01-01' where id = $1`, product.id);
  expect(await forgetPhotosOfDeleted(context, organizationId)).toBe(1);
  expect((await uses()).photos.files).toBe(before.files - 1);
});
