import { isDeepStrictEqual } from 'node:util';
import { errorCatalog } from '../../kernel/error-catalog.ts';
import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { findOrCreateNamed } from './name-references.ts';
import type { WantedPhoto } from './product-photos.ts';
import type { UpdateProductRequest } from './product-schemas.ts';
import { type ProductSnapshot, photosIn, type SnapshotOption, snapshotOf } from './product-snapshot.ts';
import { decideOptions } from './replace-options.ts';
import { changeVisibility } from './show-on-menu.ts';
import { changeProduct, decideProductChange, lockWholeProduct, readProductChange } from './update-product.ts';
import { writeProductChange } from './write-product-change.ts';

/** Undoing of what an import did to a product. Each can be repeated; a product that is gone stays so. */

/** Fields that only make sense together. */
const potencyParts = ['Amount', 'AmountEach', 'AmountRangeLow', 'AmountRangeHigh', 'Unit'];
const groups = ['thc', 'cbd'].map((substance) => potencyParts.map((part) => `${substance}${part}`));

/**
 * Gives a product back what it had before a change: each field, the photos and each option that are still as the change
 * left them. What was edited since stays. Resolves to whether anything was written; false also for a product that is gone
 * or whose former category is.
 */
export async function restoreProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  before: ProductSnapshot,
  after: ProductSnapshot,
): Promise<boolean> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database
    .write(organization, async (tx) => {
      const locked = await lockWholeProduct(tx, id);
      const current = asStored(snapshotOf(locked.rows));
      const sent = formerFields(before, after, current) as UpdateProductRequest;
      // The addresses of stored photos are paths, which no request can send.
      const change = { ...readProductChange(sent, nowMs), photos: formerPhotos(before, after, current) };
      const named = await findOrCreateNamed(tx, context, origin, nowMs, change.names);
      const ofProduct = await decideProductChange(context, locked, named, change, (location) => location);
      const options = formerOptions(before, after, current, locked.stockByOption);
      const newIds = await context.ids.take(options.filter((option) => option.id === null).length);
      const ofOptions = await decideOptions(
        context,
        locked,
        options.map(({ id: optionId, photos, ...content }) => ({ id: optionId, content, photos })),
        newIds,
        at,
        (location) => location,
      );
      const rows = await writeProductChange(tx, context, origin, nowMs, id, { ofProduct, ofOptions });
      return rows !== null;
    })
    .catch(refusedAsFalse);
}

/** As it comes back from the database, where `undefined` is absent. */
function asStored(snapshot: ProductSnapshot): ProductSnapshot {
  return JSON.parse(JSON.stringify(snapshot)) as ProductSnapshot;
}

function formerFields(
  before: ProductSnapshot,
  after: ProductSnapshot,
  current: ProductSnapshot,
): Readonly<Record<string, unknown>> {
  const isUntouched = (field: string) => isDeepStrictEqual(current.fields[field], after.fields[field]);
  const groupOf = (field: string) => groups.find((group) => group.includes(field)) ?? [field];
  return Object.fromEntries(
    Object.keys(before.fields).flatMap((field) => {
      const group = groupOf(field);
      const isChanged = group.some((name) => !isDeepStrictEqual(before.fields[name], after.fields[name]));
      return isChanged && group.every(isUntouched) ? [[field, before.fields[field]]] : [];
    }),
  );
}

/** The photos that the product gets back; null: they stay. */
function formerPhotos(before: ProductSnapshot, after: ProductSnapshot, current: ProductSnapshot) {
  if (after.photoAltTexts === undefined) {
    const isOurs =
      !isDeepStrictEqual(before.photos, after.photos) && isDeepStrictEqual(current.photos, after.photos);
    return isOurs ? photosIn(before) : null;
  }
  const [was, left, is] = [before, after, current].map(photosIn);
  return !isDeepStrictEqual(was, left) && isDeepStrictEqual(is, left) ? was! : null;
}

type FormerOption = Omit<SnapshotOption, 'id'> & {
  readonly id: number | null;
  /** Undefined: its photos stay. */
  readonly photos?: readonly WantedPhoto[] | undefined;
};

/** The photos that an option gets back, if they are as the change left them. */
function formerPhotosOf(
  id: number,
  before: ProductSnapshot,
  after: ProductSnapshot,
  current: ProductSnapshot,
): readonly WantedPhoto[] | undefined {
  const [was, left, is] = [before, after, current].map(({ optionPhotos }) => optionPhotos[id] ?? []);
  return !isDeepStrictEqual(was, left) && isDeepStrictEqual(is, left) ? was : undefined;
}

/** The options that the product gets: the former ones where they are as the change left them. */
function formerOptions(
  before: ProductSnapshot,
  after: ProductSnapshot,
  current: ProductSnapshot,
  stockByOption: ReadonlyMap<number, string>,
): readonly FormerOption[] {
  const beforeOf = byId(before);
  const afterOf = byId(after);
  const currentOf = byId(current);
  const kept = current.options.flatMap((option): FormerOption[] => {
    const left = afterOf.get(option.id);
    const former = beforeOf.get(option.id);
    // The change has made it; one that was edited or has stock must stay.
    if (former === undefined) {
      const isUntouched =
        isDeepStrictEqual(left, option) &&
        isDeepStrictEqual(
          (after.optionPhotos ?? current.optionPhotos)?.[option.id],
          current.optionPhotos?.[option.id],
        );
      return isUntouched && !stockByOption.has(option.id) ? [] : [option];
    }
    const content = isDeepStrictEqual(left, option) ? former : option;
    return [{ ...content, photos: formerPhotosOf(option.id, before, after, current) }];
  });
  const removed = before.options
    .filter(({ id }) => !afterOf.has(id) && !currentOf.has(id))
    .map((option): FormerOption => ({ ...option, id: null, photos: before.optionPhotos?.[option.id] }));
  const place = new Map(before.options.map(({ id }, at) => [id, at]));
  // Removed ones come back with a new id, after the others.
  return [...kept, ...removed]
    .map((option, at) => ({ option, at: place.get(option.id ?? 0) ?? before.options.length + at }))
    .sort((a, b) => a.at - b.at)
    .map(({ option }) => option);
}

function byId({ options }: ProductSnapshot): ReadonlyMap<number, SnapshotOption> {
  return new Map(options.map((option) => [option.id, option]));
}

/**
 * Takes away a product that an import has made: deletes it, or only takes it off the menu while it has stock. Resolves to
 * whether anything was written.
 */
export async function withdrawProduct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<boolean> {
  const deletedAt = isoTimestamp(context.clock.now());
  try {
    await changeProduct(context, origin, organization, id, { deletedAt }, (location) => location);
    return true;
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    if (problem.code !== 'NON_ZERO_INVENTORY') return refusedAsFalse(problem);
    await changeVisibility(context, origin, organization, id, { isActive: false });
    return true;
  }
}

/** Puts a product back on the menu. Resolves to whether it is there. */
export async function showAgain(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<boolean> {
  return changeVisibility(context, origin, organization, id, { isActive: true })
    .then(() => true)
    .catch(refusedAsFalse);
}

function refusedAsFalse(problem: unknown): false {
  if (!(problem instanceof Failure) || problem.code === 'TRANSACTION_RETRY_EXCEEDED') throw problem;
  if (errorCatalog[problem.code].status < 500) return false;
  throw problem;
}
