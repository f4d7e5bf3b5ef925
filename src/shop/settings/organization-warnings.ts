import type { EndingKeyRow } from '../../access/keys/client-key-queries.ts';
import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import {
  type LimitedForms,
  warningOnTiedDiscounts,
  warningsOnLimits,
  warningsOnTaxEnds,
} from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import { isStale } from '../../engines/jurisdictions/jurisdictions.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { warningsOnEditions } from '../../engines/jurisdictions/law-notices.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { taxesInForce } from './cart-taxes.ts';
import { comparePreset, datedTax } from './compare-tax-preset.ts';
import type { OwnSource } from './locality.ts';
import { type OrganizationSettings, offerOf, orderTypes } from './organization-settings.ts';
import { isLimitInForce } from './own-limits.ts';
import type { PurchaseLimitRuleRow } from './purchase-limit-setting.ts';
import { doubtedProductsMax } from './settings-queries.ts';
import type { TaxedCategoryRow, TaxSettingsRow } from './tax-queries.ts';
import { chargeTheSame, type DatedTax, hasEnded, type SavedTax, savedTax } from './tax-settings.ts';
import { undecidedTaxes, warningsOnPatients } from './undecided-taxes.ts';

/* Warnings about valid settings that are probably mistakes. Pure. */

/** The organization's data besides its settings. */
interface SetUp {
  /** All of them, including past and future ones. */
  readonly taxes: readonly TaxSettingsRow[];
  /** Includes deleted ones. */
  readonly categories: readonly TaxedCategoryRow[];
  readonly ownLimits: readonly PurchaseLimitRuleRow[];
  /** Discounts that depend on the sale of another item and have not ended. */
  readonly tiedDiscounts: readonly { readonly name: string }[];
  /** Products with an option whose content contradicts its size; at most `doubtedProductsMax`. */
  readonly doubtedProducts: readonly { readonly id: number; readonly name: string }[];
  /** Webhook endpoints that the service has switched off. */
  readonly switchedOff: readonly { readonly url: string; readonly switched_off_at: number }[];
  /** Client keys that end soon. */
  readonly endingKeys: readonly EndingKeyRow[];
}

/** Warnings for the owner, in words. */
export function warningsOf(
  law: Law,
  settings: OrganizationSettings,
  { taxes, categories, ownLimits, tiedDiscounts, doubtedProducts, switchedOff, endingKeys }: SetUp,
  nowMs: number,
): string[] {
  const { state, tz } = settings;
  const today = localDateAt(nowMs, tz);
  const warnings = warningsOnLimits(law, state, today, limitedForms(categories, ownLimits, today));
  warnings.push(...warningsOnTaxEnds(law, state, today), ...warningsOnEditions(law, state, nowMs));
  const tied = warningOnTiedDiscounts(
    law,
    state,
    today,
    tiedDiscounts.map(({ name }) => name),
  );
  if (tied !== null) warnings.push(tied);
  warnings.push(...warningsOnInclusion(settings.taxesIncluded, taxesInForce(taxes, nowMs)));
  const liveTaxes = taxes.map(savedTax).filter((tax) => !hasEnded(tax, nowMs));
  warnings.push(...warningsOnOwnSources([...liveTaxes, ...liveLimitsOf(ownLimits, today)], today));
  warnings.push(...warningsOnPatients(undecidedTaxes(liveTaxes)));
  warnings.push(...warningsOnPreset(law.find(state), settings, taxes.map(savedTax), categories, nowMs));
  warnings.push(...warningsOnContents(doubtedProducts));
  warnings.push(...switchedOff.map((it) => warningOnSwitchedOff(it, tz)));
  warnings.push(...endingKeys.map((key) => warningOnEndingKey(key, tz)));
  for (const type of orderTypes) {
    if (settings[offerOf[type]] && settings.locationsByOrderType[type].length === 0) {
      warnings.push(`Orders of the type ${type} are offered, but have no location: none can be sold.`);
    }
  }
  return warnings;
}

function warningOnEndingKey(key: EndingKeyRow, tz: string): string {
  const day = localDateAt(key.expires_at, tz);
  return `The client key ${key.name} of ${key.integrator_name} ends on ${day}: issue another one before, or its requests are refused.`;
}

/**
 * The cannabis types of all categories that are not deleted, with the types that the organization's own limits count.
 */
export function limitedForms(
  categories: readonly TaxedCategoryRow[],
  ownLimits: readonly PurchaseLimitRuleRow[],
  today: string,
): LimitedForms {
  const everywhere = ownLimits.filter((rule) => rule.locality === null && isLimitInForce(rule, today));
  return {
    types: categories.filter((it) => !it.is_deleted).map((it) => it.cannabis_type),
    ownCounts: (customerType) =>
      everywhere
        .filter(({ customerType: type }) => type === 'all' || type === customerType)
        .flatMap(({ counts }) => Object.keys(counts) as CannabisType[]),
  };
}

function liveLimitsOf(rules: readonly PurchaseLimitRuleRow[], today: string) {
  return rules
    .filter(({ endsOn }) => endsOn === null || endsOn >= today)
    .map(({ name, ownSource }) => ({ description: name, ownSource }));
}

/** The owner's sources age like the shipped ones. */
function warningsOnOwnSources(
  rules: readonly { readonly description: string; readonly ownSource: OwnSource | null }[],
  today: string,
): string[] {
  const stale = rules.filter(({ ownSource }) => ownSource !== null && isStale(ownSource, today));
  if (stale.length === 0) return [];
  const names = quoted(new Set(stale.map(({ description }) => description)));
  return [
    `The sources of own taxes and limits were read more than a year ago: ${names}. Compare them with the current law.`,
  ];
}

/** A content that is too small allows larger sales than the law. */
function warningsOnContents(products: SetUp['doubtedProducts']): string[] {
  if (products.length === 0) return [];
  const first = products.slice(0, namesMax).map(({ id, name }) => `"${name}" (product ${id})`);
  const others = products.length - first.length;
  const more = products.length < doubtedProductsMax ? `${others} more` : 'others';
  return [
    `Options whose content contradicts their size: of ${first.join(', ')}${others > 0 ? ` and ${more}` : ''}. Purchase limits count the content. Correct the content, or the name or the amount of the option, in the catalog; \`dispensary check-contents\` lists every such option for the service's operator.`,
  ];
}

/** Nothing is sent until a person enables it again, so the shop has to know. The path of the address may hold a secret. */
function warningOnSwitchedOff(
  { url, switched_off_at: at }: SetUp['switchedOff'][number],
  tz: string,
): string {
  return `The webhook endpoint at ${new URL(url).host} was switched off on ${localDateAt(at, tz)}: it only failed, or answered 410. When it works again, an owner enables it under Integrations, Webhooks; it continues with the event at which it stopped.`;
}

/** With a mix of included and added taxes, as in Washington, no setting could be correct. */
function warningsOnInclusion(
  taxesIncluded: boolean,
  live: readonly { readonly description: string; readonly included: boolean }[],
): string[] {
  const [first] = live;
  if (first === undefined) {
    return ['No tax is in force: prices contain no tax, and none is added.'];
  }
  if (live.some(({ included }) => included === taxesIncluded)) return [];
  return [
    taxesIncluded
      ? `taxesIncluded says that prices contain the taxes, but the tax "${first.description}" is added to prices.`
      : `taxesIncluded says that taxes are added to prices, but the tax "${first.description}" is included in them.`,
  ];
}

/**
 * The changes that applying the state's preset again would make: because categories were added or changed since, or
 * because the known law has changed. A tax belongs to the preset by what it charges, whatever its categories. A tax
 * that staff have changed is their own, and their choice for existing categories is not a mistake.
 */
function warningsOnPreset(
  jurisdiction: Jurisdiction | null,
  { tz }: OrganizationSettings,
  taxes: readonly SavedTax[],
  categories: readonly TaxedCategoryRow[],
  nowMs: number,
): string[] {
  if (jurisdiction === null) return [];
  const { ended, missing } = comparePreset(jurisdiction, tz, taxes, categories, nowMs);
  const today = localDateAt(nowMs, tz);
  const presets = jurisdiction.taxes.map((preset) => datedTax(preset, categories, today, tz, nowMs));
  const ofPreset = taxes.filter(
    (tax) => !hasEnded(tax, nowMs) && presets.some((other) => isSameTax(tax, other)),
  );

  const outdated = new Set<string>();
  const changed = new Set<string>();
  const changedCategories = new Set<string>();
  for (const tax of ofPreset) {
    const successors = missing.filter(({ description }) => description === tax.description);
    const same = successors.find((other) => isSameTax(tax, other));
    const isReplaced = ended.some(({ id }) => id === tax.id);
    if (same === undefined || !isReplaced) {
      if (isReplaced || successors.length > 0) outdated.add(tax.description);
      continue;
    }
    for (const { id, name, is_deleted: isDeleted, updated_at: updatedAtMs } of categories) {
      if (isDeleted || updatedAtMs < tax.createdAtMs || treatsAlike(tax, same, id)) continue;
      changed.add(tax.description);
      changedCategories.add(name);
    }
  }
  const again = (descriptions: ReadonlySet<string>) =>
    `applying the preset again would change ${quoted(descriptions)}.`;
  return [
    ...(changed.size === 0
      ? []
      : [
          `Since the taxes of ${jurisdiction.name} were set up, categories were added or changed that they treat differently from its preset (${quoted(changedCategories)}): ${again(changed)}`,
        ]),
    ...(outdated.size === 0
      ? []
      : [
          `The taxes of ${jurisdiction.name} that are set up differ from those that are known here today: ` +
            again(outdated),
        ]),
  ];
}

/** Whether two taxes with one description charge the same, on any categories. */
function isSameTax(a: DatedTax, b: DatedTax): boolean {
  const { excludedProductCategoryIds, nonExemptableProductCategoryIds } = a;
  return (
    a.description === b.description &&
    chargeTheSame(a, { ...b, excludedProductCategoryIds, nonExemptableProductCategoryIds })
  );
}

function treatsAlike(a: DatedTax, b: DatedTax, categoryId: number): boolean {
  return (
    a.excludedProductCategoryIds.includes(categoryId) === b.excludedProductCategoryIds.includes(categoryId) &&
    a.nonExemptableProductCategoryIds.includes(categoryId) ===
      b.nonExemptableProductCategoryIds.includes(categoryId)
  );
}

const namesMax = 3;

/** The first names of a list; names are long, and a warning is one sentence. */
function quoted(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length > namesMax ? ` and ${all.length - namesMax} more` : '';
  return `${all
    .slice(0, namesMax)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`;
}
