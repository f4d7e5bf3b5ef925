import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { drawnPhotoSizes, storeDrawing } from './drawn-photos.ts';
import { photoSizes } from './product-photo-sizes.ts';

const square = (color: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect x="300" width="300" height="600" fill="${color}"/></svg>`,
  );

/** Files in memory; counts what is written. */
function memoryStore(): BlobStore & { readonly written: string[] } {
  const files = new Map<string, Buffer>();
  const written: string[] = [];
  return {
    written,
    put: async (name, bytes) => {
      written.push(name);
      files.set(name, Buffer.from(bytes));
    },
    get: async (name) => files.get(name) ?? null,
    delete: async (name) => void files.delete(name),
  };
}

const nameOf = (location: string): string => location.replace('/photos/', '');

test('a drawing is rendered sharp at every width when that is asked for, once for all who ask', async () => {
  const blobs = memoryStore();
  const location = await storeDrawing(blobs, square('#2f5d50'));
  expect(blobs.written).toEqual([expect.stringMatching(/^[0-9a-f]{12}\.svg$/)]);
  const make = drawnPhotoSizes(blobs);
  const sizes = photoSizes(location);
  expect(sizes.map(({ width }) => width)).toEqual([320, 800, 1600]);
  const asked = await Promise.all([...sizes, ...sizes].map((size) => make(nameOf(size.location))));
  expect(blobs.written.slice(1).sort()).toEqual(sizes.map((size) => nameOf(size.location)).sort());
  for (const [index, { width, location: at }] of sizes.entries()) {
    const picture = asked[index]!;
    expect(asked[index + sizes.length]).toBe(picture);
    expect(await blobs.get(nameOf(at))).toEqual(picture);
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, width, 4]);
    // The edge in the middle is one pixel wide at every width.
    const alpha = (x: number) => data[(Math.floor(width / 2) * width + x) * 4 + 3]!;
    expect([alpha(width / 2 - 2), alpha(width / 2 + 1)]).toEqual([0, 255]);
  }
});

test('names of no drawing, and of other widths, make nothing', async () => {
  const blobs = memoryStore();
  const location = await storeDrawing(blobs, square('#c83c14'));
  const make = drawnPhotoSizes(blobs);
  for (const name of [
    nameOf(location).replace('1600', '801'),
    nameOf(location).replace('webp', 'png'),
    `${'0'.repeat(12)}-320.webp`,
    `../${nameOf(location)}`,
  ]) {
    expect([name, await make(name)]).toEqual([name, null]);
  }
  expect(blobs.written).toHaveLength(1);
});

test('a store that fails once does not stop the next picture', async () => {
  const blobs = memoryStore();
  const location = nameOf(await storeDrawing(blobs, square('#cdd1a8')));
  const put = blobs.put.bind(blobs);
  let isFull = true;
  blobs.put = async (name, bytes) => {
    if (isFull) throw new Error('full');
    await put(name, bytes);
  };
  const make = drawnPhotoSizes(blobs);
  await expect(make(location)).rejects.toThrow('full');
  isFull = false;
  expect((await make(location))?.subarray(8, 12).toString()).toBe('WEBP');
});
