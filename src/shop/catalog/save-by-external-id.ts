import { isDeepStrictEqual } from 'node:util';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { RetryWrite } from '../../platform/database/write-collisions.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { noteProductDoubts } from './check-contents.ts';
import { newProduct } from './create-product.ts';
import {
  claimOptionExternalIds,
  claimProductExternalId,
  type OptionExternalIdRow,
  releaseOptionExternalIds,
  selectExternalIdsOfOptions,
  selectExternalIdsOfProduct,
  selectOptionsOfExternalIds,
  selectProductOfExternalId,
} from './external-id-queries.ts';
import { type ExternalProduct, matchOptions } from './external-product.ts';
import { findOrCreateNamed } from './name-references.ts';
import { noPotency } from './option-potency.ts';
import { readOptions } from './product-content.ts';
import { touchProduct } from './product-queries.ts';
import { type ProductRows, productStatements } from './product-view.ts';
import { contentOf, decideOptions } from './replace-options.ts';
import { decideProductChange, lockWholeProduct, readProductChange } from './update-product.ts';

/** A product with the ids that an integrator has for it and its options. */
export interface SavedProduct {
  readonly id: number;
  readonly rows: ProductRows;
  readonly optionIds: readonly OptionExternalIdRow[];
}

interface Save {
  readonly context: Context;
  readonly origin: Origin;
  readonly integratorId: number;
  readonly product: ExternalProduct;
  readonly nowMs: number;
  readonly photoUrl: (location: string) => string;
}

/**
 * Creates the product with an integrator's id, or replaces the one that has it (D71): all fields and options become
 * those of the request, and equal ones write nothing. A new product is inactive. Which of its options are which decides
 * `matchOptions`. A request with `id` gives the integrator's id to a product that is there. Fails as `createProduct` and `replaceOptions` do, and with INVALID_CHILD_RESOURCE for an option's id
 * that an option of another product has.
 */
export async function saveByExternalId(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  integratorId: number,
  product: ExternalProduct,
  photoUrl: (location: string) => string,
): Promise<SavedProduct> {
  const save = { context, origin, integratorId, product, photoUrl, nowMs: context.clock.now() };
  return context.database.write(organization, async (tx) => {
    const sent = product.optionExternalIds.flatMap((id) => id ?? []);
    const [[known], holders] = await tx.run(
      selectProductOfExternalId({ integratorId, externalIds: [product.externalId] }),
      sent.length === 0 ? null : selectOptionsOfExternalIds({ integratorId, externalIds: sent }),
    );
    if (known !== undefined && product.id !== null && product.id !== known.product_id) {
      throw failure(
        'INVALID_PARAMS',
        `id must be ${known.product_id}, the product that has this id of yours.`,
      );
    }
    const id = known?.product_id ?? product.id;
    const elsewhere = holders.find((holder) => holder.product_id !== id);
    if (elsewhere !== undefined) {
      const index = product.optionExternalIds.indexOf(elsewhere.external_id);
      throw failure(
        'INVALID_CHILD_RESOURCE',
        `options[${index}].externalId must be new or that of an option of this product: option ` +
          `${elsewhere.product_option_id} of product ${elsewhere.product_id} has it.`,
      );
    }
    return id === null ? create(tx, save) : replace(tx, save, id, known === undefined);
  });
}

async function create(tx: TenantTransaction, save: Save): Promise<SavedProduct> {
  const { context, origin, product, nowMs } = save;
  const { id, optionIds, statements } = await newProduct(tx, context, origin, nowMs, product.sent, {
    externalId: product.externalId,
  });
  return write(tx, save, id, {
    statements,
    claimsProduct: true,
    desired: externalIdsOf(product, optionIds),
    released: [],
  });
}

/** @param claimsProduct the product has no id of the integrator yet, and gets this one. */
async function replace(
  tx: TenantTransaction,
  save: Save,
  id: number,
  claimsProduct: boolean,
): Promise<SavedProduct> {
  const { context, origin, integratorId, product, nowMs, photoUrl } = save;
  const at = isoTimestamp(nowMs);
  // Of a product that has the id, what is deleted meanwhile is looked up again.
  const locked = await lockWholeProduct(tx, id).catch((error) => {
    if (claimsProduct) throw error;
    return retryIfDeleted(error);
  });
  const [former, others] = await tx.run(
    selectExternalIdsOfOptions({ integratorId, productId: id }),
    claimsProduct ? selectExternalIdsOfProduct({ integratorId, productId: id }) : null,
  );
  if (others.length > 0) {
    throw failure(
      'INVALID_PARAMS',
      `id must be of a product without an id of yours: product ${id} has ${JSON.stringify(others[0]!.external_id)}.`,
    );
  }
  const change = readProductChange(product.replacement, nowMs);
  const named = await findOrCreateNamed(tx, context, origin, nowMs, change.names);
  const matched = matchOptions(product, locked.options, former);
  const rowOf = new Map(locked.options.map((row) => [row.id, row]));
  const contents = readOptions(
    product.sent.request.options.map((option, index) => ({ ...option, id: matched[index] ?? undefined })),
    // An absent content is missing also where the former option has one: the request is the whole product.
    (optionId) => ({ ...contentOf(rowOf.get(optionId)!), ...absentOptionFields }),
    named.category!.cannabis_type,
  );
  const newIds = await context.ids.take(matched.filter((optionId) => optionId === null).length);
  const free = [...newIds];
  const optionIds = matched.map((optionId) => optionId ?? free.shift()!);
  const ofProduct = await decideProductChange(context, locked, named, change, photoUrl);
  const ofOptions = await decideOptions(
    context,
    locked,
    contents.map((content, index) => ({
      id: optionIds[index]!,
      content,
      photos: product.sent.optionPhotos[index],
    })),
    [],
    at,
    photoUrl,
  );
  const desired = externalIdsOf(product, optionIds);
  const idsChange = !isDeepStrictEqual(pairsOf(desired), pairsOf(former));
  if (ofProduct === null && ofOptions === null && !idsChange && !claimsProduct) {
    return { id, rows: locked.rows, optionIds: former };
  }
  const announcements = [
    ...(ofProduct === null ? [] : [ofProduct.announcement]),
    ...(ofOptions === null ? [] : ofOptions.announcements),
  ];
  if (claimsProduct && ofProduct === null) announcements.push(idGiven(id, product.externalId));
  if (announcements.length === 0) announcements.push(optionIdsChanged(id, optionIds, former, desired));
  await announce(tx, context, origin, nowMs, ...announcements);
  return write(tx, save, id, {
    statements: [
      ...(ofProduct?.statements ?? []),
      ...(ofOptions?.statements ?? []),
      touchProduct({ id, updatedAt: at }),
    ],
    claimsProduct,
    desired: idsChange ? desired : [],
    released: idsChange ? former.map((row) => row.product_option_id) : [],
    shown: desired,
  });
}

/** A product of before got the id, and has the values already. */
function idGiven(id: number, externalId: string): Announcement {
  return {
    event: 'product.updated',
    subjectType: 'product',
    subjectId: id,
    payload: { productId: id },
    details: { productId: id, externalId },
  };
}

function optionIdsChanged(
  id: number,
  optionIds: readonly number[],
  former: readonly OptionExternalIdRow[],
  desired: readonly OptionExternalIdRow[],
): Announcement {
  return {
    event: 'product_options.updated',
    subjectType: 'product',
    subjectId: id,
    payload: { productId: id, productOptionIds: optionIds },
    details: { externalIds: { from: pairsOf(former), to: pairsOf(desired) } },
  };
}

const absentOptionFields = { name: null, salesPriceCents: null, content: null, upc: null, ...noPotency };

interface Written {
  readonly statements: readonly BoundStatement<unknown>[];
  readonly claimsProduct: boolean;
  /** The ids of options to write. */
  readonly desired: readonly OptionExternalIdRow[];
  /** Options that had ids. */
  readonly released: readonly number[];
  /** All ids of its options; default: the written ones. */
  readonly shown?: readonly OptionExternalIdRow[];
}

/** Writes a product with its ids and reads it again, in one round trip. */
async function write(
  tx: TenantTransaction,
  { integratorId, product: { externalId } }: Save,
  id: number,
  { statements, claimsProduct, desired, released, shown = desired }: Written,
): Promise<SavedProduct> {
  const replies = await tx.run(
    ...statements,
    claimsProduct ? claimProductExternalId({ integratorId, externalId, productId: id }) : null,
    released.length === 0 ? null : releaseOptionExternalIds({ integratorId, optionIds: released }),
    desired.length === 0
      ? null
      : claimOptionExternalIds({
          integratorId,
          externalIds: desired.map((row) => row.external_id),
          optionIds: desired.map((row) => row.product_option_id),
        }),
    ...productStatements([id]),
  );
  // The list's length is unknown to the types; the last seven results are those of the statements above.
  const [claims, , optionClaims, ...rows] = replies.slice(statements.length) as unknown as readonly [
    unknown[],
    unknown[],
    unknown[],
    ...ProductRows,
  ];
  // Another request has given one of the ids away in between.
  if ((claimsProduct && claims.length === 0) || optionClaims.length < desired.length) throw new RetryWrite();
  noteProductDoubts(tx, rows);
  return { id, rows, optionIds: shown };
}

/** A product that was deleted after its id was looked up: looks again. */
function retryIfDeleted(error: unknown): never {
  if (error instanceof Failure && error.code === 'PRODUCT_NOT_FOUND') throw new RetryWrite();
  throw error;
}

/** Ids of options, in an order of their own: for comparisons and the audit. */
function pairsOf(rows: readonly OptionExternalIdRow[]) {
  return rows
    .map((row) => ({ id: row.product_option_id, externalId: row.external_id }))
    .sort((a, b) => a.id - b.id);
}

function externalIdsOf(product: ExternalProduct, optionIds: readonly number[]): OptionExternalIdRow[] {
  return product.optionExternalIds.flatMap((externalId, index) =>
    externalId === null ? [] : [{ product_option_id: optionIds[index]!, external_id: externalId }],
  );
}
