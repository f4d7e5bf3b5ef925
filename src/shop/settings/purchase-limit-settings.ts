import type { LimitWindow } from '../../engines/purchase-limits/limit-window.ts';
import type { Counting } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { type CannabisType, cannabisTypes } from '../../kernel/cannabis-type.ts';
import { areComparable, type ContentUnit, contentUnits } from '../../kernel/content-units.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { type Locality, type OwnSource, readLocality, readOwnSource } from './locality.ts';
import type { LimitedCustomers, PurchaseLimitRuleRow } from './purchase-limit-queries.ts';

type LimitedType = Exclude<CannabisType, 'none'>;

/** How content of a type counts: one to one, or `amount` of it counts as `countsAs` of the limit. */
export interface CountSettings {
  readonly cannabisType: LimitedType;
  readonly amount?: string | null;
  readonly unit?: ContentUnit | null;
  readonly countsAs?: string | null;
  readonly countsAsUnit?: ContentUnit | null;
}

/** A rule as staff write it; amounts are decimal text. */
export interface LimitSettings {
  readonly name: string;
  readonly customerType: LimitedCustomers;
  readonly cannabisType: LimitedType;
  readonly limit: string;
  readonly unit: ContentUnit;
  readonly window: LimitWindow['kind'];
  readonly windowDays?: number | null;
  /** Default: the rule's own type, one to one. */
  readonly counts?: readonly CountSettings[];
  /** Default: everywhere. */
  readonly locality?: Locality | null;
  readonly ownSource?: OwnSource | null;
  /** First and last local day; default: open. */
  readonly startsOn?: string | null;
  readonly endsOn?: string | null;
}

const conversionFields = ['amount', 'unit', 'countsAs', 'countsAsUnit'] as const;

/** Paths of fields that are required because of other fields; the body can have any shape. */
export function missingLimitFields(body: unknown): string[] {
  const { window, windowDays, counts } = (body ?? {}) as Record<string, unknown>;
  const missing = window === 'rolling-days' && isAbsent(windowDays) ? ['windowDays'] : [];
  for (const [index, count] of (Array.isArray(counts) ? counts : []).entries()) {
    if (typeof count !== 'object' || count === null) continue;
    const fields = count as Record<string, unknown>;
    const absent = conversionFields.filter((field) => isAbsent(fields[field]));
    if (absent.length === conversionFields.length) continue;
    missing.push(...absent.map((field) => `counts[${index}].${field}`));
  }
  return missing;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Fails with MISSING_PARAMS or INVALID_PARAMS when the fields of a rule contradict each other. */
export function assertLimitFits(settings: LimitSettings): void {
  const missing = missingLimitFields(settings);
  if (missing.length > 0) {
    throw failure('MISSING_PARAMS', `Required but absent: ${missing.join(', ')}.`, { missing });
  }
  const { cannabisType, unit, window, windowDays } = settings;
  if (settings.name.trim() === '') throw failure('INVALID_PARAMS', 'name must not be blank');
  if (window !== 'rolling-days' && !isAbsent(windowDays)) {
    throw failure('INVALID_PARAMS', 'windowDays must be absent or null unless window is rolling-days');
  }
  const { startsOn, endsOn } = settings;
  if (startsOn != null && endsOn != null && endsOn < startsOn) {
    throw failure('INVALID_PARAMS', `endsOn must not be before startsOn (${startsOn})`);
  }
  assertMeasures('unit', unit, cannabisType);
  const seen = new Set<string>();
  for (const [index, count] of countsOf(settings).entries()) {
    const at = `counts[${index}]`;
    if (seen.has(count.cannabisType)) {
      throw failure('INVALID_PARAMS', `${at}.cannabisType must not be named twice: ${count.cannabisType}`);
    }
    seen.add(count.cannabisType);
    assertCountFits(at, count, unit);
  }
}

function assertCountFits(at: string, count: CountSettings, limitUnit: ContentUnit): void {
  const conversion = conversionOf(count);
  const contentUnit = contentUnits[count.cannabisType];
  if (conversion === null) {
    if (areComparable(contentUnit, limitUnit)) return;
    throw failure(
      'INVALID_PARAMS',
      `${at} must say what it counts as (amount, unit, countsAs, countsAsUnit): ${count.cannabisType} is measured in ${contentUnit}, the limit in ${limitUnit}`,
    );
  }
  assertMeasures(`${at}.unit`, conversion.amount.unit, count.cannabisType);
  if (!areComparable(conversion.uses.unit, limitUnit)) {
    throw failure(
      'INVALID_PARAMS',
      `${at}.countsAsUnit must measure what unit of the limit does: ${limitUnit}`,
    );
  }
}

function assertMeasures(path: string, unit: ContentUnit, cannabisType: LimitedType): void {
  const contentUnit = contentUnits[cannabisType];
  if (areComparable(unit, contentUnit)) return;
  throw failure(
    'INVALID_PARAMS',
    `${path} must measure the content of ${cannabisType}, which is in ${contentUnit}`,
  );
}

function countsOf({ counts, cannabisType }: LimitSettings): readonly CountSettings[] {
  return counts ?? [{ cannabisType }];
}

function conversionOf({
  amount,
  unit,
  countsAs,
  countsAsUnit,
}: CountSettings): Exclude<Counting, 'one-to-one'> | null {
  if (amount == null || unit == null || countsAs == null || countsAsUnit == null) return null;
  return {
    amount: { amount: canonicalDecimalText(amount), unit },
    uses: { amount: canonicalDecimalText(countsAs), unit: countsAsUnit },
  };
}

/** The columns of a valid rule. */
export function limitColumns(settings: LimitSettings) {
  const counts = countsOf(settings).map((count) => [count.cannabisType, conversionOf(count) ?? 'one-to-one']);
  return {
    name: settings.name.trim(),
    customerType: settings.customerType,
    cannabisType: settings.cannabisType,
    limitAmount: settings.limit,
    limitUnit: settings.unit,
    limitWindow: settings.window,
    windowDays: settings.windowDays ?? null,
    counts: JSON.stringify(Object.fromEntries(counts)),
    ...holding(settings),
  };
}

/** The columns of a rule's locality, dates and source. */
function holding({ locality, ownSource, startsOn = null, endsOn = null }: LimitSettings) {
  const [where, written] = [readLocality(locality ?? null), readOwnSource(ownSource ?? null)];
  return {
    locality: where && JSON.stringify(where),
    source: written && JSON.stringify(written),
    startsOn,
    endsOn,
  };
}

/** A stored rule as staff write it; counting only its own type one to one is the default and left out. */
export function limitSettingsOf(row: PurchaseLimitRuleRow): LimitSettings {
  const counts = shownCounts(row.counts);
  const [first] = counts;
  const isDefault =
    counts.length === 1 && first!.cannabisType === row.cannabis_type && first!.amount === null;
  return {
    name: row.name,
    customerType: row.customer_type,
    cannabisType: row.cannabis_type,
    limit: canonicalDecimalText(row.limit_amount),
    unit: row.limit_unit,
    window: row.limit_window,
    windowDays: row.window_days,
    ...(!isDefault && { counts }),
    locality: row.locality,
    ownSource: row.source,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
  };
}

/** A rule as the audit records it: all fields; equal rules are equal objects. */
export function toldLimit(settings: LimitSettings) {
  const { limitAmount, limitUnit, limitWindow, source: _, ...columns } = limitColumns(settings);
  const counts = Object.fromEntries(
    countsOf(settings).map((count) => [count.cannabisType, conversionOf(count) ?? 'one-to-one']),
  );
  return {
    ...columns,
    limit: canonicalDecimalText(limitAmount),
    unit: limitUnit,
    window: limitWindow,
    counts,
    locality: readLocality(settings.locality ?? null),
    ownSource: readOwnSource(settings.ownSource ?? null),
  };
}

/** The types that a rule counts, each with its conversion or nulls. */
export function shownCounts(counts: Readonly<Partial<Record<CannabisType, Counting>>>) {
  return (Object.entries(counts) as [LimitedType, Counting][]).map(([cannabisType, counting]) => {
    const { amount, uses } = counting === 'one-to-one' ? { amount: null, uses: null } : counting;
    return {
      cannabisType,
      amount: amount?.amount ?? null,
      unit: amount?.unit ?? null,
      countsAs: uses?.amount ?? null,
      countsAsUnit: uses?.unit ?? null,
    };
  });
}

/** The database does not keep the order of the list. */
export function inOrderOfTypes<Count extends { readonly cannabisType: LimitedType }>(
  shown: readonly Count[],
): Count[] {
  return shown.toSorted(
    (a, b) => cannabisTypes.indexOf(a.cannabisType) - cannabisTypes.indexOf(b.cannabisType),
  );
}
