import { areComparable, type ContentUnit, contentUnits } from '../../engines/goods/content-units.ts';
import { dutyRows } from '../../engines/jurisdictions/duty.ts';
import type {
  Jurisdiction,
  LocalDate,
  PresetTax,
  Sourced,
  StateLimitRule,
} from '../../engines/jurisdictions/jurisdiction.ts';
import {
  equivalencesOf,
  factsOf,
  isExemptable,
  isInForce,
  isStale,
  rulesInForce,
  taxPresetInForce,
} from '../../engines/jurisdictions/jurisdictions.ts';
import type { LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { findFaultOfBasis, findTaxContradiction } from '../../engines/pricing/taxes.ts';
import { faultsOfDuties } from './duty-faults.ts';

/** A fault of an edition. */
export interface LawFault {
  /** Two-letter state; null: the edition as a whole. */
  readonly state: string | null;
  /** Its path: `purchaseLimits[1].limit.unit`. */
  readonly field: string;
  readonly problem: string;
  /** In the file that was read, from 1. */
  readonly line?: number;
}

/**
 * Contradictions between facts of valid form: days in the wrong order, two limits with one name or two rates of one
 * tax on the same day, taxes that contradict each other, units with different dimensions, facts without a link,
 * confidence without its grounds. None: the edition can be in force. Pure.
 */
export function findLawFaults({ edition, issuedOn, jurisdictions }: LawEdition): LawFault[] {
  const faults: LawFault[] = [];
  if (!edition.startsWith(`${issuedOn}.`)) {
    faults.push({ state: null, field: 'edition', problem: `must begin with issuedOn, ${issuedOn}` });
  }
  const seen = new Set<string>();
  for (const jurisdiction of jurisdictions) {
    const { state } = jurisdiction;
    if (seen.has(state)) faults.push({ state, field: 'state', problem: 'occurs twice' });
    seen.add(state);
    for (const [field, problem] of faultsOfState(jurisdiction, issuedOn))
      faults.push({ state, field, problem });
  }
  return faults;
}

type Fault = readonly [field: string, problem: string];

function faultsOfState(jurisdiction: Jurisdiction, issuedOn: LocalDate): Fault[] {
  return [
    ...placedFacts(jurisdiction).flatMap(([at, fact]) => faultsOfFact(at, fact, issuedOn)),
    ...jurisdiction.purchaseLimits.flatMap((rule, index) => faultsOfLimit(`purchaseLimits[${index}]`, rule)),
    ...faultsOfTaxes(jurisdiction),
    ...faultsOfDuties(jurisdiction),
    ...faultsOfDays(jurisdiction),
    ...jurisdiction.gaps.flatMap(({ kind, source }, index): Fault[] =>
      (kind === 'doubtful') === (source !== undefined)
        ? []
        : [[`gaps[${index}].source`, 'must be present if kind is doubtful, and otherwise absent']],
    ),
  ];
}

/** Every fact with its path. */
function placedFacts(jurisdiction: Jurisdiction): (readonly [string, Sourced])[] {
  const lists = ['minimumAges', 'purchaseLimits', 'taxes'] as const;
  const rules = ['freeProductsBarred', 'taxedBeforeDiscounts', 'tiedDiscountsBarred'] as const;
  return [
    ...lists.flatMap((list) =>
      jurisdiction[list].map((fact, index): readonly [string, Sourced] => [`${list}[${index}]`, fact]),
    ),
    ...jurisdiction.purchaseLimits.flatMap((rule, index) =>
      equivalencesOf(rule).map((it): readonly [string, Sourced] => [
        `purchaseLimits[${index}].counts.${it.cannabisType}`,
        it,
      ]),
    ),
    ...rules.flatMap((rule) => {
      const fact = jurisdiction[rule];
      return fact === null ? [] : [[rule, fact] as const];
    }),
    ...dutyRows(jurisdiction.duties).map(({ name, index, duty }): readonly [string, Sourced] => [
      `duties.${name}[${index}]`,
      duty,
    ]),
  ];
}

function faultsOfFact(at: string, fact: Sourced, issuedOn: LocalDate): Fault[] {
  const { effectiveFrom, effectiveTo, confidence, link, sourceKind, pending, readOn, textOf } = fact;
  const faults: Fault[] = [];
  // The days of an equivalence are those of its limit, which is named for them.
  if (
    !at.includes('.counts.') &&
    effectiveFrom !== null &&
    effectiveTo !== null &&
    effectiveTo < effectiveFrom
  ) {
    faults.push([`${at}.effectiveTo`, `must not be before effectiveFrom, ${effectiveFrom}`]);
  }
  if (link === null)
    faults.push([`${at}.link`, 'must be the address of the law, or of the page that was read']);
  if (readOn > issuedOn) faults.push([`${at}.readOn`, `must not be after the edition's day, ${issuedOn}`]);
  if (textOf !== null && textOf > readOn) {
    faults.push([`${at}.textOf`, `must not be after readOn, ${readOn}`]);
  }
  if (confidence === 'high' && (sourceKind !== 'primary' || pending !== null || isStale(fact, issuedOn))) {
    faults.push([
      `${at}.confidence`,
      'must be medium: high needs a primary text, read in the year before issuedOn, with nothing pending',
    ]);
  }
  return faults;
}

function faultsOfLimit(at: string, { window, cannabisType, limit, counts }: StateLimitRule): Fault[] {
  const faults: Fault[] = [];
  if ((window.kind === 'rolling-days') !== 'days' in window) {
    faults.push([`${at}.window.days`, 'must be present if kind is rolling-days, and otherwise absent']);
  }
  const measure = (field: string, unit: ContentUnit, other: ContentUnit) => {
    if (!areComparable(unit, other)) {
      faults.push([`${at}.${field}`, `is ${unit}, which cannot be compared with ${other}`]);
    }
  };
  if (cannabisType !== 'none') measure('limit.unit', limit.unit, contentUnits[cannabisType]);
  for (const [type, counting] of Object.entries(counts)) {
    const contentUnit = contentUnits[type as keyof typeof contentUnits];
    if (counting === 'one-to-one') {
      measure(`counts.${type}`, contentUnit, limit.unit);
    } else {
      measure(`counts.${type}.amount.unit`, counting.amount.unit, counting.of === 'thc' ? 'mg' : contentUnit);
      measure(`counts.${type}.uses.unit`, counting.uses.unit, limit.unit);
    }
  }
  return faults;
}

function faultsOfTaxes({ taxes }: Jurisdiction): Fault[] {
  const hasPatientsTax = taxes.some(({ customerType }) => customerType === 'medical');
  return taxes.flatMap((tax, index): Fault[] => {
    const { patients, customerType } = tax;
    const at = `taxes[${index}]`;
    const fault = faultOfBasis(tax);
    if (fault !== null) return [[`${at}.basis`, fault]];
    if (customerType === 'medical' && patients.rule !== 'owe') {
      return [[`${at}.patients.rule`, 'must be owe, because the tax is charged to medical customers only']];
    }
    if (patients.rule !== 'other-tax') return [];
    return [
      ...(customerType === 'adult-use'
        ? []
        : [[`${at}.customerType`, 'must be adult-use, because patients owe another tax'] as const]),
      ...(hasPatientsTax
        ? []
        : [[`${at}.patients.rule`, 'other-tax needs that other tax, with customerType medical'] as const]),
    ];
  });
}

/** Why the basis of a tax cannot be charged, in words; null: it can, or there is none. */
function faultOfBasis(tax: PresetTax): string | null {
  const { basis } = tax;
  if (basis === undefined) return null;
  const [needed, other] = basis.kind === 'potency' ? ['brackets', 'cents'] : ['cents', 'brackets'];
  if (!(needed in basis) || other in basis) {
    return `must have ${needed} and no ${other}, because its kind is ${basis.kind}`;
  }
  return findFaultOfBasis(tax, basis);
}

const audiences = ['adult-use', 'adult-use-non-resident', 'medical', 'medical-under-21'] as const;

/** Facts that must not be in force together, on any day. */
function faultsOfDays(jurisdiction: Jurisdiction): Fault[] {
  const faults = new Map<string, Fault>();
  const say = (field: string, problem: string, day: LocalDate) => {
    const key = `${field} ${problem}`;
    if (!faults.has(key)) faults.set(key, [field, `${problem} on ${day}`]);
  };
  for (const day of daysOfChange(jurisdiction)) {
    for (const audience of audiences) {
      for (const name of repeated(rulesInForce(jurisdiction, day, audience).map((rule) => rule.name))) {
        say('purchaseLimits', `two limits "${name}" for ${audience} are in force`, day);
      }
    }
    const ages = jurisdiction.minimumAges.filter((age) => isInForce(age, day));
    for (const audience of repeated(ages.map((age) => age.audience))) {
      say('minimumAges', `two ages for ${audience} are in force`, day);
    }
    const duties = dutyRows(jurisdiction.duties).filter(({ duty }) => isInForce(duty, day));
    for (const name of repeated(duties.map((row) => row.name))) {
      say(`duties.${name}`, 'two rows are in force', day);
    }
    const taxes = taxPresetInForce(jurisdiction, day);
    for (const description of repeated(taxes.map((tax) => tax.description))) {
      say('taxes', `two taxes "${description}" are in force`, day);
    }
    const charged = taxes
      .filter((tax) => faultOfBasis(tax) === null)
      .map((tax, id) => ({
        ...tax,
        id,
        exemptable: isExemptable(tax),
        excludedProductCategoryIds: [],
        nonExemptableProductCategoryIds: [],
      }));
    const contradiction = findTaxContradiction(charged);
    if (contradiction !== null) say('taxes', contradiction, day);
  }
  return [...faults.values()];
}

/** Days on which a fact begins or ends; between them nothing changes. */
function daysOfChange(jurisdiction: Jurisdiction): LocalDate[] {
  const days = factsOf(jurisdiction).flatMap(({ effectiveFrom, effectiveTo }) => [
    effectiveFrom,
    effectiveTo,
  ]);
  return ['0001-01-01', ...new Set(days.filter((day) => day !== null))].sort();
}

function repeated(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
