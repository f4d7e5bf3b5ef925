import { jurisdictions } from './jurisdictions.ts';
import type { LawEdition } from './law-edition.ts';

/**
 * The facts of this release. A change of a state's file needs a new edition here; otherwise processes with an
 * import keep their edition.
 */
export const shippedEdition: LawEdition = {
  format: 1,
  edition: '2026-11-24.2',
  issuedOn: '2026-11-24',
  note: `Ages, limits, taxes and rules of ${jurisdictions.length} states, checked against their sources on 2026-11-23.`,
  jurisdictions,
};
