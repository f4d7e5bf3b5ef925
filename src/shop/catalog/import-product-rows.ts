import Type, { type Static } from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { quotedText } from '../../kernel/quoted-text.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { Flag, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { insertOptions, insertProducts } from './catalog-queries.ts';
import { optionDoubts } from './content-doubt.ts';
import { insertContentDoubts } from './content-doubt-queries.ts';
import { keyOf, NameBook, type NamedProduct } from './import-names.ts';
import { contentIn, readStatedMeasures, type StatedContent } from './imported-measures.ts';
import { withAltTexts } from './imported-photos.ts';
import { type NewProduct, newProductRows, photoCount, readNewProduct } from './new-product.ts';
import { missingPotencyUnits, type OptionContent, readOptions } from './product-content.ts';
import { selectProductsAlike, selectProductsOfUpcs } from './product-import-queries.ts';
import { addPhotos } from './product-photos.ts';
import { CreateProductBody, type CreateProductRequest, inventoryTypes } from './product-schemas.ts';
import { WeightTolerance } from './show-on-menu.ts';

/** What an export says beside the body of a new product. */
const Exported = Type.Object({
  cannabisType: OneOf(cannabisTypes),
  brandDescription: Type.Optional(Nullable(Text({ max: 10_000 }))),
  inventoryType: OneOf(inventoryTypes),
  isActive: Flag(),
  isFeatured: Flag(),
  isCompliant: Flag(),
  weightTolerance: Type.Optional(Nullable(WeightTolerance)),
});

const validate = requestValidator({
  body: Type.Object({ ...CreateProductBody.properties, exported: Type.Optional(Exported) }),
  alsoMissing: missingPotencyUnits,
  resourceParams: {},
});

/** A product of an import, whose contents may have a unit that must fit its category. */
export interface ImportedProduct extends NewProduct, NamedProduct {
  /** By the option's index; for the other options, `content` has the requested value. */
  readonly statedContents: ReadonlyMap<number, StatedContent>;
}

/**
 * Parses one product of an import: the body of `POST products`, with unknown names refused, and sizes that may include
 * their unit, and alternative texts that may stand beside the photos. A product of an export (exported-product.ts) also brings
 * its category, and what staff have set. Fails as that operation does.
 */
export function readProductRow(sent: unknown): ImportedProduct {
  const { body, contents } = readStatedMeasures(withAltTexts(sent));
  // The validator has checked it by the schema of this type.
  const { exported, ...request } = validate({}, {}, body, true).body as CreateProductRequest & {
    readonly exported?: Static<typeof Exported>;
  };
  const read = { ...readNewProduct(request), statedContents: contents };
  if (exported === undefined) return { ...read, made: null };
  const { cannabisType, brandDescription = null, ...kept } = exported;
  return { ...read, kept, made: { cannabisType, brandDescription } };
}

/** The keys that distinguish a product from all others of a file: its codes, and its name with brand and category. */
export function productRowKeys({ request, names }: NewProduct): readonly string[] {
  const upcs = request.options.flatMap(({ upc }) => (upc?.trim() ? [`upc ${upc}`] : []));
  return [...upcs, JSON.stringify([request.name, names.brandName ?? '', names.category!].map(keyOf))];
}

interface ImportOptions {
  readonly isTrial: boolean;
  /** Gets the options of each valid row without a known UPC, as they are or would be stored. */
  readonly onOptions?: (row: ImportedProduct, options: readonly OptionContent[]) => void;
  /** Queues what is to commit together with the created products. */
  readonly onCreated?: (tx: TenantTransaction, ids: readonly number[]) => void;
}

/**
 * Adds many products in one transaction, by the same rules as one (D43–D46), each with an audit entry and an event. A
 * product with an existing UPC, or else with an existing name, brand and category, stays unchanged. Resolves to the
 * result of each, in order. `isTrial` writes nothing; ids are then 0.
 *
 * The rows must have distinct keys: the same product twice in one call would be created twice.
 */
export async function importProductRows(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly ImportedProduct[],
  { isTrial, onOptions, onCreated }: ImportOptions,
): Promise<ImportOutcome[]> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const names = new NameBook(rows);
    await names.find(tx);
    const codes = await productsOfCodes(tx, rows);
    const outcomes = new Map<ImportedProduct, ImportOutcome>();
    const candidates: Candidate[] = [];
    for (const row of rows) {
      const decided = decideRow(row, names, codes);
      if ('kind' in decided) outcomes.set(row, decided);
      else candidates.push(decided);
    }
    for (const { row, id } of await alikeOf(tx, candidates, names)) outcomes.set(row, { kind: 'known', id });
    const fresh = candidates.filter(({ row }) => !outcomes.has(row));
    if (onOptions !== undefined) for (const { row, options } of candidates) onOptions(row, options);
    if (isTrial) {
      for (const candidate of fresh) outcomes.set(candidate.row, created(0, candidate));
    } else {
      await names.create(tx, context, origin, nowMs, fresh);
      const ids = await queueProducts(tx, context, origin, nowMs, fresh, names);
      onCreated?.(tx, ids);
      for (const [index, candidate] of fresh.entries()) {
        outcomes.set(candidate.row, created(ids[index]!, candidate));
      }
    }
    return rows.map((row) => outcomes.get(row)!);
  });
}

/** A valid row, which is created unless it already exists. */
interface Candidate {
  readonly row: ImportedProduct;
  /** Null: it is made with the product. */
  readonly categoryId: number | null;
  readonly options: readonly OptionContent[];
  /** Why the content of each option is doubted; null: no doubt. */
  readonly doubts: readonly (string | null)[];
}

function created(id: number, { doubts }: Candidate): ImportOutcome {
  const warnings = doubts.flatMap((reason, index) =>
    reason === null ? [] : [{ path: `options[${index}].content`, message: `the option ${reason}` }],
  );
  return { kind: 'created', id, ...(warnings.length > 0 && { warnings }) };
}

function decideRow(
  row: ImportedProduct,
  names: NameBook,
  productOfCode: ReadonlyMap<string, ProductOfCode>,
): Candidate | ImportOutcome {
  try {
    const category = names.category(row);
    const type = category?.cannabis_type ?? row.made?.cannabisType;
    if (type === undefined) {
      // The report adds the text of the file, which a mapping may have replaced.
      throw failure(
        'PRODUCT_CATEGORY_NOT_FOUND',
        'category is not a category of the organization; it must be the name of one of its categories.',
      );
    }
    if (row.made !== null && row.made.cannabisType !== type) {
      // The contents of its options have the unit of their type.
      throw failure(
        'INVALID_PARAMS',
        `category must be of the type ${row.made.cannabisType}, as where the product comes from: here it is ${type}.`,
      );
    }
    const sent = row.request.options.map((option, index) => {
      const stated = row.statedContents.get(index);
      if (stated === undefined) return option;
      return { ...option, content: contentIn(stated, type, `options[${index}].content`) };
    });
    const options = readOptions(sent, () => null, type);
    const known = knownByCode(row, options, productOfCode);
    if (known !== null) return known;
    return {
      row,
      categoryId: category?.id ?? null,
      options,
      doubts: optionDoubts(row.request, type, options),
    };
  } catch (problem) {
    if (problem instanceof Failure) return { kind: 'refused', problem };
    throw problem;
  }
}

interface ProductOfCode {
  readonly id: number;
  readonly name: string;
}

/** The existing product with the codes of these options. Fails when the codes belong to several. */
function knownByCode(
  { request }: ImportedProduct,
  options: readonly OptionContent[],
  productOfCode: ReadonlyMap<string, ProductOfCode>,
): ImportOutcome | null {
  let known: (ProductOfCode & { readonly index: number }) | null = null;
  for (const [index, { upc }] of options.entries()) {
    const found = upc === null ? undefined : productOfCode.get(upc);
    if (found === undefined) continue;
    known ??= { ...found, index };
    if (known.id === found.id) continue;
    throw failure(
      'INVALID_PARAMS',
      `options[${index}].upc must not be that of product ${found.id}: another option has that of product ${known.id}.`,
    );
  }
  if (known === null) return null;
  const { id, name, index } = known;
  if (lettersOf(name) === lettersOf(request.name)) return { kind: 'known', id };
  // The code may be wrong, in the file or here (D84).
  const message =
    `is the UPC of product ${id}, ${quotedText(name)}, so ${quotedText(request.name)} was taken for it: ` +
    'check the code if they are two products';
  return { kind: 'known', id, warnings: [{ path: `options[${index}].upc`, message }] };
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

async function productsOfCodes(
  tx: TenantTransaction,
  rows: readonly NewProduct[],
): Promise<ReadonlyMap<string, ProductOfCode>> {
  const upcs = rows.flatMap(({ request }) => request.options.flatMap(({ upc }) => (upc ? [upc] : [])));
  if (upcs.length === 0) return new Map();
  const [found] = await tx.run(selectProductsOfUpcs({ upcs }));
  // If several products have the code, the first.
  return new Map(found.reverse().map(({ upc, product_id: id, name }) => [upc, { id, name }]));
}

/** The existing products by name, brand and category. A product with a new brand cannot exist yet. */
async function alikeOf(
  tx: TenantTransaction,
  candidates: readonly Candidate[],
  names: NameBook,
): Promise<readonly { readonly row: ImportedProduct; readonly id: number }[]> {
  const asked = candidates.flatMap(({ row, categoryId }) => {
    const brandId = names.brandId(row);
    return brandId === undefined || categoryId === null ? [] : [{ row, categoryId, brandId }];
  });
  if (asked.length === 0) return [];
  const [alike] = await tx.run(
    selectProductsAlike({
      names: asked.map(({ row }) => row.request.name),
      brandIds: asked.map(({ brandId }) => brandId ?? 0),
      categoryIds: asked.map(({ categoryId }) => categoryId),
    }),
  );
  return alike.map(({ at, id }) => ({ row: asked[at - 1]!.row, id }));
}

async function queueProducts(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  fresh: readonly Candidate[],
  names: NameBook,
): Promise<readonly number[]> {
  const ids = await context.ids.take(fresh.length);
  const made = await Promise.all(
    fresh.map(async ({ row, options, categoryId }, index) =>
      newProductRows(
        row,
        options,
        {
          id: ids[index]!,
          optionIds: await context.ids.take(options.length),
          photoIds: await context.ids.take(photoCount(row)),
        },
        {
          categoryId: categoryId ?? names.category(row)!.id,
          brandId: names.brandId(row)!,
          subCategoryIds: names.subCategoryIds(row),
          createdAt: isoTimestamp(nowMs),
        },
      ),
    ),
  );
  tx.queue(
    ...insertProducts(made.map(({ product }) => product)),
    ...insertOptions(made.flatMap(({ options }) => options)),
    ...addPhotos(made.flatMap(({ photos }) => photos)),
  );
  const doubted = made.flatMap(({ options }, at) =>
    options.flatMap((option, index) => (fresh[at]!.doubts[index] === null ? [] : [option.id])),
  );
  if (doubted.length > 0) tx.queue(insertContentDoubts({ optionIds: doubted }));
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...ids.map((id) => ({
      event: 'product.created' as const,
      subjectType: 'product' as const,
      subjectId: id,
      payload: { productId: id },
    })),
  );
  return ids;
}
