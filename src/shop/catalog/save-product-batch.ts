import { errorCatalog } from '../../kernel/error-catalog.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { type ExternalProduct, readExternalProduct } from './external-product.ts';
import { missingPotencyUnits } from './product-content.ts';
import { BatchProductBody, type BatchProductRequest } from './product-schemas.ts';
import { saveByExternalId } from './save-by-external-id.ts';

const validate = requestValidator({
  body: BatchProductBody,
  alsoMissing: missingPotencyUnits,
  resourceParams: {},
});

/** Either the id of the saved product, or why it was refused. */
interface BatchResult {
  /** Null: the request had no text there. */
  readonly externalId: string | null;
  readonly id?: number;
  readonly error?: Pick<Failure, 'code' | 'message'> & { readonly meta?: Readonly<Record<string, unknown>> };
}

/** Who sends a batch. */
interface Sender {
  readonly organizationId: OrganizationId;
  readonly integratorId: number;
  /** Unknown names are refused (D5). */
  readonly strict: boolean;
}

/** So many products are saved at a time: while the database writes some, the service decides the next. */
const savedAtOnce = 3;

/**
 * Saves products, each by the rules of `saveByExternalId` and in a transaction of its own, some at a time; with an idempotency key all
 * are in one transaction, one after the other. Resolves to the result of each, in order: a product that is refused stops no other.
 * Those that share an id are saved in their order. Fails only when the service itself does not work; the products that were saved
 * stay saved, and the same batch again changes nothing of them.
 */
export async function saveProductBatch(
  context: Context,
  origin: Origin,
  sender: Sender,
  products: readonly Readonly<Record<string, unknown>>[],
  photoUrl: (location: string) => string,
): Promise<readonly BatchResult[]> {
  const { organizationId, integratorId, strict } = sender;
  const results: BatchResult[] = [];
  const seen = new Set<string>();
  /** What is being saved, with the ids that another product could have, too. */
  const underWay = new Map<Promise<void>, readonly string[]>();
  const atOnce = context.database.isInAmbientTransaction(organizationId) ? 1 : savedAtOnce;
  const faults: unknown[] = [];
  const note = (index: number, externalId: string | null, problem: unknown): void => {
    if (isRefusal(problem)) results[index] = refused(externalId, problem);
    else faults.push(problem);
  };

  const save = async (index: number, product: ExternalProduct): Promise<void> => {
    const write = () => saveByExternalId(context, origin, organizationId, integratorId, product, photoUrl);
    const before = [...underWay.keys()];
    try {
      const saved = await write().catch(async (problem: unknown) => {
        if (!isRefusal(problem) || before.length === 0) throw problem;
        // A product before it may have been in its way, such as one that gives an option's id up.
        await Promise.all(before);
        return write();
      });
      results[index] = { externalId: product.externalId, id: saved.id };
    } catch (problem) {
      note(index, product.externalId, problem);
    }
  };

  for (const [index, sent] of products.entries()) {
    const externalId = typeof sent.externalId === 'string' ? storable(sent.externalId) : null;
    try {
      const { externalId: id, ...request } = validate({}, {}, sent, strict).body as BatchProductRequest;
      if (seen.has(id)) throw failure('INVALID_PARAMS', 'externalId must be unique in the list.');
      seen.add(id);
      const product = readExternalProduct(id, request);
      const ids = idsOf(product);
      const hasToWait = () =>
        underWay.size >= atOnce ||
        [...underWay.values()].some((others) => others.some((other) => ids.includes(other)));
      while (hasToWait()) await Promise.race(underWay.keys());
      if (faults.length > 0) break;
      const saving = save(index, product).finally(() => underWay.delete(saving));
      underWay.set(saving, ids);
    } catch (problem) {
      note(index, externalId, problem);
      if (faults.length > 0) break;
    }
  }
  await Promise.all(underWay.keys());
  if (faults.length > 0) throw faults[0];
  return results;
}

function idsOf({ id, optionExternalIds }: ExternalProduct): string[] {
  const ofOptions = optionExternalIds.filter((optionId) => optionId !== null);
  return [...ofOptions.map((optionId) => `option ${optionId}`), ...(id === null ? [] : [`product ${id}`])];
}

function isRefusal(problem: unknown): problem is Failure {
  return problem instanceof Failure && errorCatalog[problem.code].status < 500;
}

function refused(externalId: string | null, { code, message, meta }: Failure): BatchResult {
  return { externalId, error: { code, message, ...(meta !== undefined && { meta }) } };
}

/** The start of a text, as a reply can repeat it. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, 200)).toString();
}
