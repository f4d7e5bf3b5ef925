import { lockOrganization, selectOrganization } from '../../access/organizations/organizations.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { taxUpdated } from './change-tax.ts';
import { type ComparedPreset, comparePreset } from './compare-tax-preset.ts';
import { taxCreated, taxValues } from './create-tax.ts';
import { addTaxToZones } from './delivery-zone-queries.ts';
import { endOf, taxEnded } from './end-tax.ts';
import {
  insertTaxes,
  selectTaxedCategories,
  selectTaxSettings,
  type TaxedCategoryRow,
} from './tax-queries.ts';
import { assertTaxFits, type DatedTax, type SavedTax, savedTax } from './tax-settings.ts';
import { undecidedTaxes } from './undecided-taxes.ts';

interface AppliedPreset extends PresetFacts {
  /** The taxes of the preset, kept or started, in their new state. */
  readonly taxes: readonly SavedTax[];
  readonly endedTaxIds: readonly number[];
}

/**
 * Sets up the taxes of a state (default: the organization's): those of today and those that the law has dated ahead.
 * Existing ones are kept, so that applying twice changes nothing; a tax with the same description and another charge
 * ends where its successor begins. Fails with INVALID_PARAMS when no taxes of the state are known, or when they
 * contradict a tax of the organization's own.
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
    const decided = decidePreset(context.law.current, settings, taxes, categories, state, nowMs);
    const { kept, ended, missing } = decided;
    const ids = await context.ids.take(missing.length);
    const begun = missing.map(
      (tax, index): SavedTax => ({ ...tax, id: ids[index]!, createdAtMs: nowMs, updatedAtMs: nowMs }),
    );
    const formerOf = new Map(taxes.map((tax) => [tax.id, tax]));
    const announcements: Announcement[] = [];
    for (const tax of ended) {
      tx.queue(endOf(tax));
      announcements.push(taxEnded(formerOf.get(tax.id)!, tax));
    }
    for (const tax of kept.filter((it) => !taxes.includes(it))) {
      tx.queue(endOf(tax));
      announcements.push(taxUpdated(formerOf.get(tax.id)!, tax));
    }
    tx.queue(...insertTaxes(begun.map(taxValues)));
    for (const tax of begun) {
      const formers = [...ended, ...kept].filter(({ description }) => description === tax.description);
      for (const former of formers) {
        tx.queue(addTaxToZones({ formerId: former.id, id: tax.id, at: isoTimestamp(nowMs) }));
      }
      announcements.push(taxCreated(tax, formers[0] && formerOf.get(formers[0].id)));
    }
    if (announcements.length > 0) await announce(tx, context, origin, nowMs, ...announcements);
    return {
      ...decided,
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
  const nowMs = context.clock.now();
  return decidePreset(context.law.current, settings, rows.map(savedTax), categories, state, nowMs);
}

/** The changes of an organization's taxes by a preset. */
interface DecidedPreset extends ComparedPreset, PresetFacts {}

/** The facts that a preset uses. */
export interface PresetFacts {
  readonly law: Law;
  readonly jurisdiction: Jurisdiction;
  /** The organization's local day. */
  readonly today: string;
  /** The organization's taxes that patients may owe. */
  readonly undecided: readonly DatedTax[];
}

function decidePreset(
  law: Law,
  { state: own, tz }: { readonly state: string; readonly tz: string },
  taxes: readonly SavedTax[],
  categories: readonly TaxedCategoryRow[],
  state: string | undefined,
  nowMs: number,
): DecidedPreset {
  const jurisdiction = coveredState(law, state ?? own);
  const compared = comparePreset(jurisdiction, tz, taxes, categories, nowMs);
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
  const today = localDateAt(nowMs, tz);
  return { law, jurisdiction, today, undecided: undecidedTaxes(preset), ...compared };
}

function coveredState(law: Law, state: string): Jurisdiction {
  const jurisdiction = law.find(state);
  if (jurisdiction === null || jurisdiction.taxes.length === 0) {
    const covered = law.edition.jurisdictions.filter(({ taxes }) => taxes.length > 0).map((it) => it.state);
    throw failure('INVALID_PARAMS', `state must be one whose taxes are known: ${covered.sort().join(', ')}`);
  }
  return jurisdiction;
}
