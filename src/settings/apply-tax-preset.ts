import { lockOrganization, selectOrganization } from '../access/organizations.ts';
import type { Context, Origin } from '../database/context.ts';
import { type Announcement, announce } from '../events/announce.ts';
import type { Jurisdiction, PresetTax } from '../jurisdictions/jurisdiction.ts';
import { findJurisdiction, jurisdictions } from '../jurisdictions/jurisdictions.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { addDays, endOfLocalDateMs, isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import { taxUpdated } from './change-tax.ts';
import { taxCreated, taxValues } from './create-tax.ts';
import { addTaxToZones } from './delivery-zone-queries.ts';
import { endOf, taxEnded, withEnd } from './end-tax.ts';
import { insertTaxes, selectTaxedCategories, selectTaxSettings } from './tax-queries.ts';
import {
  assertTaxFits,
  chargeTheSame,
  type DatedTax,
  hasEnded,
  idSet,
  type SavedTax,
  savedTax,
} from './tax-settings.ts';

interface TaxedCategory {
  readonly id: number;
  readonly cannabis_type: string;
}

export interface AppliedPreset {
  readonly jurisdiction: Jurisdiction;
  /** Of the preset, kept or begun, as they are now. */
  readonly taxes: readonly SavedTax[];
  readonly endedTaxIds: readonly number[];
}

/**
 * Sets up the taxes of a state (by default the organization's): those of today and those that the law has dated
 * ahead. What is there already is kept, so that applying twice changes nothing; a tax of the same description that
 * charges something else ends where its successor begins. Fails with INVALID_PARAMS when no taxes of the state are
 * known, or when they contradict a tax of the organization's own.
 */
export async function applyTaxPreset(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  state: string | undefined,
): Promise<AppliedPreset> {
  return context.database.write(organization, async (tx) => {
    const [[settings], rows, categories] = await tx.run(
      lockOrganization({}),
      selectTaxSettings({}),
      selectTaxedCategories({}),
    );
    assert(settings !== undefined, 'an organization with staff exists');
    const nowMs = context.clock.now();
    const taxes = rows.map(savedTax);
    const { jurisdiction, kept, ended, missing } = decidePreset(settings, taxes, categories, state, nowMs);
    const ids = await context.ids.take(missing.length);
    const begun = missing.map(
      (tax, index): SavedTax => ({ ...tax, id: ids[index]!, createdAtMs: nowMs, updatedAtMs: nowMs }),
    );
    const announcements: Announcement[] = [];
    for (const tax of ended) {
      tx.queue(endOf(tax));
      announcements.push(taxEnded(tax));
    }
    for (const tax of kept.filter((it) => !taxes.includes(it))) {
      tx.queue(endOf(tax));
      announcements.push(taxUpdated(tax));
    }
    tx.queue(...insertTaxes(begun.map(taxValues)));
    for (const tax of begun) {
      const formers = [...ended, ...kept].filter(({ description }) => description === tax.description);
      for (const former of formers) {
        tx.queue(addTaxToZones({ formerId: former.id, id: tax.id, at: isoTimestamp(nowMs) }));
      }
      announcements.push(taxCreated(tax, formers[0]?.id ?? null));
    }
    if (announcements.length > 0) await announce(tx, context, origin, nowMs, ...announcements);
    return {
      jurisdiction,
      taxes: [...kept, ...begun].sort((a, b) => (a.tier === b.tier ? a.id - b.id : a.tier < b.tier ? -1 : 1)),
      endedTaxIds: ended.map(({ id }) => id),
    };
  });
}

/** What applying the preset would do now: writes nothing. Fails as `applyTaxPreset` would. */
export async function previewTaxPreset(
  context: Context,
  organization: OrganizationId,
  state: string | undefined,
): Promise<DecidedPreset> {
  const [[settings], rows, categories] = await context.database.read(
    organization,
    selectOrganization({}),
    selectTaxSettings({}),
    selectTaxedCategories({}),
  );
  assert(settings !== undefined, 'an organization with staff exists');
  return decidePreset(settings, rows.map(savedTax), categories, state, context.clock.now());
}

/** What a preset does to the taxes of an organization. */
export interface DecidedPreset extends ComparedPreset {
  readonly jurisdiction: Jurisdiction;
}

interface ComparedPreset {
  /** Of the preset, and there already; with the end that the law gives them. */
  readonly kept: readonly SavedTax[];
  /** Of the same description, but charging something else; with their end. */
  readonly ended: readonly SavedTax[];
  /** Of the preset, and not there yet. */
  readonly missing: readonly DatedTax[];
}

function decidePreset(
  { state: own, tz }: { readonly state: string; readonly tz: string },
  taxes: readonly SavedTax[],
  categories: readonly TaxedCategory[],
  state: string | undefined,
  nowMs: number,
): DecidedPreset {
  const jurisdiction = coveredState(state ?? own);
  const today = localDateAt(nowMs, tz);
  const wanted = jurisdiction.taxes
    .filter(({ effectiveTo }) => effectiveTo === null || effectiveTo >= today)
    .map((preset) => datedTax(preset, categories, today, tz, nowMs));
  const compared = comparePreset(wanted, taxes, nowMs);
  const { kept, ended, missing } = compared;
  const preset: readonly DatedTax[] = [...kept, ...missing];
  const known = new Set([...kept, ...ended].map(({ id }) => id));
  const all = [...taxes.filter(({ id }) => !known.has(id)), ...ended, ...preset];
  for (const tax of preset) {
    assertTaxFits(
      tax,
      all.filter((other) => other !== tax),
      nowMs,
    );
  }
  return { jurisdiction, ...compared };
}

function coveredState(state: string): Jurisdiction {
  const jurisdiction = findJurisdiction(state);
  if (jurisdiction === null || jurisdiction.taxes.length === 0) {
    const covered = jurisdictions.filter(({ taxes }) => taxes.length > 0).map((it) => it.state);
    throw failure('INVALID_PARAMS', `state must be one whose taxes are known: ${covered.sort().join(', ')}`);
  }
  return jurisdiction;
}

/** A tax of the law as one of the organization's: its categories for types of cannabis, instants for days. */
function datedTax(
  preset: PresetTax,
  categories: readonly TaxedCategory[],
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
    exemptable: preset.exemptable,
    appliesToFees: preset.appliesToFees,
    rounding: preset.rounding,
    onlyInDeliveryZones: false,
    excludedProductCategoryIds: categoriesOf(preset.excludedCannabisTypes),
    nonExemptableProductCategoryIds: categoriesOf(preset.nonExemptableCannabisTypes),
    startsAtMs: isAhead ? endOfLocalDateMs(addDays(effectiveFrom, -1), timeZone) : nowMs,
    endsAtMs: effectiveTo === null ? null : endOfLocalDateMs(effectiveTo, timeZone),
  };
}

/**
 * Which taxes of the organization are those of the preset (with the end that it gives them), which ones end because
 * it has others of their description, and which of its taxes are not there yet.
 */
function comparePreset(
  wanted: readonly DatedTax[],
  taxes: readonly SavedTax[],
  nowMs: number,
): ComparedPreset {
  const left = taxes.filter(
    (tax) => !hasEnded(tax, nowMs) && wanted.some(({ description }) => description === tax.description),
  );
  const kept: SavedTax[] = [];
  const missing: DatedTax[] = [];
  for (const tax of wanted) {
    const at = left.findIndex(
      (it) =>
        it.description === tax.description &&
        chargeTheSame(it, tax) &&
        Math.max(it.startsAtMs ?? nowMs, nowMs) === tax.startsAtMs,
    );
    const [same] = at < 0 ? [] : left.splice(at, 1);
    if (same === undefined) missing.push(tax);
    else kept.push(same.endsAtMs === tax.endsAtMs ? same : withEnd(same, tax.endsAtMs, nowMs));
  }
  const ended = left.flatMap((tax) => {
    const successors = wanted.filter(({ description }) => description === tax.description);
    const endsAtMs = Math.min(...successors.map(({ startsAtMs }) => startsAtMs ?? nowMs));
    return tax.endsAtMs !== null && tax.endsAtMs <= endsAtMs ? [] : [withEnd(tax, endsAtMs, nowMs)];
  });
  return { kept, ended, missing };
}
