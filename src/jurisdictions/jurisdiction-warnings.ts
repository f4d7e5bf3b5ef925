import { type CannabisType, cannabisTypes } from '../kernel/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type { Jurisdiction, LocalDate } from './jurisdiction.ts';
import { factsOf, isInForce, isStale, rulesInForce } from './jurisdictions.ts';
import type { StateLaw } from './law-book.ts';

/**
 * What is wrong with what is known of a state (two capitals), for people: that it is nothing, that it was read more than
 * twelve months ago, that it is about to change, or that a weak source says otherwise (D36).
 */
export function warningsOnFacts(law: StateLaw, state: string, localDate: LocalDate): string[] {
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
        `${oldest}: compare them with the law of today.`,
    );
  }
  const pending = new Set(facts.flatMap((fact) => (fact.pending === null ? [] : [fact.pending])));
  warnings.push(...[...pending].map((change) => `The law of ${name} is about to change: ${change}`));
  for (const { kind, text, source } of gaps) {
    if (kind === 'doubtful') warnings.push(`Not certain for ${name}: ${text} Source: ${source}`);
  }
  return warnings;
}

const nothingKnown = (state: string) =>
  `No fact about the law of ${state} is known here: the only purchase limits that are checked are the organization's ` +
  'own, and the minimum age is 21, for medical customers 18.';

const customerTypes = ['adult-use', 'medical'] as const;
type CustomerType = (typeof customerTypes)[number];

/** What an organization sells, and what it limits by itself. */
export interface LimitedForms {
  /** Of its categories. */
  readonly types: readonly CannabisType[];
  /** What its own limits count for customers of a type. */
  readonly ownCounts: (customerType: CustomerType) => readonly CannabisType[];
}

/** What an organization in a state should know of the limits that are checked for it, for people (D36). */
export function warningsOnLimits(
  law: StateLaw,
  state: string,
  localDate: LocalDate,
  forms: LimitedForms,
): string[] {
  const warnings = warningsOnFacts(law, state, localDate);
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
        'own are checked for them.',
    );
  }
  warnings.push(...warningsOnForms(jurisdiction, localDate, forms));
  if (audiences.has('adult-use-non-resident')) {
    warnings.push(
      `${name} has narrower limits for customers from elsewhere. They are not checked: a profile does not say where ` +
        'somebody lives.',
    );
  }
  return warnings;
}

/** Which forms no limit counts for customers who have limits; those that are the same for all are said once. */
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
        `No purchase limit counts ${names} in ${jurisdiction.name} for ${audiences.join(' and ')} customers: none of ` +
        'the state is known here, and the organization has none of its own.'
      );
    });
}

/**
 * What a state holds against discounts that hang on the sale of another item, for people; null when it bars none, or
 * there are none of these names.
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
    `${jurisdiction.name} bars a discount on cannabis that hangs on the sale of another item (${barred.citation}): ` +
    `"${names[0]}"${names.length > 1 ? ' and others are' : ' is'} of the kind buy-x-get-y.`
  );
}
