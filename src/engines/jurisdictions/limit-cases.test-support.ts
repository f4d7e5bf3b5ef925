import type { CannabisType } from '../goods/cannabis-type.ts';
import type { EarlierPurchase, LimitedLine } from '../purchase-limits/check-purchase-limits.ts';
import type { Audience, LocalDate } from './jurisdiction.ts';
import type { ShippedState } from './jurisdictions.ts';

/** A cart that keeps or breaks the limits of a state. */
export interface LimitCase {
  readonly cart: readonly LimitedLine[];
  /** Names of the limits that it breaks. */
  readonly broken: readonly string[];
  readonly history: readonly EarlierPurchase[];
  readonly today: LocalDate;
}

/** The cases of one audience of a state. */
export interface AudienceCases {
  readonly state: ShippedState;
  readonly audience: Audience;
  readonly cases: readonly LimitCase[];
}

/** A Friday; every rule without dates is in force. */
const someDay = '2026-11-20';

const line =
  (cannabisType: CannabisType) =>
  (content: string, quantity = 1): LimitedLine => ({ cannabisType, content, quantity });

/** Its content is its THC; or, of an extract whose THC is not stated, never less than it. */
const counted =
  (cannabisType: CannabisType) =>
  (content: string, quantity = 1): LimitedLine => ({ cannabisType, content, thcMg: content, quantity });

/** The same with this THC in milligrams. */
export const holding = (thcMg: string, of: LimitedLine): LimitedLine => ({ ...of, thcMg });

/** In grams. */
export const flower = line('non-concentrated');
/** In milligrams. */
export const concentrate = counted('concentrated');
/** In milligrams of THC. */
export const edibles = counted('edibles');
/** In ounces of product. */
export const solids = line('mi-infused-solids');
/** In fluid ounces of product. */
export const fluids = line('mi-infused-fluids');
export const plants = (quantity: number): LimitedLine => line('immature-plant')('1', quantity);
export const seeds = (quantity: number): LimitedLine => line('seeds')('1', quantity);
/** In milligrams. */
export const inhalables = counted('inhalables');
/** In milligrams of THC. */
export const lowDoseDrinks = counted('low-dose-drinks');
export const otherUnits = (quantity: number): LimitedLine => line('other-units')('1', quantity);

const some = { broken: [], history: [], today: someDay };

/** The cart breaks no limit. */
export const keeps = (...cart: LimitedLine[]): LimitCase => ({ ...some, cart });

/** The cart breaks the limits of these names and no other. */
export const breaks = (broken: readonly string[], ...cart: LimitedLine[]): LimitCase => ({
  ...some,
  cart,
  broken,
});

/** The same after an earlier purchase. */
export const after = (localDate: LocalDate, bought: LimitedLine, then: LimitCase): LimitCase => ({
  ...then,
  history: [...then.history, { ...bought, localDate }],
});

/** The same on another day. */
export const on = (today: LocalDate, then: LimitCase): LimitCase => ({ ...then, today });

export const casesOf = (state: ShippedState, audience: Audience, ...cases: LimitCase[]): AudienceCases => ({
  state,
  audience,
  cases,
});
