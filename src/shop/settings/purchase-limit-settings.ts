import { type CannabisType, cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { areComparable, type ContentUnit, contentUnits } from '../../engines/goods/content-units.ts';
import type { Counting, LimitWindow } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';

type LimitedType = Exclude<CannabisType, 'none'>;

/** How content of a type counts: one to one, or `amount` of it counts as `countsAs` of the limit. */
interface CountSettings {
  readonly cannabisType: LimitedType;
  readonly amount?: string | null;
  readonly unit?: ContentUnit | null;
  readonly countsAs?: string | null;
  readonly countsAsUnit?: ContentUnit | null;
  readonly of?: 'content' | 'thc';
}

/** How the content of each type counts. */
export type LimitedCounts = Readonly<Partial<Record<LimitedType, Counting>>>;

/** The fields of a rule that depend on each other, as they are stored; amounts are decimal text. */
export interface LimitSettings {
  readonly name: string;
  readonly cannabisType: LimitedType;
  readonly unit: ContentUnit;
  readonly window: LimitWindow['kind'];
  readonly windowDays: number | null;
  readonly counts: LimitedCounts;
  /** First and last local day; null: open. */
  readonly startsOn: string | null;
  readonly endsOn: string | null;
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

/** The counts as they are stored. Fails with MISSING_PARAMS for half a conversion, INVALID_PARAMS for a type named twice. */
export function readCounts(counts: readonly CountSettings[]): LimitedCounts {
  refuseMissing(missingLimitFields({ counts }));
  const twice = counts.findIndex(
    ({ cannabisType }, index) => counts.findIndex((it) => it.cannabisType === cannabisType) < index,
  );
  if (twice >= 0) {
    throw failure(
      'INVALID_PARAMS',
      `counts[${twice}].cannabisType must not be named twice: ${counts[twice]!.cannabisType}`,
    );
  }
  const unconverted = counts.findIndex((count) => count.of === 'thc' && conversionOf(count) === null);
  if (unconverted >= 0) {
    throw failure(
      'INVALID_PARAMS',
      `counts[${unconverted}] must say what its THC counts as (amount, unit, countsAs, countsAsUnit)`,
    );
  }
  return Object.fromEntries(counts.map((count) => [count.cannabisType, conversionOf(count) ?? 'one-to-one']));
}

function refuseMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw failure('MISSING_PARAMS', `Required but absent: ${missing.join(', ')}.`, { missing });
}

/**
 * What follows from the sent fields of a rule: no days without the window that needs them, and, unless counts are
 * given, those of its own type, one to one. Fails with MISSING_PARAMS or INVALID_PARAMS when fields contradict each
 * other.
 */
export function completeLimit(
  sent: Partial<LimitSettings>,
  former: LimitSettings | null,
): Pick<LimitSettings, 'windowDays' | 'counts'> {
  const wanted = { ...former, ...sent } as LimitSettings;
  const { cannabisType, window } = wanted;
  const formerDays = window === 'rolling-days' ? (former?.windowDays ?? null) : null;
  const completed = {
    windowDays: sent.windowDays === undefined ? formerDays : sent.windowDays,
    counts: isDefault(sent.counts ?? former?.counts, former)
      ? { [cannabisType]: 'one-to-one' as const }
      : wanted.counts,
  };
  assertLimitFits({ ...wanted, ...completed });
  return completed;
}

/** None are given, or those of the former rule's own type only. */
function isDefault(counts: LimitedCounts | undefined, former: LimitSettings | null): boolean {
  const types = Object.keys(counts ?? {});
  if (types.length === 0) return true;
  return (
    former !== null &&
    counts === former.counts &&
    types.length === 1 &&
    counts[former.cannabisType] === 'one-to-one'
  );
}

function assertLimitFits(settings: LimitSettings): void {
  const { cannabisType, unit, window, windowDays } = settings;
  refuseMissing(missingLimitFields({ window, windowDays }));
  if (settings.name === '') throw failure('INVALID_PARAMS', 'name must not be blank');
  if (window !== 'rolling-days' && windowDays !== null) {
    throw failure('INVALID_PARAMS', 'windowDays must be absent or null unless window is rolling-days');
  }
  const { startsOn, endsOn } = settings;
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) {
    throw failure('INVALID_PARAMS', `endsOn must not be before startsOn (${startsOn})`);
  }
  assertMeasures('unit', unit, cannabisType);
  for (const [index, count] of shownCounts(settings.counts).entries()) {
    assertCountFits(`counts[${index}]`, count, unit);
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
  if (conversion.of !== 'thc') assertMeasures(`${at}.unit`, conversion.amount.unit, count.cannabisType);
  else if (!areComparable(conversion.amount.unit, 'mg')) {
    throw failure('INVALID_PARAMS', `${at}.unit must be a weight of THC, such as mg`);
  }
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

function conversionOf({
  amount,
  unit,
  countsAs,
  countsAsUnit,
  of,
}: CountSettings): Exclude<Counting, 'one-to-one'> | null {
  if (amount == null || unit == null || countsAs == null || countsAsUnit == null) return null;
  return {
    amount: { amount: canonicalDecimalText(amount), unit },
    uses: { amount: canonicalDecimalText(countsAs), unit: countsAsUnit },
    ...(of === 'thc' && { of }),
  };
}

/** The types that a rule counts, each with its conversion or nulls. */
export function shownCounts(counts: Readonly<Partial<Record<CannabisType, Counting>>>) {
  return (Object.entries(counts) as [LimitedType, Counting][]).map(([cannabisType, counting]) => {
    const {
      amount,
      uses,
      of = 'content' as const,
    } = counting === 'one-to-one' ? { amount: null, uses: null } : counting;
    return {
      cannabisType,
      amount: amount?.amount ?? null,
      unit: amount?.unit ?? null,
      countsAs: uses?.amount ?? null,
      countsAsUnit: uses?.unit ?? null,
      of,
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
