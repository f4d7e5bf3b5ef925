import type { ClockWindow } from '../jurisdictions/duty.ts';

/** The duties that an owner may answer for, each with a reason that the audit keeps. */
export const overridableDuties = ['saleHours', 'delivery', 'buyer'] as const;
export type OverridableDuty = (typeof overridableDuties)[number];

/** How a shop meets its duties: it may be stricter than the law, and laxer only where the duty says that its owner may. */
export interface ShopDuties {
  /** Narrower hours of sale than those of the law; null: the law's. */
  readonly saleHours: ClockWindow | null;
  /** Why a duty does not bind this shop. Read only where the duty allows it. */
  readonly overrides: { readonly [Name in OverridableDuty]?: string };
  /** An ID is seen before cannabis is handed over, also where the law does not ask for it. */
  readonly idCheck?: boolean;
  /**
   * The most cannabis that a vehicle carries, in cents: less than the law lets it, or what the owner found where no value is known. Absent
   * or null: as the law says.
   */
  readonly vehicleValueCents?: number | null;
  /** A shop to practice in, such as a demo or a sandbox: no goods change hands. Only the operator makes one. */
  readonly isPractice?: boolean;
}

/** A shop that has set nothing. */
export const strictShop: ShopDuties = { saleHours: null, overrides: {} };
