import { isDeepStrictEqual } from 'node:util';
import type { TaxBasis } from '../../engines/goods/tax-basis.ts';
import type { CartTax } from '../../engines/pricing/pricing-facts.ts';
import { findFaultOfBasis, findTaxContradiction } from '../../engines/pricing/taxes.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Locality, OwnSource } from './locality.ts';
import type { TaxedCustomers, TaxOnPatients, TaxRow, TaxSettingsRow } from './tax-queries.ts';

/** A tax with its time. It is in force from its start until before its end. */
export interface DatedTax extends Omit<CartTax, 'id' | 'basis'> {
  /** Null: the rate, of the price. */
  readonly basis: TaxBasis | null;
  /** Charged only on deliveries to the zones that name it. */
  readonly onlyInDeliveryZones: boolean;
  readonly customerType: TaxedCustomers;
  /** Null: set up manually, without a reading of the law. */
  readonly patients: TaxOnPatients | null;
  /** Null: applies everywhere. */
  readonly locality: Locality | null;
  /** Null: no source. */
  readonly ownSource: OwnSource | null;
  /** Milliseconds since the epoch; null: open. */
  readonly startsAtMs: number | null;
  /** Null: open. At or before the start: it was withdrawn before it began. */
  readonly endsAtMs: number | null;
}

export interface SavedTax extends DatedTax {
  readonly id: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A tax in the form of the pricing engine. Previews pass the same rows repeatedly. */
export const cartTax = memoizeByObject(readCartTax);

function readCartTax(row: TaxRow): CartTax {
  return {
    id: row.id,
    description: row.description,
    rate: row.rate,
    basis: row.basis,
    tier: row.tier,
    type: row.type,
    included: row.included,
    encompass: row.encompass,
    exemptable: row.exemptable,
    appliesToFees: row.applies_to_fees,
    rounding: row.rounding,
    excludedProductCategoryIds: row.excluded_category_ids,
    nonExemptableProductCategoryIds: row.non_exemptable_category_ids,
  };
}

/** A tax with the fields of its settings. */
export function savedTax(row: TaxSettingsRow): SavedTax {
  return {
    ...cartTax(row),
    rate: canonicalDecimalText(row.rate),
    basis: row.basis,
    onlyInDeliveryZones: row.only_in_zones,
    customerType: row.customer_type,
    patients: row.patients,
    locality: row.locality,
    ownSource: row.source,
    startsAtMs: row.starts_at,
    endsAtMs: row.ends_at,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at ?? row.created_at,
  };
}

/** The audit's values of a tax, with the API's field names. */
export function toldTax({
  startsAtMs,
  endsAtMs,
  id: _,
  createdAtMs: __,
  updatedAtMs: ___,
  ...tax
}: SavedTax) {
  return {
    ...tax,
    excludedProductCategoryIds: idSet(tax.excludedProductCategoryIds),
    nonExemptableProductCategoryIds: idSet(tax.nonExemptableProductCategoryIds),
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
}

/** Category ids in canonical form: each once, in order, so that equal sets are equal lists. */
export function idSet(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Whether two taxes charge the same, ignoring description and time. */
export function chargeTheSame(a: DatedTax, b: DatedTax): boolean {
  return (
    a.rate === b.rate &&
    isDeepStrictEqual(a.basis ?? null, b.basis ?? null) &&
    a.tier === b.tier &&
    a.type === b.type &&
    a.included === b.included &&
    a.encompass === b.encompass &&
    a.exemptable === b.exemptable &&
    a.appliesToFees === b.appliesToFees &&
    a.rounding === b.rounding &&
    a.onlyInDeliveryZones === b.onlyInDeliveryZones &&
    a.customerType === b.customerType &&
    isDeepStrictEqual(a.locality, b.locality) &&
    String(idSet(a.excludedProductCategoryIds)) === String(idSet(b.excludedProductCategoryIds)) &&
    String(idSet(a.nonExemptableProductCategoryIds)) === String(idSet(b.nonExemptableProductCategoryIds))
  );
}

/** Whether a tax has ended at an instant. A future one has not. */
export function hasEnded({ endsAtMs }: DatedTax, atMs: number): boolean {
  return endsAtMs !== null && endsAtMs <= atMs;
}

/** Fails with INVALID_PARAMS when a category is unknown; those in `known` belonged to the tax before. */
export function assertCategoriesExist(
  tax: Pick<DatedTax, 'excludedProductCategoryIds' | 'nonExemptableProductCategoryIds'>,
  categories: readonly { readonly id: number }[],
  known: readonly number[] = [],
): void {
  const ids = new Set([...categories.map(({ id }) => id), ...known]);
  for (const field of ['excludedProductCategoryIds', 'nonExemptableProductCategoryIds'] as const) {
    const unknown = tax[field].find((id) => !ids.has(id));
    if (unknown !== undefined) {
      throw failure('INVALID_PARAMS', `${field} must be ids of product categories; ${unknown} is none`);
    }
  }
}

/**
 * Fails with INVALID_PARAMS when a tax contradicts itself, or another one while both are in force. The time before
 * `nowMs` is not checked: it no longer affects charges.
 */
export function assertTaxFits(tax: DatedTax, others: readonly DatedTax[], nowMs: number): void {
  const startsAtMs = tax.startsAtMs ?? nowMs;
  if (tax.endsAtMs !== null && tax.endsAtMs <= startsAtMs) {
    throw failure('INVALID_PARAMS', `endsAt must be after startsAt (${isoTimestamp(startsAtMs)})`);
  }
  if (tax.included && tax.appliesToFees) {
    throw failure(
      'INVALID_PARAMS',
      'appliesToFees must be false for a tax that is included in prices: a fee includes no tax',
    );
  }
  const fault = tax.basis == null ? null : findFaultOfBasis(tax, tax.basis);
  if (fault !== null) throw failure('INVALID_PARAMS', fault);
  for (const other of others) {
    if (!overlap(tax, other, nowMs)) continue;
    const contradiction = findTaxContradiction([
      { ...tax, id: 1 },
      { ...other, id: 2 },
    ]);
    if (contradiction !== null) throw failure('INVALID_PARAMS', `encompass: ${contradiction}`);
  }
}

function overlap(a: DatedTax, b: DatedTax, fromMs: number): boolean {
  const begin = Math.max(a.startsAtMs ?? fromMs, b.startsAtMs ?? fromMs, fromMs);
  return begin < Math.min(a.endsAtMs ?? Number.POSITIVE_INFINITY, b.endsAtMs ?? Number.POSITIVE_INFINITY);
}
