import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { Registry } from 'prom-client';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { type FetchBounds, guardedFetch, isPublicAddress } from '../../platform/http/guarded-fetch.ts';
import { createLogger } from '../../platform/http/logging.ts';
import { type RunningJobs, startJobs, type Task, TryLater } from '../../platform/jobs/job-runner.ts';
import { photoFetching, photoTriesMax } from './fetch-product-photo.ts';
import { productBody } from './product-bodies.test-support.ts';
import { photoBytesMax } from './product-photo-sizes.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
const shop = await createTestShop(service.context);
const { keys, organizationId } = shop;
const staff = await service.staff(shop, 'inventory');

const jpeg = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#2f7d5b' } })
  .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '37/1 48/1 0/1', GPSLatitudeRef: 'N' } })
  .jpeg()
  .toBuffer();

/** Its header says 7,000 × 7,000 pixels; decoding it would fail. */
const bomb = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ffffff' } })
  .png()
  .toBuffer();
bomb.writeUInt32BE(7_000, 16);
bomb.writeUInt32BE(7_000, 20);
bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);

/** Responses of the picture host, by path. */
const pictures = new Map<string, { readonly status?: number; readonly bytes: Buffer | string }>();
const asked: string[] = [];
const host = createServer((request, response) => {
  asked.push(request.url!);
  const { status = 200, bytes } = pictures.get(request.url!) ?? { status: 404, bytes: 'nothing here' };
  response.writeHead(status, { 'content-type': 'image/jpeg' }).end(bytes);
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
const at = `http://pictures.test:${(host.address() as AddressInfo).port}`;

afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await witness.end();
  await service.close();
});
beforeEach(() => {
  pictures.clear();
  asked.length = 0;
});

const bounds: FetchBounds = {
  bytesMax: photoBytesMax,
  redirectsMax: 3,
  totalMsMax: 5_000,
  silenceMsMax: 2_000,
};
const task = photoFetching(service.context, service.photoBlobs, (address, signal) =>
  guardedFetch(address, bounds, signal, {
    resolve: async (hostname) => (hostname === 'pictures.test' ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowed: ({ hostname, address }) => hostname === 'pictures.test' || isPublicAddress(address),
  }),
);

/** Runs each waiting job once, like the queue. */
async function runWaiting(): Promise<string[]> {
  const rows = await witness.query(
    `select payload from graphile_worker._private_jobs where payload ->> 'organizationId' = $1 order by id`,
    [String(organizationId)],
  );
  await witness.query('delete from graphile_worker._private_jobs');
  return Promise.all(
    rows.map(({ payload }) =>
      task
        .run({ organization: organizationId, payload: payload.job, signal: new AbortController().signal })
        .then(
          () => 'done',
          (error: unknown) => {
            if (error instanceof TryLater) return `later: ${error.message}`;
            throw error;
          },
        ),
    ),
  );
}

const create = async (photos: readonly string[]) => {
  const { data } = await service.call('POST', '/api/v1/products', { keys, body: productBody({ photos }) });
  await staff.call('PATCH', `/staff/v1/products/${data.id}`, { isActive: true });
  return data as { id: number; photos: string[]; updatedAt: string };
};
const update = (id: number, body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys, body });
const photosOf = async (id: number) => (await staff.call('GET', `/staff/v1/products/${id}/photos`)).data;
const onMenu = async (id: number): Promise<string[]> => {
  const { data } = await service.call('GET', '/api/v1/menu', { keys });
  const product = data.find((it: { id: number }) => it.id === id);
  return product.photos.map(({ fullPath }: { fullPath: string }) => fullPath);
};
const upload = (id: number, bytes: Buffer, type = 'image/jpeg') =>
  staff.call('POST', `/staff/v1/products/${id}/photos`, bytes, { headers: { 'content-type': type } });
const ours = expect.stringMatching(/^\/photos\/[0-9a-f]{40}-1600\.webp$/);

describe('photos that are addresses (D46)', () => {
  test('are fetched by the queue; responses and menus show the submitted address until then, ours afterwards', async () => {
    pictures.set('/a.jpg', { bytes: jpeg });
    const { id, photos } = await create([`${at}/a.jpg`]);
    expect(photos).toEqual([`${at}/a.jpg`]);
    expect(await onMenu(id)).toEqual([`${at}/a.jpg`]);
    expect(await photosOf(id)).toEqual([
      {
        altText: null,
        productOptionId: null,
        id: expect.any(Number),
        productId: id,
        productName: 'Harbor Fog',
        url: `${at}/a.jpg`,
        submittedUrl: `${at}/a.jpg`,
        status: 'waiting',
        failure: null,
        tries: 0,
        lastTriedAt: null,
      },
    ]);
    const running = await new Promise<RunningJobs>((resolve, reject) => {
      const jobs = startJobs({
        connection: service.database.serving,
        database: service.context.database,
        tasks: [{ ...task, run: (job) => task.run(job).then(() => resolve(jobs), reject) } as Task<never>],
        logger: createLogger({ level: 'silent' }),
        metrics: { registry: new Registry() },
      });
    });
    await running.stop();
    const menu = await onMenu(id);
    expect(menu).toEqual([ours]);
    expect(await photosOf(id)).toEqual([
      expect.objectContaining({ url: menu[0], submittedUrl: `${at}/a.jpg`, status: 'stored', tries: 1 }),
    ]);
    const { data } = await staff.call('GET', `/staff/v1/products/${id}`);
    expect(data.photos).toEqual(menu);
  });

  test('become pictures of three widths, without metadata, cacheable forever, at both addresses', async () => {
    pictures.set('/a.jpg', { bytes: jpeg });
    const { id } = await create([`${at}/a.jpg`]);
    expect(await runWaiting()).toEqual(['done']);
    const [url] = await onMenu(id);
    for (const width of [320, 800, 1600]) {
      for (const address of ['base', 'menu'] as const) {
        const reply = await service.call('GET', url!.replace('-1600.', `-${width}.`), { address });
        expect(reply.status).toBe(200);
        expect(reply.headers).toMatchObject({
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        });
        const { exif, format, width: found, height } = await sharp(reply.bytes).metadata();
        expect({ exif, format, found, height }).toEqual({
          exif: undefined,
          format: 'webp',
          found: width,
          height: width / 2,
        });
      }
    }
  });

  test('are named by their content, turned upright, and never enlarged', async () => {
    const small = await sharp({ create: { width: 100, height: 50, channels: 3, background: '#884422' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    pictures
      .set('/small.jpg', { bytes: small })
      .set('/again.jpg', { bytes: small })
      .set('/a.jpg', { bytes: jpeg });
    const { id } = await create([`${at}/small.jpg`, `${at}/again.jpg`, `${at}/a.jpg`]);
    await runWaiting();
    const [first, second, third] = await onMenu(id);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
    const { bytes } = await service.call('GET', first!);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 50, height: 100 });
  });

  test.each(['png', 'webp', 'gif', 'avif'] as const)(
    'can be %s, whatever the declared type',
    async (format) => {
      const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#00000000' } })
        .toFormat(format)
        .toBuffer();
      pictures.set('/picture.jpg', { bytes });
      const { id } = await create([`${at}/picture.jpg`]);
      await runWaiting();
      expect(await onMenu(id)).toEqual([ours]);
    },
  );

  test('stay unchanged when they are sent back: with our address, or with the one they were fetched from', async () => {
    pictures.set('/a.jpg', { bytes: jpeg }).set('/b.jpg', { bytes: jpeg });
    const { id } = await create([`${at}/a.jpg`, `${at}/b.jpg`]);
    const before = (await photosOf(id)).map((photo: { id: number }) => photo.id);
    const product = async () => (await staff.call('GET', `/staff/v1/products/${id}`)).data;
    const { updatedAt } = await product();
    await runWaiting();
    const stored = await product();
    // Fetching does not change `updatedAt`, so concurrent edits of the product succeed.
    expect(stored.updatedAt).toBe(updatedAt);
    const { data } = await update(id, { photos: [`${at}/b.jpg`, `${at}/a.jpg`] });
    expect(data.photos).toEqual([stored.photos[1], stored.photos[0]]);
    expect((await photosOf(id)).map((photo: { id: number }) => photo.id)).toEqual(before.reverse());
    expect(await runWaiting()).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test('that were removed or replaced before the fetch change nothing', async () => {
    pictures.set('/a.jpg', { bytes: jpeg }).set('/b.jpg', { bytes: jpeg });
    const removed = await create([`${at}/a.jpg`]);
    await update(removed.id, { photos: [] });
    const deleted = await create([`${at}/a.jpg`]);
    await update(deleted.id, { deletedAt: new Date(service.clock.now()).toISOString() });
    expect(await runWaiting()).toEqual(['done', 'done']);
    expect(asked).toEqual([]);

    // Replaced while the bytes are on their way.
    const { id } = await create([`${at}/a.jpg`]);
    const rows = await witness.query('select payload from graphile_worker._private_jobs');
    const late = photoFetching(service.context, service.photoBlobs, async () => {
      await update(id, { photos: [`${at}/b.jpg`] });
      return jpeg;
    });
    const signal = new AbortController().signal;
    await late.run({ organization: organizationId, payload: rows[0].payload.job, signal });
    expect(await onMenu(id)).toEqual([`${at}/b.jpg`]);
    const announced = await witness.query(
      `select action from audit_entries where actor = 'job:product-photos' and subject_id = $1`,
      [String(id)],
      organizationId,
    );
    expect(announced).toEqual([]);
    expect(await photosOf(id)).toEqual([expect.objectContaining({ status: 'waiting', tries: 0 })]);
    expect(await runWaiting()).toEqual(['done', 'done']);
    expect(await onMenu(id)).toEqual([ours]);
  });
});

describe('a photo that cannot be fetched', () => {
  const failing = async () => {
    const { id } = await create([`${at}/missing.jpg`]);
    const [photo] = await photosOf(id);
    const payload = { photoId: photo.id, productId: id };
    const attempt = () =>
      task.run({ organization: organizationId, payload, signal: new AbortController().signal }).then(
        () => 'done',
        (error: Error) => error.name,
      );
    return { id, photoId: photo.id, attempt };
  };

  test('is tried again, visible to staff, and finally given up; the submitted address stays', async () => {
    const { id, attempt } = await failing();
    expect(await attempt()).toBe('TryLater');
    expect(await photosOf(id)).toEqual([
      expect.objectContaining({
        status: 'waiting',
        failure: 'The host answered with status 404.',
        tries: 1,
        lastTriedAt: new Date(service.clock.now()).toISOString(),
      }),
    ]);
    for (let left = photoTriesMax - 2; left > 0; left--) expect(await attempt()).toBe('TryLater');
    expect(await attempt()).toBe('done');
    expect(await photosOf(id)).toEqual([
      expect.objectContaining({ status: 'failed', tries: photoTriesMax, url: `${at}/missing.jpg` }),
    ]);
    expect(await onMenu(id)).toEqual([`${at}/missing.jpg`]);
    // A late job does not start again.
    asked.length = 0;
    expect(await attempt()).toBe('done');
    expect(asked).toEqual([]);
    const [event] = await witness.query(
      `select type, subject_id, payload from outbox_events where type = 'product_photo.failed' order by id desc`,
      [],
      organizationId,
    );
    expect(event).toMatchObject({ subject_id: String(id), payload: { productId: id } });
  });

  test('is fetched when staff request it again and the address works by then', async () => {
    const { id, photoId, attempt } = await failing();
    for (let left = photoTriesMax; left > 0; left--) await attempt();
    await witness.query('delete from graphile_worker._private_jobs');
    const failed = await staff.call('GET', '/staff/v1/product-photos?status=failed');
    expect(failed.data).toContainEqual(
      expect.objectContaining({ id: photoId, productId: id, status: 'failed' }),
    );
    const retry = () => staff.call('POST', `/staff/v1/products/${id}/photos/${photoId}/retry`);
    expect((await retry()).data).toMatchObject({ status: 'waiting', failure: null, tries: 0 });
    pictures.set('/missing.jpg', { bytes: jpeg });
    expect(await runWaiting()).toEqual(['done']);
    expect(await onMenu(id)).toEqual([ours]);
    // A stored photo is unchanged.
    expect((await retry()).data).toMatchObject({ status: 'stored', tries: 1 });
    expect(await runWaiting()).toEqual([]);
    const waiting = await staff.call('GET', '/staff/v1/product-photos');
    expect(waiting.data).not.toContainEqual(expect.objectContaining({ id: photoId }));
  });

  test('is given up at once when another attempt would fail the same way', async () => {
    const damaged = Buffer.concat([jpeg.subarray(0, 400), Buffer.alloc(2_000)]);
    const bad: [string, Buffer | string | null, RegExp][] = [
      ['/page.jpg', '<!doctype html><script>alert(1)</script>', /^The file is not a picture/],
      ['/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', /^The file is not a picture/],
      ['/empty.jpg', '', /^The file is not a picture/],
      ['/half.jpg', jpeg.subarray(0, jpeg.length / 2), /^The picture is damaged/],
      ['/damaged.jpg', damaged, /^The picture is damaged/],
      [
        '/bomb.png',
        bomb,
        /^The picture is too large: it has 7,000 × 7,000 = 49,000,000 pixels; the maximum is 24,500,000 \(24 megapixels\)/,
      ],
      ['/16-megabytes.jpg', Buffer.alloc(16 * 1_048_576), /^The file is larger than 15,728,640 bytes/],
    ];
    for (const [path, bytes] of bad) pictures.set(path, { bytes: bytes ?? '' });
    const addresses = [...bad.map(([path]) => at + path), 'http://inside.example/a.jpg'];
    const { id } = await create(addresses);
    expect(await runWaiting()).toEqual(addresses.map(() => 'done'));
    const photos = await photosOf(id);
    expect(photos.map(({ status }: { status: string }) => status)).toEqual(addresses.map(() => 'failed'));
    const expected = [...bad.map(([, , message]) => message), /^The address is not public/];
    for (const [index, message] of expected.entries()) {
      expect([photos[index].submittedUrl, photos[index].failure]).toEqual([
        addresses[index],
        expect.stringMatching(message),
      ]);
    }
    expect(await onMenu(id)).toEqual(addresses);
  });

  test('is listed a page at a time', async () => {
    const { id } = await create(Array.from({ length: 20 }, (_, index) => `${at}/list-${index}.jpg`));
    for (let count = 0; count < 2; count++) {
      await create(Array.from({ length: 20 }, (_, index) => `${at}/list-${index}.jpg`));
    }
    const first = (await staff.call('GET', '/staff/v1/product-photos?status=waiting')).data;
    expect(first).toHaveLength(50);
    const cursor = first.at(-1).id;
    const rest = (await staff.call('GET', `/staff/v1/product-photos?status=waiting&startingAfter=${cursor}`))
      .data;
    const ids = [...first, ...rest].map((photo: { id: number }) => photo.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(rest.slice(0, 10).map(({ productId }: { productId: number }) => productId)).toEqual(
      Array(10).fill(id),
    );
    const strange = await staff.call('GET', '/staff/v1/product-photos?startingAfter=99999999999');
    expect(strange.error?.code).toBe('INVALID_CURSOR');
    await witness.query('delete from graphile_worker._private_jobs');
  });
});

describe('staff', () => {
  test('upload pictures of any type; all sizes keep colors and transparency', async () => {
    const color = { r: 200, g: 60, b: 20 };
    const clear = sharp({
      create: { width: 640, height: 400, channels: 4, background: { ...color, alpha: 0.5 } },
    });
    const opaque = sharp({ create: { width: 640, height: 400, channels: 3, background: color } });
    const { id } = await create([]);
    for (const [bytes, type, channels] of [
      [await clear.clone().png().toBuffer(), 'image/png', 4],
      [await opaque.clone().toColourspace('rgb16').png().toBuffer(), 'image/png', 3],
      [await opaque.clone().toColourspace('cmyk').jpeg().toBuffer(), 'image/jpeg', 3],
    ] as const) {
      const { url } = (await upload(id, bytes, type)).data;
      for (const width of [320, 800, 1600]) {
        const { bytes: picture } = await service.call('GET', url.replace('1600', width));
        const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.channels]).toEqual([Math.min(width, 640), channels]);
        // WebP and print colors are only nearly exact.
        const off = [200, 60, 20, 128].slice(0, channels).map((value, at) => Math.abs(data[at]! - value));
        expect(Math.max(...off)).toBeLessThan(25);
      }
    }
  });

  test('upload a picture, which menus show at once', async () => {
    const { id, updatedAt } = await create([`${at}/a.jpg`]);
    service.clock.advance(1_000);
    const reply = await upload(id, jpeg);
    expect(reply.status).toBe(201);
    expect(reply.data).toMatchObject({
      productId: id,
      status: 'stored',
      url: ours,
      submittedUrl: null,
      tries: 0,
    });
    expect(await onMenu(id)).toEqual([`${at}/a.jpg`, reply.data.url]);
    expect((await staff.call('GET', `/staff/v1/products/${id}`)).data.updatedAt).not.toBe(updatedAt);
    expect((await service.call('GET', reply.data.url)).status).toBe(200);
  });

  test('cannot upload an invalid or too large picture, or one too many, and nothing changes', async () => {
    const { id } = await create([]);
    const before = await witness.contents(organizationId);
    const refusals: [Buffer, string, string][] = [
      [Buffer.from('<html>'), 'image/jpeg', 'INVALID_PHOTO'],
      [Buffer.alloc(0), 'image/jpeg', 'INVALID_PHOTO'],
      [jpeg.subarray(0, 900), 'image/jpeg', 'INVALID_PHOTO'],
      [bomb, 'image/png', 'INVALID_PHOTO'],
      [jpeg, 'image/svg+xml', 'UNSUPPORTED_MEDIA_TYPE'],
      [jpeg, 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
      [Buffer.alloc(photoBytesMax + 1), 'image/jpeg', 'PAYLOAD_TOO_LARGE'],
    ];
    for (const [bytes, type, code] of refusals) {
      expect([bytes.length, type, (await upload(id, bytes, type)).error?.code]).toEqual([
        bytes.length,
        type,
        code,
      ]);
    }
    expect((await upload(999_999_999, jpeg)).error?.code).toBe('PRODUCT_NOT_FOUND');
    expect(await witness.contents(organizationId)).toEqual(before);
    const full = await create(Array.from({ length: 20 }, (_, index) => `${at}/full-${index}.jpg`));
    expect(await upload(full.id, jpeg)).toMatchObject({
      status: 400,
      error: { code: 'INVALID_PARAMS', message: expect.stringContaining('not have more than 20') },
    });
  });

  test('who upload more at once than the queue takes get RATE_LIMITED, and do not delay other shops', async () => {
    const other = await createTestShop(service.context);
    const stranger = await service.staff(other, 'inventory');
    const { data } = await service.call('POST', '/api/v1/products', {
      keys: other.keys,
      body: productBody(),
    });
    const { id } = await create([]);
    const many = Array.from({ length: 16 }, () => upload(id, jpeg));
    const one = stranger.call('POST', `/staff/v1/products/${data.id}/photos`, jpeg, {
      headers: { 'content-type': 'image/jpeg' },
    });
    expect((await one).status).toBe(201);
    const replies = await Promise.all(many);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expect([reply.status, reply.error?.code, reply.headers['retry-after']]).toEqual([
        429,
        'RATE_LIMITED',
        '2',
      ]);
    }
  });

  test('delete and order photos; all of many concurrent requests take effect', async () => {
    const { id } = await create([]);
    const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(id, jpeg)));
    expect(uploads.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const ids = (await photosOf(id)).map((photo: { id: number }) => photo.id) as number[];
    expect(ids).toHaveLength(8);
    const order = (photoIds: readonly number[]) =>
      staff.call('PUT', `/staff/v1/products/${id}/photos`, { photoIds });
    const reversed = ids.toReversed();
    expect((await order(reversed)).data.map((photo: { id: number }) => photo.id)).toEqual(reversed);
    expect((await order(ids.slice(1))).error?.code).toBe('INVALID_PARAMS');
    expect((await order([...ids.slice(1), ids[1]!])).error?.code).toBe('INVALID_PARAMS');
    expect((await order([...ids.slice(1), 1])).error?.code).toBe('PRODUCT_PHOTO_NOT_FOUND');
    const remove = (photoId: number) => staff.call('DELETE', `/staff/v1/products/${id}/photos/${photoId}`);
    expect((await remove(reversed[2]!)).status).toBe(204);
    expect((await remove(reversed[2]!)).error?.code).toBe('PRODUCT_PHOTO_NOT_FOUND');
    const left = reversed.filter((photoId) => photoId !== reversed[2]);
    expect((await photosOf(id)).map((photo: { id: number }) => photo.id)).toEqual(left);
    await Promise.all(left.slice(0, 4).map(remove));
    expect((await photosOf(id)).map((photo: { id: number }) => photo.id)).toEqual(left.slice(4));
    expect(service.faults).toEqual([]);
  });
});
