import type { Context, Origin } from '../database/context.ts';
import { requestValidator } from '../http/request-validation.ts';
import { errorCatalogue } from '../kernel/error-catalogue.ts';
import { Failure, failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { readExternalProduct } from './external-product.ts';
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

/**
 * Saves products one after the other, each by the rules of `saveByExternalId` and in a transaction of its own. Resolves
 * to the result of each, in order: a product that is refused stops no other. Fails only when the service itself does
 * not work; the products before stay saved, and the same batch again changes nothing of them.
 */
export async function saveProductBatch(
  context: Context,
  origin: Origin,
  sender: Sender,
  products: readonly Readonly<Record<string, unknown>>[],
  photoUrl: (location: string) => string,
): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = [];
  const seen = new Set<string>();
  for (const product of products) {
    const { externalId: sent } = product;
    const externalId = typeof sent === 'string' ? storable(sent) : null;
    try {
      const { externalId: id, ...request } = validate({}, {}, product, sender.strict)
        .body as BatchProductRequest;
      if (seen.has(id)) {
        throw failure('INVALID_PARAMS', 'externalId must be unique in the list.');
      }
      seen.add(id);
      const saved = await saveByExternalId(
        context,
        origin,
        sender.organizationId,
        sender.integratorId,
        readExternalProduct(id, request),
        photoUrl,
      );
      results.push({ externalId: id, id: saved.id });
    } catch (problem) {
      if (!(problem instanceof Failure) || errorCatalogue[problem.code].status >= 500) throw problem;
      const { code, message, meta } = problem;
      results.push({ externalId, error: { code, message, ...(meta !== undefined && { meta }) } });
    }
  }
  return results;
}

/** The start of a text, as a reply can repeat it. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, 200)).toString();
}
