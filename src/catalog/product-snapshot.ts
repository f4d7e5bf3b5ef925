import type { ProductRows } from './product-view.ts';
import { contentOf } from './replace-options.ts';
import { saidOf } from './update-product.ts';

/** A product at one moment, as an import keeps it to undo its change. */
export interface ProductSnapshot {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Their addresses, or paths of stored ones. */
  readonly photos: readonly string[];
  readonly options: readonly SnapshotOption[];
}

export type SnapshotOption = { readonly id: number } & ReturnType<typeof contentOf>;

/** A product as its rows have it. */
export function snapshotOf(rows: ProductRows): ProductSnapshot {
  const [[product], options, photos] = rows;
  const { deletedAt: _, inventoryType: __, ...fields } = saidOf({ product: product!, rows });
  return {
    fields,
    photos: photos.map(({ source, location }) => source ?? location),
    options: options.map((row) => ({ id: row.id, ...contentOf(row) })),
  };
}
