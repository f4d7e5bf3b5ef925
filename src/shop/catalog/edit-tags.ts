import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { briefly, changesOf } from '../../platform/events/changes-of.ts';
import { insertTags } from './catalog-queries.ts';
import {
  clearTag,
  deleteTagRow,
  lockLiveProducts,
  lockTag,
  lockTagNames,
  putTagOnProducts,
  selectTagOfName,
  selectTagRow,
  type TagRow,
  updateTagRow,
} from './group-queries.ts';
import { readName } from './product-content.ts';

interface TagContent {
  readonly name: string;
  readonly description: string | null;
  /** All products that have the tag. */
  readonly productIds: readonly number[];
}

const subject = (id: number) => ({ subjectType: 'tag' as const, subjectId: id, payload: { tagId: id } });

/** Adds a tag and sets its products. Fails with INVALID_PARAMS, also when its name is taken, and PRODUCT_NOT_FOUND. */
export async function createTag(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  content: TagContent,
): Promise<TagRow> {
  const name = readName(content.name, 'name');
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    await tx.run(lockTagNames({}));
    await refuseTakenName(tx, name, null);
    const productIds = await knownProducts(tx, content.productIds);
    const { description } = content;
    await announce(tx, context, origin, nowMs, {
      event: 'tag.created',
      ...subject(id),
      details: { tagId: id, ...briefly({ name, description, productIds }) },
    });
    return tagOf(
      await tx.run(
        ...insertTags([{ id, name, description, createdAt: at, updatedAt: at }]),
        putTagOnProducts({ tagId: id, productIds }),
        selectTagRow({ id }),
      ),
    );
  });
}

/**
 * Changes the given fields of a tag; unchanged values write nothing. Fails with TAG_NOT_FOUND, INVALID_PARAMS and
 * PRODUCT_NOT_FOUND.
 */
export async function changeTag(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: { readonly [Name in keyof TagContent]?: TagContent[Name] | undefined },
): Promise<TagRow> {
  const name = sent.name === undefined ? undefined : readName(sent.name, 'name');
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    if (name !== undefined) await tx.run(lockTagNames({}));
    const [locked, [tag]] = await tx.run(lockTag({ id }), selectTagRow({ id }));
    if (locked.length === 0 || tag === undefined) throw tagNotFound();
    refuseStaleEdit(origin, tag.updated_at);
    // Old tags can share a name; they can still be edited.
    if (name !== undefined && name !== tag.name) await refuseTakenName(tx, name, id);
    const productIds = sent.productIds && (await knownProducts(tx, sent.productIds));
    const changes = changesOf(
      { ...tag, productIds: inOrder(tag.product_ids) },
      { name, description: sent.description, productIds: productIds && inOrder(productIds) },
    );
    if (changes === null) return tag;
    await announce(tx, context, origin, nowMs, {
      event: 'tag.updated',
      ...subject(id),
      details: { tagId: id, ...changes },
    });
    return tagOf(
      await tx.run(
        updateTagRow({
          id,
          name: name ?? tag.name,
          description: sent.description === undefined ? tag.description : sent.description,
          updatedAt: isoTimestamp(nowMs),
        }),
        productIds ? clearTag({ tagId: id }) : null,
        productIds ? putTagOnProducts({ tagId: id, productIds }) : null,
        selectTagRow({ id }),
      ),
    );
  });
}

/**
 * Deletes a tag and removes it from its products. Resolves to the tag before its deletion. Fails with TAG_NOT_FOUND.
 */
export async function deleteTag(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<TagRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [locked, [tag]] = await tx.run(lockTag({ id }), selectTagRow({ id }));
    if (locked.length === 0 || tag === undefined) throw tagNotFound();
    tx.queue(clearTag({ tagId: id }), deleteTagRow({ id }));
    await announce(tx, context, origin, nowMs, {
      event: 'tag.deleted',
      ...subject(id),
      details: { tagId: id, name: tag.name, description: tag.description, products: tag.product_ids.length },
    });
    return tag;
  });
}

/** The same error as for an id that is out of range. */
function tagNotFound() {
  return failure('TAG_NOT_FOUND', 'There is no such tag.');
}

/** Call it after `lockTagNames`: of two concurrent requests with the same name, the second is refused. */
async function refuseTakenName(tx: TenantTransaction, name: string, exceptId: number | null): Promise<void> {
  const [[taken]] = await tx.run(selectTagOfName({ name, exceptId }));
  if (taken !== undefined) throw failure('INVALID_PARAMS', 'name must not be that of another tag.');
}

async function knownProducts(tx: TenantTransaction, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const [rows] = await tx.run(lockLiveProducts({ ids }));
  const known = new Set(rows.map((row) => row.id));
  const at = ids.findIndex((id) => !known.has(id));
  if (at >= 0) throw failure('PRODUCT_NOT_FOUND', `productIds[${at}] names no product.`);
  return [...known];
}

/** The products of a tag have no order. */
function inOrder(ids: readonly number[]): readonly number[] {
  return ids.toSorted((a, b) => a - b);
}

function tagOf(replies: readonly (readonly unknown[])[]): TagRow {
  return replies.at(-1)![0] as TagRow;
}
