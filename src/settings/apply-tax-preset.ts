import { lockOrganization } from '../access/organizations.ts';
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
    const jurisdiction = coveredState(state ?? settings.state);
    const nowMs = context.clock.now();
    const today = localDateAt(nowMs, settings.tz);
    const wanted = jurisdiction.taxes
      .filter(({ effectiveTo }) => effectiveTo === null || effectiveTo >= today)
      .map((preset) => datedTax(preset, categories, today, settings.tz, nowMs));

    const taxes = rows.map(savedTax);
    const { kept, ended, missing } = comparePreset(wanted, taxes, nowMs);
    const ids = await context.ids.take(missing.length);
    const begun = missing.map(
      (tax, index): SavedTax => ({ ...tax, id: ids[index]!, createdAtMs: nowMs, updatedAtMs: nowMs }),
    );
    const preset = [...kept, ...begun];
    const compared = new Set([...kept, ...ended].map(({ id }) => id));
    const all = [...taxes.filter(({ id }) => !compared.has(id)), ...ended, ...preset];
    for (const tax of preset) {
      assertTaxFits(
        tax,
        all.filter((other) => other !== tax),
        nowMs,
      );
    }

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
      taxes: preset.sort((a, b) => (a.tier === b.tier ? a.id - b.id : a.tier < b.tier ? -1 : 1)),
      endedTaxIds: ended.map(({ id }) => id),
    };
  });
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
  categories: readonly { readonly id: number; readonly cannabis_type: string }[],
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
function comparePreset(wanted: readonly DatedTax[], taxes: readonly SavedTax[], nowMs: number) {
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
