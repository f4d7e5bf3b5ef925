import type { PhotoRow } from './product-photo-queries.ts';
import { photosByOwner, type WantedPhoto } from './product-photos.ts';
import type { ProductRows } from './product-view.ts';
import { contentOf } from './replace-options.ts';
import { saidOf } from './update-product.ts';

/** A product at one moment, as an import keeps it to undo its change. */
export interface ProductSnapshot {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Their addresses, or paths of stored ones. */
  readonly photos: readonly string[];
  /** The text of each photo, in their order. */
  readonly photoAltTexts: readonly (string | null)[];
  readonly options: readonly SnapshotOption[];
  /** By the ids of the options that have photos. */
  readonly optionPhotos: Readonly<Record<string, readonly SnapshotPhoto[]>>;
}

export type SnapshotOption = { readonly id: number } & ReturnType<typeof contentOf>;

interface SnapshotPhoto {
  readonly url: string;
  readonly altText: string | null;
}

/** A product as its rows have it. */
export function snapshotOf(rows: ProductRows): ProductSnapshot {
  const [[product], options, photos] = rows;
  const { deletedAt: _, inventoryType: __, ...fields } = saidOf({ product: product!, rows });
  const { ofProduct, ofOption } = photosByOwner(photos);
  const own = ofProduct.get(product!.id) ?? [];
  return {
    fields,
    photos: own.map(addressOf),
    photoAltTexts: own.map((photo) => photo.alt_text),
    options: options.map((row) => ({ id: row.id, ...contentOf(row) })),
    optionPhotos: Object.fromEntries(
      [...ofOption].map(([id, ofOne]) => [
        id,
        ofOne.map((photo) => ({ url: addressOf(photo), altText: photo.alt_text })),
      ]),
    ),
  };
}

function addressOf({ source, location }: PhotoRow): string {
  return source ?? location;
}

/** The photos of a snapshot as a request has them. */
export function photosIn({ photos, photoAltTexts }: ProductSnapshot): readonly WantedPhoto[] {
  return photos.map((url, at) => ({ url, altText: photoAltTexts[at] }));
}
