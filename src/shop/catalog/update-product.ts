import { isDeepStrictEqual } from 'node:util';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { OptionRow } from './catalog-queries.ts';
import { noteProductDoubts } from './check-contents.ts';
import { findOrCreateNamed, type NamedRows, readNames, type SentNames } from './name-references.ts';
import { checkPotency, type Potency, readName } from './product-content.ts';
import { detailColumns, detailsOf, readDetails } from './product-details.ts';
import type { PhotoRow } from './product-photo-queries.ts';
import {
  keepPhotos,
  photoChanges,
  photosByOwner,
  readPhotos,
  replacePhotos,
  toldPhoto,
  toldRow,
  type WantedPhoto,
  withNewIds,
} from './product-photos.ts';
import {
  lockCategoryOfProduct,
  lockProduct,
  type NamedCategoryRow,
  type ShownProductRow,
  selectStockOfProduct,
  updateProduct,
} from './product-queries.ts';
import type { UpdateProductRequest } from './product-schemas.ts';
import { type ProductRows, productStatements, writeAndRead } from './product-view.ts';

/** A locked product, with the facts that decide on changes. */
export interface LockedProduct {
  /** The rows that responses are made from. */
  readonly rows: ProductRows;
  readonly product: ShownProductRow;
  readonly options: readonly OptionRow[];
  /** Its own photos, without those of its options. */
  readonly photos: readonly PhotoRow[];
  readonly optionPhotos: ReadonlyMap<number, readonly PhotoRow[]>;
  readonly category: NamedCategoryRow;
  /** Stock on hand by option; 0: kept per product. */
  readonly stockByOption: ReadonlyMap<number, string>;
}

/** Locks and reads a product. Fails with PRODUCT_NOT_FOUND, also for a deleted one. */
export async function lockWholeProduct(tx: TenantTransaction, id: number): Promise<LockedProduct> {
  const [locked, categories, stock, ...rows] = await tx.run(
    lockProduct({ id }),
    lockCategoryOfProduct({ productId: id }),
    selectStockOfProduct({ productId: id }),
    ...productStatements([id]),
  );
  const [[product], options, photos] = rows;
  if (locked.length === 0 || product === undefined) {
    throw failure('PRODUCT_NOT_FOUND', 'There is no such product.');
  }
  const { ofProduct, ofOption } = photosByOwner(photos);
  return {
    rows,
    product,
    options,
    photos: ofProduct.get(id) ?? [],
    optionPhotos: ofOption,
    category: categories[0]!,
    stockByOption: new Map(stock.map((row) => [row.product_option_id, row.on_hand])),
  };
}

const deletionToleranceMs = 24 * 3_600_000;

/**
 * Changes the given fields of a product, or deletes it (D44); unchanged values write nothing. Resolves to its stored
 * rows. Fails with INVALID_PARAMS, MISSING_PARAMS, PRODUCT_NOT_FOUND, PRODUCT_CATEGORY_NOT_FOUND and
 * NON_ZERO_INVENTORY.
 */
export async function changeProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: UpdateProductRequest,
  photoUrl: (location: string) => string,
): Promise<ProductRows> {
  const change = readProductChange(sent, context.clock.now());
  const { nowMs } = change;
  return context.database.write(organization, async (tx) => {
    const locked = await lockWholeProduct(tx, id);
    refuseStaleEdit(origin, locked.product.updated_at);
    if (Object.keys(sent).length === 0) return locked.rows;
    const named = await findOrCreateNamed(tx, context, origin, nowMs, change.names);
    if (named.category !== null) checkContents(locked, named.category);
    const decided = await decideProductChange(context, locked, named, change, photoUrl);
    if (decided === null) return locked.rows;
    await announce(tx, context, origin, nowMs, decided.announcement);
    const rows = await writeAndRead(tx, id, ...decided.statements);
    noteProductDoubts(tx, rows);
    return rows;
  });
}

/** A parsed change of a product's own fields. */
interface ProductChange {
  readonly nowMs: number;
  readonly sent: UpdateProductRequest;
  readonly names: SentNames;
  /** Null: the photos stay. */
  readonly photos: readonly WantedPhoto[] | null;
  readonly name: string | undefined;
  readonly deletedAt: string | null;
}

/** Parses what needs no stored row. Fails with INVALID_PARAMS. */
export function readProductChange(sent: UpdateProductRequest, nowMs: number): ProductChange {
  return {
    nowMs,
    sent,
    names: readNames(sent),
    photos: sent.photos === undefined ? null : readPhotos(sent.photos),
    name: sent.name === undefined ? undefined : readName(sent.name, 'name'),
    deletedAt: readDeletion(sent.deletedAt ?? null, nowMs),
  };
}

/** What a change writes and announces; null: nothing changes. Fails as `changeProduct` does. */
export async function decideProductChange(
  context: Context,
  locked: LockedProduct,
  named: NamedRows,
  { sent, names, photos: wanted, name, deletedAt, nowMs }: ProductChange,
  photoUrl: (location: string) => string,
): Promise<{ readonly statements: BoundStatement<unknown>[]; readonly announcement: Announcement } | null> {
  const { product } = locked;
  const { id } = product;
  const potency = changedPotency(product, sent);
  checkPotency(potency, sent);
  const details = readDetails(sent, detailsOf(product));
  const inventoryType = sent.inventoryType ?? product.inventory_type;
  if (locked.stockByOption.size > 0) {
    if (deletedAt !== null) {
      throw failure('NON_ZERO_INVENTORY', 'deletedAt: a product that has stock cannot be deleted.');
    }
    if (inventoryType !== product.inventory_type) {
      throw failure('NON_ZERO_INVENTORY', 'inventoryType cannot change while the product has stock.');
    }
  }
  const kept = wanted && keepPhotos(wanted, locked.photos, photoUrl);
  const newPhotoIds = await context.ids.take(kept?.filter((photo) => photo.id === null).length ?? 0);
  const photos = kept && withNewIds(kept, newPhotoIds);
  const content = {
    name: name ?? product.name,
    description: sent.description ?? product.description,
    unit: sent.unit ?? product.unit,
    strainType: sent.strainType ?? product.strain_type,
    inventoryType,
    ...potency,
  };
  const ofPhotos = photos && photoChanges(locked.photos.map(toldRow), photos.map(toldPhoto));
  const changes = changesOf(saidOf(locked), {
    ...content,
    ...details,
    ...namesAfter(locked, named, names),
    deletedAt,
  });
  if (changes === null && ofPhotos === null) return null;
  return {
    statements: [
      updateProduct({
        ...content,
        ...detailColumns(details),
        id,
        brandId: named.brandId === undefined ? product.brand_id : named.brandId,
        categoryId: named.category?.id ?? product.primary_category_id,
        subCategoryIds: named.subCategoryIds ?? product.sub_category_ids,
        deletedAt,
        updatedAt: isoTimestamp(nowMs),
      }),
      ...(photos === null ? [] : replacePhotos(id, photos, newPhotoIds)),
    ],
    announcement: {
      event: deletedAt === null ? 'product.updated' : 'product.deleted',
      subjectType: 'product',
      subjectId: id,
      payload: { productId: id },
      details: { productId: id, ...changes, ...(ofPhotos !== null && { photos: ofPhotos }) },
    },
  };
}

/** The changeable fields of a product, as requests name them, without its photos. */
export function saidOf({ product, rows: [, , , subCategories] }: Pick<LockedProduct, 'product' | 'rows'>) {
  const nameOf = new Map(subCategories.map((row) => [row.id, row.name]));
  return {
    ...changedPotency(product, {}),
    ...detailsOf(product),
    brandName: product.brand_name,
    category: product.category_name,
    subCategories: product.sub_category_ids.flatMap((id) => nameOf.get(id) ?? []),
    name: product.name,
    description: product.description,
    unit: product.unit,
    strainType: product.strain_type,
    inventoryType: product.inventory_type,
    deletedAt: null,
  };
}

/** A name that matches the product's current one, in any case, is not a change. */
function namesAfter({ product }: LockedProduct, named: NamedRows, sent: SentNames) {
  return {
    ...(named.brandId !== product.brand_id && { brandName: sent.brandName }),
    ...(named.category?.id !== product.primary_category_id && { category: named.category?.name }),
    ...(!isDeepStrictEqual(named.subCategoryIds, product.sub_category_ids) && {
      subCategories: sent.subCategories,
    }),
  };
}

function readDeletion(deletedAt: string | null, nowMs: number): string | null {
  if (deletedAt === null) return null;
  const deletedAtMs = Date.parse(deletedAt);
  if (Math.abs(deletedAtMs - nowMs) > deletionToleranceMs) {
    throw failure('INVALID_PARAMS', 'deletedAt must be the current time, within 24 hours.');
  }
  return isoTimestamp(deletedAtMs);
}

/** D43 also applies to a change of category: every option needs content. */
function checkContents({ options }: LockedProduct, category: NamedCategoryRow): void {
  if (category.cannabis_type === 'none') return;
  const without = options.find(({ content }) => content === null);
  if (without === undefined) return;
  throw failure(
    'INVALID_PARAMS',
    `category must fit the options: its cannabisType is ${category.cannabis_type}, and option ${without.id} has no content.`,
  );
}

function changedPotency(product: ShownProductRow, sent: Partial<Potency>): Potency {
  const or = <Value>(value: Value | undefined, current: Value): Value =>
    value === undefined ? current : value;
  // "21.50" and "21.5" are equal.
  const amount = (value: string | null | undefined, current: string | null): string | null => {
    const text = or(value, current);
    return text === null ? null : canonicalDecimalText(text);
  };
  return {
    thcAmount: amount(sent.thcAmount, product.thc_amount),
    thcAmountEach: amount(sent.thcAmountEach, product.thc_amount_each),
    thcAmountRangeLow: amount(sent.thcAmountRangeLow, product.thc_amount_range_low),
    thcAmountRangeHigh: amount(sent.thcAmountRangeHigh, product.thc_amount_range_high),
    thcUnit: or(sent.thcUnit, product.thc_unit),
    cbdAmount: amount(sent.cbdAmount, product.cbd_amount),
    cbdAmountEach: amount(sent.cbdAmountEach, product.cbd_amount_each),
    cbdAmountRangeLow: amount(sent.cbdAmountRangeLow, product.cbd_amount_range_low),
    cbdAmountRangeHigh: amount(sent.cbdAmountRangeHigh, product.cbd_amount_range_high),
    cbdUnit: or(sent.cbdUnit, product.cbd_unit),
  };
}
