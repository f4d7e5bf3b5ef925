import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { selectProducts } from './catalog-queries.ts';
import { matchOptions } from './external-product.ts';
import type { ImportedProduct } from './import-product-rows.ts';
import { contentIn } from './imported-measures.ts';
import { otherCategoryNames } from './imported-words.ts';
import { findOrCreateNamed } from './name-references.ts';
import { readOptions } from './product-content.ts';
import { lockCategoriesNamed } from './product-import-queries.ts';
import type { UpdateProductRequest } from './product-schemas.ts';
import { type ProductSnapshot, snapshotOf } from './product-snapshot.ts';
import { contentOf, decideOptions } from './replace-options.ts';
import { changeVisibility } from './show-on-menu.ts';
import { decideProductChange, lockWholeProduct, readProductChange } from './update-product.ts';
import { writeProductChange } from './write-product-change.ts';

/** What a synchronization did with a product that was there. */
type SyncOutcome =
  | { readonly kind: 'changed' | 'same' }
  | { readonly kind: 'refused'; readonly problem: Failure };

interface SyncOptions {
  readonly isTrial: boolean;
  /** Queues what is to commit together with a change. */
  readonly onChanged?: (tx: TenantTransaction, before: ProductSnapshot, after: ProductSnapshot) => void;
}

/** Ends a trial: everything that it wrote is undone. */
class TrialEnds extends Error {
  override name = 'TrialEnds';
}

/**
 * Makes a stored product equal to a row of a file: the fields that the row has, and the set of options. What the row
 * leaves out stays, photos, their alternative texts and sub-categories included. An option is known by its UPC, else by name and amount; one that
 * the row lacks is deleted, which needs zero stock. Equal rows write nothing. A trial writes nothing, and has the
 * outcome that the same call would have without it.
 */
export async function syncProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  row: ImportedProduct,
  { isTrial, onChanged }: SyncOptions,
): Promise<SyncOutcome> {
  try {
    return await context.database.write(organization, async (tx) => {
      const outcome = await syncIn(tx, context, origin, id, row, onChanged);
      if (isTrial && outcome.kind === 'changed') throw new TrialEnds();
      return outcome;
    });
  } catch (problem) {
    if (problem instanceof TrialEnds) return { kind: 'changed' };
    if (problem instanceof Failure) return { kind: 'refused', problem };
    throw problem;
  }
}

async function syncIn(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  id: number,
  row: ImportedProduct,
  onChanged: SyncOptions['onChanged'],
): Promise<SyncOutcome> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const locked = await lockWholeProduct(tx, id);
  const change = readProductChange(await saidBy(tx, row), nowMs);
  const named = await findOrCreateNamed(tx, context, origin, nowMs, change.names);
  const type = (named.category ?? locked.category).cannabis_type;
  const upcs = row.request.options.map(({ upc }) => upc || null);
  const known = locked.options.flatMap((option) =>
    option.upc === null ? [] : [{ product_option_id: option.id, external_id: option.upc }],
  );
  const matched = matchOptions({ sent: row, optionExternalIds: upcs }, locked.options, known);
  const rowOf = new Map(locked.options.map((option) => [option.id, option]));
  const contents = readOptions(
    row.request.options.map((option, index) => {
      const stated = row.statedContents.get(index);
      const content =
        stated === undefined ? option.content : contentIn(stated, type, `options[${index}].content`);
      return { ...option, ...(content !== undefined && { content }), id: matched[index] ?? undefined };
    }),
    (optionId) => contentOf(rowOf.get(optionId)!),
    type,
  );
  const newIds = await context.ids.take(matched.filter((optionId) => optionId === null).length);
  const ofProduct = await decideProductChange(context, locked, named, change, (location) => location);
  const ofOptions = await decideOptions(
    context,
    locked,
    contents.map((content, index) => ({
      id: matched[index] ?? null,
      content,
      photos: row.optionPhotos[index],
    })),
    newIds,
    at,
    (location) => location,
  );
  const rows = await writeProductChange(tx, context, origin, nowMs, id, { ofProduct, ofOptions });
  if (rows === null) return { kind: 'same' };
  onChanged?.(tx, snapshotOf(locked.rows), snapshotOf(rows));
  return { kind: 'changed' };
}

/** The fields that a row has; an empty list means that it says nothing. */
async function saidBy(tx: TenantTransaction, { request }: ImportedProduct): Promise<UpdateProductRequest> {
  const { options: _, photos, subCategories, category, ...fields } = request;
  const names = [category, ...otherCategoryNames(category)];
  // The import has found the same category before; its own name comes first.
  const [[found]] = await tx.run(lockCategoriesNamed({ names }));
  return {
    ...fields,
    category: found === undefined ? category : names[found.at - 1]!,
    ...(photos.length > 0 && { photos }),
    ...(subCategories.length > 0 && { subCategories }),
  };
}

/** The active products that a file does not have: what a synchronization takes off the menu. */
export async function productsToRetire(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  keptIds: ReadonlySet<number>,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const [products] = await database.read(organization, selectProducts({ activeOnly: true }));
  return products.filter(({ id }) => !keptIds.has(id)).map(({ id, name }) => ({ id, name }));
}

/** Takes a product off the menu. Its stock stays, so nothing is lost when it comes back. */
export async function retireProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  onRetired?: (tx: TenantTransaction) => void,
): Promise<void> {
  await changeVisibility(context, origin, organization, id, { isActive: false }, onRetired);
}
