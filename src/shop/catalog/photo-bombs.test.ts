import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const staff = await service.staff(shop, 'inventory');
afterAll(() => service.close());

const tiny = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif') =>
  sharp({ create: { width: 8, height: 8, channels: 4, background: '#2f7d5b80' } })
    .withExif({ IFD0: { Make: 'Camera' } })
    .toFormat(format)
    .toBuffer();

function pngOf(bytes: Buffer, size: number): Buffer {
  bytes.writeUInt32BE(size, 16);
  bytes.writeUInt32BE(size, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

/** Pictures of a few bytes whose headers say 60,000 × 60,000 pixels: 14 GB when decoded. */
const bombs: Readonly<Record<string, Buffer>> = {
  png: pngOf(await tiny('png'), 60_000),
  jpeg: await tiny('jpeg').then((bytes) => {
    const at = bytes.findIndex((byte, index) => byte === 0xff && [0xc0, 0xc2].includes(bytes[index + 1]!));
    bytes.writeUInt16BE(60_000, at + 5);
    bytes.writeUInt16BE(60_000, at + 7);
    return bytes;
  }),
  webp: await tiny('webp').then((bytes) => {
    const at = bytes.indexOf('VP8X', 0, 'latin1') + 12;
    bytes.writeUIntLE(59_999, at, 3);
    bytes.writeUIntLE(59_999, at + 3, 3);
    return bytes;
  }),
  gif: await tiny('gif').then((bytes) => {
    // The screen and the frame on it: a reader may go by either.
    const frame = bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0]));
    for (const at of [6, 8, frame + 5, frame + 7]) bytes.writeUInt16LE(60_000, at);
    return bytes;
  }),
  avif: await tiny('avif').then((bytes) => {
    for (let at = bytes.indexOf('ispe', 0, 'latin1'); at > 0; at = bytes.indexOf('ispe', at + 1, 'latin1')) {
      bytes.writeUInt32BE(60_000, at + 8);
      bytes.writeUInt32BE(60_000, at + 12);
    }
    return bytes;
  }),
};

test.each(Object.keys(bombs))(
  'a picture of a few bytes whose header says 60,000 × 60,000 pixels (%s) is refused at once, without memory',
  async (format) => {
    const { data } = await service.call('POST', '/api/v1/products', { keys: shop.keys, body: productBody() });
    const bytes = bombs[format]!;
    expect(bytes.length).toBeLessThan(2_000);
    const memoryBefore = process.memoryUsage.rss();
    const before = process.cpuUsage();
    const { error } = await staff.call('POST', `/staff/v1/products/${data.id}/photos`, bytes, {
      headers: { 'content-type': `image/${format}` },
    });
    const { user, system } = process.cpuUsage(before);
    expect(error).toMatchObject({
      code: 'INVALID_PHOTO',
      message: expect.stringMatching(
        /^The picture is (too large: it has 60,000 × 60,000|damaged or incomplete)/,
      ),
    });
    expect((user + system) / 1000).toBeLessThan(1_000);
    expect(process.memoryUsage.rss() - memoryBefore).toBeLessThan(200_000_000);
  },
);
