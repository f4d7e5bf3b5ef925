import type { Jurisdiction, LocalDate } from './jurisdiction.ts';

/**
 * All facts of all states, as one dated whole: shipped, or imported by the operator in place of the shipped
 * one.
 */
export interface LawEdition {
  /** The version of the format. */
  readonly format: 1;
  /** The day of issue and the number on that day: `2026-11-23.1`. A later edition replaces an earlier one. */
  readonly edition: string;
  readonly issuedOn: LocalDate;
  /** For people: the news. */
  readonly note: string;
  readonly jurisdictions: readonly Jurisdiction[];
}

/** Whether `edition` is later than `other`. */
export function isLater(edition: string, other: string): boolean {
  const [day, number] = edition.split('.');
  const [otherDay, otherNumber] = other.split('.');
  return day === otherDay ? Number(number) > Number(otherNumber) : day! > otherDay!;
}
