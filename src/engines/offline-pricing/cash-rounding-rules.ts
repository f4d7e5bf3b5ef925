import type { CashRounding } from './cash-rounding.ts';

interface CashRule {
  /** What holds unless the shop says otherwise. */
  readonly own: CashRounding;
  /** What the shop may not do. */
  readonly never: CashRounding | null;
  readonly citation: string;
  readonly source: string;
  /** The day, `YYYY-MM-DD`. */
  readonly readOn: string;
}

/**
 * States whose rule on cash without pennies is more than "the shop may". Elsewhere nothing is rounded until the shop chooses to. The signatures
 * of the acts of 2026 were not all seen: read them again before relying on them.
 */
export const cashRoundingRules: Readonly<Partial<Record<string, CashRule>>> = {
  AZ: {
    ...{ own: 'symmetric', never: null },
    citation: 'HB 2938 (2026)',
    source: 'Text of the sibling bill SB 1108; enactment by a tracker of state acts',
    readOn: '2026-11-27',
  },
  CT: {
    ...{ own: 'off', never: 'symmetric' },
    citation: 'Department of Consumer Protection, 13 January 2026',
    source: 'Two reports: a customer is never charged a cent more',
    readOn: '2026-11-27',
  },
};

/** How a shop of a state rounds cash. `chosen` null: by the state. What the state forbids becomes rounding down. */
export function cashRoundingIn(state: string, chosen: CashRounding | null): CashRounding {
  const rule = cashRoundingRules[state];
  if (chosen === null) return rule?.own ?? 'off';
  return rule?.never === chosen ? 'down' : chosen;
}

/** How payments by a type are rounded: only cash is. */
export function cashRoundingOf(type: {
  readonly method: string;
  readonly cash_rounding: CashRounding | null;
  readonly state: string;
}): CashRounding {
  return type.method === 'cash' ? cashRoundingIn(type.state, type.cash_rounding) : 'off';
}
