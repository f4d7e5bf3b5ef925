import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type { Jurisdiction, LocalDate } from './jurisdiction.ts';
import { factsOf, isInForce, isStale, rulesInForce } from './jurisdictions.ts';
import type { StateLaw } from './law-book.ts';
import { unknownSuccessions } from './law-changes.ts';

/**
 * Warnings about the facts of a state (two capitals), for people: there are none, they were read more than
 * twelve months ago, the law is about to change, a fact ends while nothing is known to follow, or a weak source
 * contradicts them (D36).
 */
export function warningsOnFacts(law: StateLaw, state: string, localDate: LocalDate): string[] {
  return [...warningsBesideTaxes(law, state, localDate), ...warningsOnTaxEnds(law, state, localDate)];
}

/** Warnings about taxes that end while no other rate is known to follow, for people. */
export function warningsOnTaxEnds(law: StateLaw, state: string, localDate: LocalDate): string[] {
  const jurisdiction = law.find(state);
  return jurisdiction === null ? [] : warningsOnEnds(jurisdiction, localDate, true);
}

function warningsOnEnds(jurisdiction: Jurisdiction, localDate: LocalDate, ofTaxes: boolean): string[] {
  return unknownSuccessions(jurisdiction, localDate)
    .filter(({ kind }) => (kind === 'tax') === ofTaxes)
    .map(({ words }) => `The law of ${jurisdiction.name} will change. ${words}`);
}

/** `warningsOnFacts` without the ends of taxes, for places where only limits matter. */
export function warningsBesideTaxes(law: StateLaw, state: string, localDate: LocalDate): string[] {
  const jurisdiction = law.find(state);
  if (jurisdiction === null) return [nothingKnown(state)];
  const { name, gaps } = jurisdiction;
  const facts = factsOf(jurisdiction).filter(
    ({ effectiveTo }) => effectiveTo === null || effectiveTo >= localDate,
  );
  const warnings = facts.length === 0 ? [nothingKnown(name)] : [];
  const stale = facts.filter((fact) => isStale(fact, localDate)).map(({ readOn }) => readOn);
  if (stale.length > 0) {
    const oldest = stale.toSorted()[0];
    warnings.push(
      `${stale.length} of ${facts.length} facts about the law of ${name} were read more than a year ago, the oldest on ` +
        `${oldest}: compare them with the current law.`,
    );
  }
  const pending = new Set(facts.flatMap((fact) => (fact.pending === null ? [] : [fact.pending])));
  warnings.push(...[...pending].map((change) => `The law of ${name} is about to change: ${change}`));
  warnings.push(...warningsOnEnds(jurisdiction, localDate, false));
  for (const { kind, text, source } of gaps) {
    if (kind === 'doubtful') warnings.push(`Not certain for ${name}: ${text} Source: ${source}`);
  }
  return warnings;
}

const nothingKnown = (state: string) =>
  `No fact about the law of ${state} is known here: only the organization's own purchase ` +
  'limits are checked, and the minimum age is 21, or 18 for medical customers.';

const customerTypes = ['adult-use', 'medical'] as const;
type CustomerType = (typeof customerTypes)[number];

/** The forms that an organization sells, and those that its own limits count. */
export interface LimitedForms {
  /** The types of its categories. */
  readonly types: readonly CannabisType[];
  /** The types that its own limits count for customers of a type. */
  readonly ownCounts: (customerType: CustomerType) => readonly CannabisType[];
}

/** Warnings for an organization about the limits that are checked in its state, for people (D36). */
export function warningsOnLimits(
  law: StateLaw,
  state: string,
  localDate: LocalDate,
  forms: LimitedForms,
): string[] {
  const warnings = warningsBesideTaxes(law, state, localDate);
  const jurisdiction = law.find(state);
  if (jurisdiction === null || factsOf(jurisdiction).length === 0) return warnings;
  const { name, purchaseLimits } = jurisdiction;
  const audiences = new Set(
    purchaseLimits.filter((rule) => isInForce(rule, localDate)).map((rule) => rule.audience),
  );
  const unknown = customerTypes.filter((audience) => !audiences.has(audience));
  if (unknown.length > 0) {
    warnings.push(
      `No purchase limits of ${name} for ${unknown.join(' and ')} customers are known here: only the organization's ` +
        'own limits are checked for them.',
    );
  }
  warnings.push(...warningsOnForms(jurisdiction, localDate, forms));
  if (audiences.has('adult-use-non-resident')) {
    warnings.push(
      `${name} has narrower limits for people who do not live there: customers are held to them until their profile ` +
        'has the state where they live.',
    );
  }
  return warnings;
}

/** The forms that no limit counts, for customers with limits; forms with the same audiences share one warning. */
function warningsOnForms(
  jurisdiction: Jurisdiction,
  localDate: LocalDate,
  { types, ownCounts }: LimitedForms,
): string[] {
  const sold = cannabisTypes.filter((type) => type !== 'none' && types.includes(type));
  const forms = customerTypes.map((audience): readonly [string, string] => {
    const rules = rulesInForce(jurisdiction, localDate, audience);
    const counted = new Set([...ownCounts(audience), ...rules.flatMap(({ counts }) => Object.keys(counts))]);
    const uncounted = rules.length === 0 ? [] : sold.filter((type) => !counted.has(type));
    return [audience, uncounted.map((type) => typeNames[type]).join(', ')];
  });
  return [...new Set(forms.map(([, names]) => names))]
    .filter((names) => names !== '')
    .map((names) => {
      const audiences = forms.flatMap(([audience, its]) => (its === names ? [audience] : []));
      return (
        `No purchase limit counts ${names} in ${jurisdiction.name} for ${audiences.join(' and ')} customers: no ` +
        'limit of the state is known here, and the organization has no limit of its own.'
      );
    });
}

/**
 * A warning about discounts that depend on the sale of another item, for people; null when the state does not
 * bar them, or there are no such discounts.
 */
export function warningOnTiedDiscounts(
  law: StateLaw,
  state: string,
  localDate: LocalDate,
  names: readonly string[],
): string | null {
  const jurisdiction = law.find(state);
  const barred = jurisdiction?.tiedDiscountsBarred ?? null;
  if (jurisdiction === null || barred === null || !isInForce(barred, localDate) || names.length === 0)
    return null;
  return (
    `${jurisdiction.name} bars a discount on cannabis that depends on the sale of another item (${barred.citation}): ` +
    `"${names[0]}"${names.length > 1 ? ' and others depend' : ' depends'} on one.`
  );
}
