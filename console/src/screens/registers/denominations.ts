/** Bills and coins of US dollars, in cents, largest first. */
export const denominations = [10_000, 5_000, 2_000, 1_000, 500, 100, 25, 10, 5, 1] as const;

/** Pieces by denomination. */
export type Pieces = Readonly<Record<number, number>>;

/** The value of these pieces in cents. */
export function piecesValue(pieces: Pieces): number {
  return denominations.reduce((sum, cents) => sum + cents * (pieces[cents] ?? 0), 0);
}

const names: Readonly<Record<(typeof denominations)[number], string>> = {
  10000: '$100',
  5000: '$50',
  2000: '$20',
  1000: '$10',
  500: '$5',
  100: '$1',
  25: '25¢',
  10: '10¢',
  5: '5¢',
  1: '1¢',
};

/** `$20` for a bill, `25¢` for a coin. */
export function denominationName(cents: (typeof denominations)[number]): string {
  return names[cents];
}
