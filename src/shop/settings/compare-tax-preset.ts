import type { Jurisdiction, PresetTax } from '../../engines/jurisdictions/jurisdiction.ts';
import { isExemptable } from '../../engines/jurisdictions/jurisdictions.ts';
import { addDays, endOfLocalDateMs, localDateAt } from '../../kernel/local-time.ts';
import { withEnd } from './end-tax.ts';
import type { TaxedCategoryRow } from './tax-queries.ts';
import { chargeTheSame, type DatedTax, hasEnded, idSet, type SavedTax } from './tax-settings.ts';

/* Compares a state's taxes with an organization's. Pure. */

export interface ComparedPreset {
  /** Existing taxes of the preset, with the end in the law. */
  readonly kept: readonly SavedTax[];
  /** Taxes with the same description and another charge, with their new end. */
  readonly ended: readonly SavedTax[];
  /** Taxes of the preset that do not exist yet. */
  readonly missing: readonly DatedTax[];
}

/**
 * The organization's taxes that belong to the preset (with its end dates), those that end because the preset has
 * others with their description, and the preset's taxes that do not exist yet.
 */
export function comparePreset(
  jurisdiction: Jurisdiction,
  timeZone: string,
  taxes: readonly SavedTax[],
  categories: readonly TaxedCategoryRow[],
  nowMs: number,
): ComparedPreset {
  const today = localDateAt(nowMs, timeZone);
  const wanted = jurisdiction.taxes
    .filter(({ effectiveTo }) => effectiveTo === null || effectiveTo >= today)
    .map((preset) => datedTax(preset, categories, today, timeZone, nowMs));
  const left = taxes.filter(
    (tax) => !hasEnded(tax, nowMs) && wanted.some(({ description }) => description === tax.description),
  );
  const kept: SavedTax[] = [];
  const missing: DatedTax[] = [];
  for (const tax of wanted) {
    const at = left.findIndex(
      (it) =>
        it.description === tax.description &&
        chargeTheSame(asDecided(it, tax), tax) &&
        Math.max(it.startsAtMs ?? nowMs, nowMs) === tax.startsAtMs,
    );
    const [same] = at < 0 ? [] : left.splice(at, 1);
    if (same === undefined) missing.push(tax);
    else kept.push(asTheLawHasIt(same, tax, nowMs));
  }
  const ended = left.flatMap((tax) => {
    const successors = wanted.filter(({ description }) => description === tax.description);
    const endsAtMs = Math.min(...successors.map(({ startsAtMs }) => startsAtMs ?? nowMs));
    return tax.endsAtMs !== null && tax.endsAtMs <= endsAtMs ? [] : [withEnd(tax, endsAtMs, nowMs)];
  });
  return { kept, ended, missing };
}

/** The organization's tax with the preset's end and reading; the same object if both are unchanged. */
function asTheLawHasIt(tax: SavedTax, preset: DatedTax, nowMs: number): SavedTax {
  const isRead = tax.patients?.rule === preset.patients?.rule && tax.patients?.text === preset.patients?.text;
  if (isRead && tax.endsAtMs === preset.endsAtMs) return tax;
  const patients = preset.patients && { ...preset.patients, decision: tax.patients?.decision ?? null };
  return { ...withEnd(tax, preset.endsAtMs, nowMs), patients };
}

/** The tax without the owner's decision on patients: the decision survives a new reading of the law. */
function asDecided(tax: SavedTax, preset: DatedTax): SavedTax {
  return tax.patients?.decision == null ? tax : { ...tax, exemptable: preset.exemptable };
}

/** Converts a tax of the law for the organization: cannabis types to its categories, days to instants. */
export function datedTax(
  preset: PresetTax,
  categories: readonly TaxedCategoryRow[],
  today: string,
  timeZone: string,
  nowMs: number,
): DatedTax {
  const categoriesOf = (types: readonly string[]) =>
    idSet(categories.filter((it) => types.includes(it.cannabis_type)).map(({ id }) => id));
  const { effectiveFrom, effectiveTo } = preset;
  const isAhead = effectiveFrom !== null && effectiveFrom > today;
  return {
    description: preset.description,
    rate: preset.rate,
    basis: preset.basis ?? null,
    tier: preset.tier,
    type: preset.type,
    included: preset.included,
    encompass: preset.encompass,
    exemptable: isExemptable(preset),
    appliesToFees: preset.appliesToFees,
    rounding: preset.rounding,
    onlyInDeliveryZones: false,
    customerType: preset.customerType,
    patients: { ...preset.patients, decision: null },
    locality: null,
    ownSource: null,
    excludedProductCategoryIds: categoriesOf(preset.excludedCannabisTypes),
    nonExemptableProductCategoryIds: categoriesOf(preset.nonExemptableCannabisTypes),
    startsAtMs: isAhead ? endOfLocalDateMs(addDays(effectiveFrom, -1), timeZone) : nowMs,
    endsAtMs: effectiveTo === null ? null : endOfLocalDateMs(effectiveTo, timeZone),
  };
}
