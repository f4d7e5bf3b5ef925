import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { rowChangesOf } from '../../platform/events/changes-of.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { OptionRow } from './catalog-queries.ts';
import { noteProductDoubts } from './check-contents.ts';
import { decideOptionPhotos } from './option-photos.ts';
import { refuseNoCode } from './product-codes.ts';
import { blankToNull, type OptionContent, readOptions } from './product-content.ts';
import { readPhotos, type ToldPhoto, type WantedPhoto } from './product-photos.ts';
import {
  deleteOptions,
  saveOptions,
  selectProductsOfOptions,
  setUpcs,
  touchOptions,
  touchProduct,
} from './product-queries.ts';
import type { ReplaceOptionsRequest, SetUpcsRequest } from './product-schemas.ts';
import { type ProductRows, writeAndRead } from './product-view.ts';
import { type LockedProduct, lockWholeProduct } from './update-product.ts';

/**
 * Replaces the full set of a product's options (D45); an unchanged set writes nothing. Resolves to its stored rows.
 * Fails with INVALID_PARAMS, MISSING_PARAMS, PRODUCT_NOT_FOUND, PRODUCT_OPTION_NOT_FOUND, INVALID_CHILD_RESOURCE and
 * NON_ZERO_INVENTORY. Orders keep their own copies of options.
 */
export async function replaceOptions(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  { options: sent }: ReplaceOptionsRequest,
  photoUrl: (location: string) => string,
): Promise<ProductRows> {
  const photos = sent.map((option, index) =>
    option.photos === undefined ? undefined : readPhotos(option.photos, `options[${index}].photos`),
  );
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const sentIds = sent.flatMap(({ id }) => (id === undefined ? [] : [id]));
  refuseDuplicates(sent.map(({ id }) => id));
  const newIds = await context.ids.take(sent.length - sentIds.length);
  return context.database.write(organization, async (tx) => {
    const locked = await lockWholeProduct(tx, productId);
    refuseStaleEdit(origin, locked.product.updated_at);
    const rowOf = await optionsOf(tx, locked, sent);
    const contents = readOptions(sent, (id) => contentOf(rowOf.get(id)!), locked.category.cannabis_type);
    const decided = await decideOptions(
      context,
      locked,
      contents.map((content, position) => ({
        id: sent[position]!.id ?? null,
        content,
        photos: photos[position],
      })),
      newIds,
      at,
      photoUrl,
    );
    if (decided === null) return locked.rows;
    await announce(tx, context, origin, nowMs, ...decided.announcements);
    const rows = await writeAndRead(
      tx,
      productId,
      ...decided.statements,
      touchProduct({ id: productId, updatedAt: at }),
    );
    noteProductDoubts(tx, rows);
    return rows;
  });
}

/** An option of a new set. */
interface WantedOption {
  /** Null: a new one. */
  readonly id: number | null;
  readonly content: OptionContent;
  /** Undefined: it keeps those that it has. */
  readonly photos: readonly WantedPhoto[] | undefined;
}

/** What a new set of options writes and announces; null: nothing changes. An option without id gets a new one. */
export async function decideOptions(
  context: Pick<Context, 'ids'>,
  locked: LockedProduct,
  sent: readonly WantedOption[],
  newIds: readonly number[],
  at: string,
  photoUrl: (location: string) => string,
): Promise<{
  readonly statements: BoundStatement<unknown>[];
  readonly announcements: readonly Announcement[];
} | null> {
  const { id: productId } = locked.product;
  const free = [...newIds];
  const identified = sent.map((option) => ({ ...option, id: option.id ?? free.shift()! }));
  const present = new Set(identified.map(({ id }) => id));
  const gone = locked.options.filter(({ id }) => !present.has(id));
  const withStock = gone.find(({ id }) => locked.stockByOption.has(id));
  if (withStock !== undefined) {
    throw failure(
      'NON_ZERO_INVENTORY',
      `options: option ${withStock.id} has stock and must stay in the list: leaving it out would delete it.`,
    );
  }
  const pictured = await decideOptionPhotos(context, productId, locked.optionPhotos, identified, photoUrl);
  const changes = rowChangesOf(
    locked.options.map((row) => toldOption(row.id, contentOf(row), pictured.toldBefore(row.id))),
    identified.map(({ id, content }) => toldOption(id, content, pictured.toldAfter(id))),
  );
  if (changes === null) return null;
  const options = identified.map(({ id, content }, position) => ({
    id,
    position,
    name: content.name,
    amount: content.amount,
    price_cents: content.priceCents,
    sales_price_cents: content.salesPriceCents,
    upc: content.upc,
    content: content.content,
    thc_percent: content.thcPercent,
    thc_mg: content.thcMg,
    cbd_percent: content.cbdPercent,
    cbd_mg: content.cbdMg,
  }));
  return {
    statements: [
      ...(gone.length === 0 ? [] : [deleteOptions({ optionIds: gone.map(({ id }) => id), at })]),
      saveOptions({ productId, options: JSON.stringify(options), at }),
      ...(pictured.changedIds.length === 0 ? [] : [touchOptions({ optionIds: pictured.changedIds, at })]),
      ...pictured.statements,
    ],
    announcements: [
      {
        event: 'product_options.replaced',
        subjectType: 'product',
        subjectId: productId,
        payload: { productId, productOptionIds: options.map(({ id }) => id) },
        details: changes,
      },
      ...gone.map(({ id }) => ({
        event: 'option.deleted' as const,
        subjectType: 'product_option' as const,
        subjectId: id,
        payload: { productId, productOptionId: id },
      })),
    ],
  };
}

/**
 * Changes the UPCs of some options of a product only (D17); unchanged UPCs write nothing. Fails like `replaceOptions`.
 */
export async function changeUpcs(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  { options: sent }: SetUpcsRequest,
): Promise<ProductRows> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  refuseDuplicates(sent.map(({ id }) => id));
  return context.database.write(organization, async (tx) => {
    const locked = await lockWholeProduct(tx, productId);
    refuseStaleEdit(origin, locked.product.updated_at);
    const rowOf = await optionsOf(tx, locked, sent);
    const upcs = sent.map(({ id, upc }) => ({ id, upc: blankToNull(upc) }));
    for (const [index, { id, upc }] of upcs.entries()) {
      if (upc !== rowOf.get(id)!.upc) refuseNoCode(upc, `options[${index}].upc`);
    }
    const changes = rowChangesOf(
      upcs.map(({ id }) => ({ id, upc: rowOf.get(id)!.upc })),
      upcs,
    );
    if (changes === null) return locked.rows;
    await announce(tx, context, origin, nowMs, {
      event: 'product_options.updated',
      subjectType: 'product',
      subjectId: productId,
      payload: { productId, productOptionIds: sent.map(({ id }) => id) },
      details: changes,
    });
    return writeAndRead(
      tx,
      productId,
      setUpcs({ productId, upcs: JSON.stringify(upcs), at }),
      touchProduct({ id: productId, updatedAt: at }),
    );
  });
}

function refuseDuplicates(ids: readonly (number | undefined)[]): void {
  const at = ids.findIndex((id, index) => id !== undefined && ids.indexOf(id) !== index);
  if (at >= 0) throw failure('INVALID_PARAMS', `options[${at}].id must be unique in the list.`);
}

/**
 * The product's options by id. Fails with PRODUCT_OPTION_NOT_FOUND for an unknown id, before INVALID_CHILD_RESOURCE
 * for an option of another product (D13).
 */
async function optionsOf(
  tx: TenantTransaction,
  { options }: LockedProduct,
  sent: readonly { readonly id?: number | undefined }[],
): Promise<ReadonlyMap<number, OptionRow>> {
  const own = new Map(options.map((row) => [row.id, row]));
  const strange = sent.flatMap(({ id }, index) => (id === undefined || own.has(id) ? [] : [{ id, index }]));
  if (strange.length === 0) return own;
  const [elsewhere] = await tx.run(selectProductsOfOptions({ optionIds: strange.map(({ id }) => id) }));
  const unknown = strange.find(({ id }) => elsewhere.every((row) => row.id !== id));
  if (unknown !== undefined) {
    throw failure('PRODUCT_OPTION_NOT_FOUND', `options[${unknown.index}].id names no option.`);
  }
  throw failure(
    'INVALID_CHILD_RESOURCE',
    `options[${strange[0]!.index}].id must name an option of this product, not of another one.`,
  );
}

/** The stored content of an option. */
export function contentOf(row: OptionRow): OptionContent {
  return {
    name: row.name,
    amount: canonicalDecimalText(row.amount),
    priceCents: row.price_cents,
    salesPriceCents: row.sales_price_cents,
    content: row.content,
    upc: row.upc,
    thcPercent: row.thc_percent,
    thcMg: row.thc_mg,
    cbdPercent: row.cbd_percent,
    cbdMg: row.cbd_mg,
  };
}

/** The audit's values of an option, with the API's field names. */
function toldOption(
  id: number,
  { priceCents, salesPriceCents, ...content }: OptionContent,
  photos: readonly ToldPhoto[] | undefined,
) {
  return {
    id,
    ...content,
    content: content.content === null ? null : canonicalDecimalText(content.content),
    price: priceCents,
    salesPrice: salesPriceCents,
    ...(photos !== undefined && { photos }),
  };
}
