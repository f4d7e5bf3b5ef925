import type Sharp from 'sharp';
import type { SharpOptions } from 'sharp';
import { expect, test, vi } from 'vitest';
import type { OrganizationId } from '../../kernel/ids.ts';
import { storePhotoSizes } from './product-photo-sizes.ts';

const { decoded } = vi.hoisted(() => ({ decoded: [] as unknown[] }));

/** The decoder, which notes each file whose pixels are read; the other sizes are made from pixels. */
vi.mock('sharp', async (original) => {
  const { default: sharp } = await original<{ default: typeof Sharp }>();
  const noting = (input: Buffer, options: SharpOptions) => {
    const picture = sharp(input, options);
    const toBuffer = picture.toBuffer.bind(picture) as (...given: unknown[]) => unknown;
    const noted = (...given: unknown[]) => {
      if (options.raw === undefined) decoded.push(input);
      return toBuffer(...given);
    };
    return Object.assign(picture, { toBuffer: noted });
  };
  return { default: noting };
});

test('a picture is decoded once for all its sizes', async () => {
  const { default: sharp } = await vi.importActual<{ default: typeof Sharp }>('sharp');
  const create = { width: 900, height: 600, channels: 3, background: 'green' } as const;
  const bytes = await sharp({ create }).jpeg().toBuffer();
  const names: string[] = [];
  const blobs = { put: async (name: string) => void names.push(name) };
  await storePhotoSizes(blobs as never, 1 as OrganizationId, bytes);
  expect(names).toHaveLength(3);
  expect(decoded).toEqual([bytes]);
});
