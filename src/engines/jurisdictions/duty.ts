import type { CannabisType } from '../goods/cannabis-type.ts';
import type { LocalDate, Quantity, Sourced } from './sourced.ts';

/** A local time of day, `HH:MM`; `24:00` is the end of the day. */
export type ClockTime = string;

/** The customers that a rule is about: all but patients, or all. `none`: it is allowed, as the words say. */
export type DutyAudience = 'adult-use' | 'everyone' | 'none';

/** Between two local times; an end that is not after the beginning is on the next day. */
export interface ClockWindow {
  readonly from: ClockTime;
  readonly to: ClockTime;
}

/** The value of each duty (D92). A duty that only people can meet is in words. */
export interface DutyValues {
  /** When cannabis may be sold or handed over. `local`: a city or county decides. */
  readonly saleHours: ClockWindow | 'local';
  /** More than this in one package is for patients only. */
  readonly patientsOnlyProducts: {
    readonly packagesAbove: readonly { readonly cannabisType: CannabisType; readonly amount: Quantity }[];
  };
  /** Limits differ for people who do not live in the state: who has not shown where they live is held to those. */
  readonly residence: { readonly othersHave: 'narrower-limits' };
  /** Reduced prices for cannabis. */
  readonly discounts: { readonly barredFor: DutyAudience; readonly words: string };
  /** Points and rewards for buying cannabis. */
  readonly loyalty: { readonly barredFor: DutyAudience; readonly words: string };
  readonly gifts: { readonly free: 'barred' | 'only-with-purchase' };
  /** Several goods at one price. `mixed`: cannabis together with other goods. */
  readonly bundles: { readonly barred: 'any' | 'mixed' };
  readonly belowCost: { readonly words: string };
  readonly advertisedPrices: { readonly words: string };
  readonly delivery: {
    readonly to: 'none' | 'patients' | 'everyone';
    /** Null: as for sales. */
    readonly hours: ClockWindow | null;
    /** The value of the goods in a vehicle, in cents; null: no maximum is known. */
    readonly vehicleValueCents: number | null;
    readonly words: string;
  };
  /** What buyers bring back. */
  readonly returns: { readonly accepted: 'barred' | 'allowed'; readonly words: string };
  /** Who takes cannabis shows an ID before. */
  readonly idCheck: { readonly of: 'every-buyer' };
  readonly idCopies: { readonly kept: 'barred' | 'with-consent' };
  /** How long what was read from a card may be kept, in days. */
  readonly scanRetention: { readonly days: number };
  readonly labelsAndExit: { readonly words: string };
  readonly receipts: { readonly words: string };
  readonly reporting: { readonly system: string; readonly deadline: string | null; readonly words: string };
}

export type DutyName = keyof DutyValues;

/**
 * What becomes of a duty (D93). enforced: what breaks it is refused. recorded: it is asked, and the answer is kept. shown: people are told.
 * by-hand: the shop does it, outside of this service.
 */
export type DutyKind = 'enforced' | 'recorded' | 'shown' | 'by-hand';

/** One duty of a state, with its source and the days on which it is in force. */
export interface Duty<Name extends DutyName = DutyName> extends Sourced {
  readonly kind: DutyKind;
  /** The law lets a place or a permit widen it: an owner may say so, with a reason that the audit keeps. */
  readonly ownerMayOverride: boolean;
  readonly value: DutyValues[Name];
}

/**
 * The duties of a state. A list: what the law says. Null: looked for, and not found. Absent: not looked up. The three are never the same.
 */
export type Duties = { readonly [Name in DutyName]?: readonly Duty<Name>[] | null };

/** Every duty with its name for people, and what the service can do about it: a file of the law cannot ask for more. */
export const dutyTraits = {
  saleHours: { name: 'Hours of sale', kinds: ['enforced', 'by-hand'] },
  patientsOnlyProducts: { name: 'Products for patients only', kinds: ['enforced'] },
  residence: { name: 'Residence', kinds: ['recorded'] },
  discounts: { name: 'Discounts', kinds: ['enforced', 'shown'] },
  loyalty: { name: 'Loyalty', kinds: ['enforced', 'shown'] },
  gifts: { name: 'Free products', kinds: ['enforced', 'by-hand'] },
  bundles: { name: 'Bundles', kinds: ['enforced', 'by-hand'] },
  belowCost: { name: 'Prices below cost', kinds: ['shown', 'by-hand'] },
  advertisedPrices: { name: 'Advertised prices', kinds: ['shown', 'by-hand'] },
  delivery: { name: 'Delivery', kinds: ['enforced', 'by-hand'] },
  returns: { name: 'Returns', kinds: ['enforced', 'by-hand'] },
  idCheck: { name: 'ID check', kinds: ['enforced', 'by-hand'] },
  idCopies: { name: 'Copies of IDs', kinds: ['enforced', 'shown', 'by-hand'] },
  scanRetention: { name: 'Keeping scans', kinds: ['enforced', 'shown', 'by-hand'] },
  labelsAndExit: { name: 'Labels and exit packages', kinds: ['shown', 'by-hand'] },
  receipts: { name: 'Receipts', kinds: ['shown', 'by-hand'] },
  reporting: { name: 'Reporting to the state', kinds: ['by-hand'] },
} as const satisfies Readonly<
  Record<DutyName, { readonly name: string; readonly kinds: readonly DutyKind[] }>
>;

/** Every duty, in the order in which people read them. */
export const dutyNames = Object.keys(dutyTraits) as readonly DutyName[];

/** What is known of a duty on a day. */
export type KnownDuty<Name extends DutyName> =
  | { readonly known: 'value'; readonly duty: Duty<Name> }
  | { readonly known: 'not-found' | 'not-looked-up' | 'not-in-force' };

/** What is known of a duty of a state on a local day. Only a value binds. */
export function dutyOn<Name extends DutyName>(
  duties: Duties | undefined,
  name: Name,
  localDate: LocalDate,
): KnownDuty<Name> {
  const rows: readonly Duty<Name>[] | null | undefined = duties?.[name];
  if (rows === undefined) return { known: 'not-looked-up' };
  if (rows === null) return { known: 'not-found' };
  const duty = rows.find(
    ({ effectiveFrom: from, effectiveTo: to }) =>
      (from === null || from <= localDate) && (to === null || localDate <= to),
  );
  return duty === undefined ? { known: 'not-in-force' } : { known: 'value', duty };
}

/** A row of a state's duties, with its name and place in the list. */
export interface DutyRow {
  readonly name: DutyName;
  readonly index: number;
  readonly duty: Duty;
}

/** Every row of a state's duties. */
export function dutyRows(duties: Duties | undefined): DutyRow[] {
  return dutyNames.flatMap((name) =>
    (duties?.[name] ?? []).map((duty, index) => ({ name, index, duty: duty as Duty })),
  );
}
