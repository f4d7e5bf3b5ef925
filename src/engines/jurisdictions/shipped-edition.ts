import { jurisdictions } from './jurisdictions.ts';
import type { LawEdition } from './law-edition.ts';

/**
 * The facts of this release. A change of a state's file needs a new edition here; otherwise processes with an
 * import keep their edition.
 */
export const shippedEdition: LawEdition = {
  format: 1,
  edition: '2026-11-28.8',
  issuedOn: '2026-11-28',
  note: `Ages, limits, taxes and duties of ${jurisdictions.length} states, looked up again on 2026-11-27.`,
  jurisdictions,
};
