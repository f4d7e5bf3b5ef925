/** The states whose system is Metrc, as its hosts name them: a closed list, never made of typed text. */
export const metrcStates = [
  'AK',
  'AL',
  'CA',
  'CO',
  'DC',
  'GU',
  'IL',
  'KY',
  'LA',
  'MA',
  'MD',
  'ME',
  'MI',
  'MN',
  'MO',
  'MS',
  'MT',
  'NJ',
  'NV',
  'NY',
  'OH',
  'OK',
  'OR',
  'RI',
  'SD',
  'VA',
  'VI',
  'WV',
] as const;
export type MetrcState = (typeof metrcStates)[number];

/** The ways in which a license reports: by an interface, by files that people upload, or by a book that people enter. */
export const stateSystems = ['metrc', 'ccrs-file', 'by-hand'] as const;
export type StateSystem = (typeof stateSystems)[number];

/** How licenses of a state report. */
export function systemOfState(state: string): StateSystem {
  if (metrcState(state) !== null) return 'metrc';
  return state === 'WA' ? 'ccrs-file' : 'by-hand';
}

/** The address of a state's interface. */
export function metrcUrl(state: MetrcState, isSandbox: boolean): string {
  return `https://${isSandbox ? 'sandbox-' : ''}api-${state.toLowerCase()}.metrc.com`;
}

/** A state that people wrote in any case; null: Metrc does not run its system. */
export function metrcState(text: string): MetrcState | null {
  return metrcStates.find((state) => state === text.toUpperCase()) ?? null;
}
