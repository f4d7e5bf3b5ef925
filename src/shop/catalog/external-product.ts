import { canonicalDecimalText, decimalTextOfNumber } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OptionRow } from './catalog-queries.ts';
import type { OptionExternalIdRow } from './external-id-queries.ts';
import { type NewProduct, readNewProduct } from './new-product.ts';
import { refuseNoCode } from './product-codes.ts';
import { blankToNull } from './product-content.ts';
import type { SaveProductRequest, UpdateProductRequest } from './product-schemas.ts';

/** Products as an integrator keeps them, under ids of its own (D71). Pure. */

export interface ExternalProduct {
  readonly externalId: string;
  /** The stored product that gets the id; null: a new one, or the one that has it. */
  readonly id: number | null;
  readonly sent: NewProduct;
  /** The change that makes a stored product equal to the request. */
  readonly replacement: UpdateProductRequest;
  /** The ids of its options, in their order; null: without one. */
  readonly optionExternalIds: readonly (string | null)[];
}

/** What a whole product has for details that the request leaves out. */
const withoutDetails = { strain: null, sku: null, terpenes: [], effects: [], flavours: [], labResults: [] };

/** A parsed request. Fails with INVALID_PARAMS and MISSING_PARAMS. */
export function readExternalProduct(externalId: string, request: SaveProductRequest): ExternalProduct {
  refuseNoCode(externalId, 'externalId');
  for (const [index, option] of request.options.entries()) {
    refuseNoCode(option.externalId, `options[${index}].externalId`);
  }
  const sent = readNewProduct(request);
  const optionExternalIds = request.options.map((option) => option.externalId ?? null);
  const again = optionExternalIds.findIndex(
    (id, index) => id !== null && optionExternalIds.indexOf(id) < index,
  );
  if (again >= 0) throw failure('INVALID_PARAMS', `options[${again}].externalId must be unique in the list.`);
  const { options: _, id = null, ...fields } = request;
  return {
    externalId,
    id,
    sent,
    replacement: {
      ...withoutDetails,
      ...fields,
      ...sent.potency,
      description: request.description ?? '',
      brandName: request.brandName ?? null,
    },
    optionExternalIds,
  };
}

/**
 * The stored option for each option of a request, or null for a new one: the option with its id; else one without an id
 * of this integrator that has its name and amount. Another order, or an id that is new to an option, makes no new
 * option, so that it keeps its stock.
 */
export function matchOptions(
  { sent, optionExternalIds }: Pick<ExternalProduct, 'sent' | 'optionExternalIds'>,
  options: readonly OptionRow[],
  former: readonly OptionExternalIdRow[],
): readonly (number | null)[] {
  const optionOf = new Map(former.map((row) => [row.external_id, row.product_option_id]));
  const byId = optionExternalIds.map((externalId) =>
    externalId === null ? null : (optionOf.get(externalId) ?? null),
  );
  const taken = new Set(byId);
  const named = new Set(optionOf.values());
  return sent.request.options.map((option, index) => {
    const known = byId[index]!;
    if (known !== null) return known;
    const name = blankToNull(option.name ?? null);
    const amount = decimalTextOfNumber(option.amount, 6);
    // An option of the request without an id may take one that has an id in the table: then the id goes.
    const found = options.find(
      (row) =>
        !taken.has(row.id) &&
        (optionExternalIds[index] === null || !named.has(row.id)) &&
        row.name === name &&
        canonicalDecimalText(row.amount) === amount,
    );
    if (found === undefined) return null;
    taken.add(found.id);
    return found.id;
  });
}
