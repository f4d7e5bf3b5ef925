import type { DatedTax } from './tax-settings.ts';

/** The taxes among some that patients may owe, and that are not charged to them until the owner decides (D35). */
export function undecidedTaxes<Tax extends DatedTax>(taxes: readonly Tax[]): Tax[] {
  return taxes.filter(({ patients }) => patients?.rule === 'not-known' && patients.decision === null);
}

/** Decisions that the owner should make, in words. */
export function warningsOnPatients(undecided: readonly DatedTax[]): string[] {
  return undecided.map(
    ({ description, patients }) =>
      `Patients are not charged "${description}": ${patients?.text} Decide whether they owe it.`,
  );
}
