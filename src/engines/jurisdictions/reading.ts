import type { Duty, DutyKind, DutyName, DutyValues } from './duty.ts';
import type { Equivalence, LocalDate, Provenance, Quantity, Sourced } from './jurisdiction.ts';

/** How and when a fact was read: the part of its source that defines its age. */
type Reading = Pick<Provenance, 'link' | 'sourceKind' | 'readOn' | 'textOf' | 'pending'>;

type Details = Partial<Pick<Reading, 'readOn' | 'textOf' | 'pending'>>;

/** The day on which all states were read for the first time. */
export const compiledOn: LocalDate = '2026-11-20';

/** The day on which the compiled facts were checked against newer sources. */
export const checkedOn: LocalDate = '2026-11-23';

/** The day on which links and texts of single rows were looked up again. */
export const verifiedOn: LocalDate = '2026-11-24';

/** The day on which the duties of shops, and what had changed since, were looked up. */
export const reviewedOn: LocalDate = '2026-11-27';

/** The text of the law, or a page of its authority, was read. */
export function primary(link: string | null, details: Details = {}): Reading {
  return { link, sourceKind: 'primary', readOn: compiledOn, textOf: null, pending: null, ...details };
}

/** A text by others about the law was read. The link leads to the law if it has a public address. */
export function secondary(link: string | null, details: Details = {}): Reading {
  return { ...primary(link, details), sourceKind: 'secondary' };
}

/** "8 g" of a form counts as "1 oz" of its limit, by its own source. */
export function equivalence(amount: string, uses: string, source: Provenance | Sourced): Equivalence {
  // The days of an equivalence are those of its limit.
  const { effectiveFrom: _, effectiveTo: __, ...provenance } = source as Sourced;
  return { amount: quantityOf(amount), uses: quantityOf(uses), ...provenance };
}

/** "250 mg" of the THC in a form counts as "1 g" of its limit; the same amount twice: its THC counts as it is. */
export function thcEquivalence(amount: string, uses: string, source: Provenance | Sourced): Equivalence {
  return { ...equivalence(amount, uses, source), of: 'thc' };
}

function quantityOf(text: string): Quantity {
  const space = text.indexOf(' ');
  return { amount: text.slice(0, space), unit: text.slice(space + 1) as Quantity['unit'] };
}

/** The source of a duty: medium confidence, in force before 2024 and open, unless it says otherwise. */
type DutySource = Pick<Sourced, 'citation' | 'source'> &
  Partial<Pick<Sourced, 'confidence' | 'effectiveFrom' | 'effectiveTo' | 'readOn' | 'textOf' | 'pending'>> & {
    readonly link: string;
  };

const sourcedAs =
  (read: (link: string, details: Details) => Reading) =>
  ({ link, readOn = reviewedOn, textOf = null, pending = null, ...fact }: DutySource): Sourced => ({
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'medium',
    ...fact,
    ...read(link, { readOn, textOf, pending }),
  });

/** The text of the law, or a page of its authority, says so. */
export const lawSays = sourcedAs(primary);
/** Others say so. */
export const othersSay = sourcedAs(secondary);

/** The only row of a duty: the law has not changed since, and no change is dated. */
export function duty<Name extends DutyName>(
  kind: DutyKind,
  value: DutyValues[Name],
  source: Sourced,
  { ownerMayOverride = false }: { readonly ownerMayOverride?: boolean } = {},
): readonly Duty<Name>[] {
  return [{ kind, ownerMayOverride, value, ...source }];
}

/** The daily work of reporting sales: people do it, until the service is connected to the state's system. */
export function reportedTo(
  system: string,
  deadline: string | null,
  words: string,
  source: Sourced,
): readonly Duty<'reporting'>[] {
  return duty<'reporting'>('by-hand', { system, deadline, words }, source);
}

/** Where sales are reported to Metrc. */
export function metrc(
  deadline: string | null,
  citation: string,
  effectiveFrom: LocalDate | null = null,
): readonly Duty<'reporting'>[] {
  return reportedTo(
    'Metrc',
    deadline,
    'Sales, returns and changes of stock are entered in Metrc.',
    othersSay({
      citation,
      source: "Lists of the states that use Metrc, and vendors' pages.",
      link: 'https://help.canix.com',
      effectiveFrom,
    }),
  );
}
