import type { Jurisdiction, PresetTax } from '../jurisdictions/jurisdiction.ts';
import { isExemptable } from '../jurisdictions/jurisdictions.ts';
import { addDays, endOfLocalDateMs, localDateAt } from '../kernel/local-time.ts';
import { withEnd } from './end-tax.ts';
import type { TaxedCategoryRow } from './tax-queries.ts';
import { chargeTheSame, type DatedTax, hasEnded, idSet, type SavedTax } from './tax-settings.ts';

/* What the taxes of a state are to an organization. Pure. */

export interface ComparedPreset {
  /** Of the preset, and there already; with the end that the law gives them. */
  readonly kept: readonly SavedTax[];
  /** Of the same description, but charging something else; with their end. */
  readonly ended: readonly SavedTax[];
  /** Of the preset, and not there yet. */
  readonly missing: readonly DatedTax[];
}

/**
 * Which taxes of the organization are those of the preset (with the end that it gives them), which ones end because
 * it has others of their description, and which of its taxes are not there yet.
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

/** A tax of the organization's with the end and the reading that the preset gives it; the same object where both are there. */
function asTheLawHasIt(tax: SavedTax, preset: DatedTax, nowMs: number): SavedTax {
  const isRead = tax.patients?.rule === preset.patients?.rule && tax.patients?.text === preset.patients?.text;
  if (isRead && tax.endsAtMs === preset.endsAtMs) return tax;
  const patients = preset.patients && { ...preset.patients, decision: tax.patients?.decision ?? null };
  return { ...withEnd(tax, preset.endsAtMs, nowMs), patients };
}

/** A tax as it would be if the owner had not decided what patients owe: the decision outlives another reading of the law. */
function asDecided(tax: SavedTax, preset: DatedTax): SavedTax {
  return tax.patients?.decision == null ? tax : { ...tax, exemptable: preset.exemptable };
}

/** A tax of the law as one of the organization's: its categories for types of cannabis, instants for days. */
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
