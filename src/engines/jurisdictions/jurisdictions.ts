import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import { dutyRows } from './duty.ts';
import type {
  Audience,
  Confidence,
  Equivalence,
  Jurisdiction,
  LocalDate,
  PresetTax,
  Provenance,
  Sourced,
  StateLimitRule,
} from './jurisdiction.ts';
import { alaska } from './us-ak.ts';
import { arizona } from './us-az.ts';
import { california } from './us-ca.ts';
import { colorado } from './us-co.ts';
import { connecticut } from './us-ct.ts';
import { delaware } from './us-de.ts';
import { illinois } from './us-il.ts';
import { massachusetts } from './us-ma.ts';
import { maryland } from './us-md.ts';
import { maine } from './us-me.ts';
import { michigan } from './us-mi.ts';
import { minnesota } from './us-mn.ts';
import { missouri } from './us-mo.ts';
import { montana } from './us-mt.ts';
import { newJersey } from './us-nj.ts';
import { newMexico } from './us-nm.ts';
import { nevada } from './us-nv.ts';
import { newYork } from './us-ny.ts';
import { ohio } from './us-oh.ts';
import { oregon } from './us-or.ts';
import { rhodeIsland } from './us-ri.ts';
import type { UsState } from './us-states.ts';
import { virginia } from './us-va.ts';
import { vermont } from './us-vt.ts';
import { washington } from './us-wa.ts';

/** Every state with facts or gaps, by name: a line here registers its file. */
const stateFiles = {
  AK: alaska,
  AZ: arizona,
  CA: california,
  CO: colorado,
  CT: connecticut,
  DE: delaware,
  IL: illinois,
  ME: maine,
  MD: maryland,
  MA: massachusetts,
  MI: michigan,
  MN: minnesota,
  MO: missouri,
  MT: montana,
  NV: nevada,
  NJ: newJersey,
  NM: newMexico,
  NY: newYork,
  OH: ohio,
  OR: oregon,
  RI: rhodeIsland,
  VT: vermont,
  VA: virginia,
  WA: washington,
} as const satisfies Partial<Record<UsState, Jurisdiction>>;

/** A state of this release. */
export type ShippedState = keyof typeof stateFiles;

/** The two capitals of each state. */
export const registeredStates = Object.keys(stateFiles) as ShippedState[];

/** The states as a list. Requests use the edition in force instead: `law-book.ts`. */
export const jurisdictions: readonly Jurisdiction[] = Object.values(stateFiles);

/** Whether a fact is in force on a local day, including its first and last days. */
export function isInForce({ effectiveFrom, effectiveTo }: Sourced, localDate: LocalDate): boolean {
  return (
    (effectiveFrom === null || effectiveFrom <= localDate) &&
    (effectiveTo === null || localDate <= effectiveTo)
  );
}

const widerAudiences: Readonly<Partial<Record<Audience, Audience>>> = {
  'adult-use-non-resident': 'adult-use',
  'medical-under-21': 'medical',
};

/**
 * The limits of an audience on a local day: those of the wider audience where the state has none for the
 * narrower one. Limits of two audiences are never added.
 */
export function rulesInForce(
  { purchaseLimits }: Jurisdiction,
  localDate: LocalDate,
  audience: Audience,
): StateLimitRule[] {
  const rulesOf = (whose: Audience | undefined) =>
    purchaseLimits.filter((rule) => rule.audience === whose && isInForce(rule, localDate));
  const rules = rulesOf(audience);
  return rules.length > 0 ? rules : rulesOf(widerAudiences[audience]);
}

/** The taxes of a state on a local day, in its order, without local taxes and gaps. */
export function taxPresetInForce({ taxes }: Jurisdiction, localDate: LocalDate): PresetTax[] {
  return taxes.filter((tax) => isInForce(tax, localDate));
}

/**
 * Whether tax-exempt customers do not pay a tax (D35): where the law exempts patients, and where it is unknown
 * whether they owe it.
 */
export function isExemptable({ patients: { rule } }: PresetTax): boolean {
  return rule === 'exempt' || rule === 'not-known';
}

/** Whether a patient's card exempts from some tax of the state (D35). */
export function exemptsPatients(jurisdiction: Jurisdiction, localDate: LocalDate): boolean {
  return taxPresetInForce(jurisdiction, localDate).some(isExemptable);
}

/** In years; null when no age is confirmed (D34 defines the age then). */
export function minimumAgeInForce(
  { minimumAges }: Jurisdiction,
  localDate: LocalDate,
  audience: 'adult-use' | 'medical',
): number | null {
  return minimumAges.find((age) => age.audience === audience && isInForce(age, localDate))?.years ?? null;
}

/** An equivalence with the form that it counts and the days of its limit. */
export interface PlacedEquivalence extends Equivalence, Sourced {
  readonly cannabisType: Exclude<CannabisType, 'none'>;
}

/** The equivalences of a limit, in the order of the types. */
export function equivalencesOf({
  counts,
  effectiveFrom,
  effectiveTo,
}: Pick<StateLimitRule, 'counts' | 'effectiveFrom' | 'effectiveTo'>): PlacedEquivalence[] {
  return cannabisTypes.flatMap((cannabisType) => {
    if (cannabisType === 'none') return [];
    const counting = counts[cannabisType];
    if (counting === undefined || counting === 'one-to-one') return [];
    return [{ ...counting, cannabisType, effectiveFrom, effectiveTo }];
  });
}

/** Every fact of a state, equivalences included. */
export function factsOf(jurisdiction: Jurisdiction): Sourced[] {
  const { minimumAges, purchaseLimits, taxes } = jurisdiction;
  const { freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred } = jurisdiction;
  const rules = [freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred].filter((it) => it !== null);
  return [
    ...minimumAges,
    ...purchaseLimits.flatMap((rule) => [rule, ...equivalencesOf(rule)]),
    ...taxes,
    ...rules,
    ...dutyRows(jurisdiction.duties).map(({ duty }) => duty),
  ];
}

/** The day on which the oldest fact of the state was read; null without facts. */
export function oldestReading(jurisdiction: Jurisdiction): LocalDate | null {
  return factsOf(jurisdiction).reduce<LocalDate | null>(
    (oldest, { readOn }) => (oldest === null || readOn < oldest ? readOn : oldest),
    null,
  );
}

/** Whether more than twelve months have passed since a fact was read. */
export function isStale({ readOn }: Pick<Provenance, 'readOn'>, localDate: LocalDate): boolean {
  const [year, monthAndDay] = [readOn.slice(0, 4), readOn.slice(4)];
  return localDate > `${Number(year) + 1}${monthAndDay}`;
}

/** The confidence in a fact on a day: not high when it was read more than a year ago, or a change is pending. */
export function confidenceOn(fact: Provenance, localDate: LocalDate): Confidence {
  return fact.pending !== null || isStale(fact, localDate) ? 'medium' : fact.confidence;
}
