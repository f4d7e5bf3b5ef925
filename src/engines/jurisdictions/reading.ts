import type { Equivalence, LocalDate, Provenance, Quantity } from './jurisdiction.ts';

/** How and when a fact was read: the part of its source that defines its age. */
export type Reading = Pick<Provenance, 'link' | 'sourceKind' | 'readOn' | 'textOf' | 'pending'>;

type Details = Partial<Pick<Reading, 'readOn' | 'textOf' | 'pending'>>;

/** The day on which all states were read for the first time. */
export const compiledOn: LocalDate = '2026-11-20';

/** The day on which the compiled facts were checked against newer sources. */
export const checkedOn: LocalDate = '2026-11-23';

/** The day on which links and texts of single rows were looked up again. */
export const verifiedOn: LocalDate = '2026-11-24';

/** The text of the law, or a page of its authority, was read. */
export function primary(link: string | null, details: Details = {}): Reading {
  return { link, sourceKind: 'primary', readOn: compiledOn, textOf: null, pending: null, ...details };
}

/** A text by others about the law was read. The link leads to the law if it has a public address. */
export function secondary(link: string | null, details: Details = {}): Reading {
  return { ...primary(link, details), sourceKind: 'secondary' };
}

/** "8 g" of a form counts as "1 oz" of its limit, by its own source. */
export function equivalence(amount: string, uses: string, source: Provenance): Equivalence {
  return { amount: quantityOf(amount), uses: quantityOf(uses), ...source };
}

function quantityOf(text: string): Quantity {
  const space = text.indexOf(' ');
  return { amount: text.slice(0, space), unit: text.slice(space + 1) as Quantity['unit'] };
}
