import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { CustomerRow } from '../src/shop/customers/customer-queries.ts';
import type { StaffName } from '../src/shop/orders/order-record.ts';
import type { CustomerContent, ShopContent } from './shop-content.ts';

/** A demo shop that can trade: its content, and its ids in this deployment. */
export interface TradingShop {
  readonly organization: OrganizationId;
  readonly content: ShopContent;
  readonly integrators: ReadonlyMap<string, { readonly id: number; readonly name: string }>;
  /** By key; without drivers, who have no sign-in. */
  readonly staff: ReadonlyMap<string, StaffName>;
  readonly productIds: ReadonlyMap<string, number>;
  readonly optionIds: ReadonlyMap<string, number>;
  readonly locationIds: ReadonlyMap<string, number>;
  readonly paymentTypeIds: ReadonlyMap<string, number>;
  readonly discountIds: ReadonlyMap<string, number>;
  readonly rewardIds: ReadonlyMap<string, number>;
  readonly people: readonly CustomerContent[];
  /** In the order of the people. */
  readonly customers: readonly CustomerRow[];
  /** The instant that many days ago, at a minute of the local day; by default in the morning. */
  readonly daysAgo: (days: number, minuteOfDay?: number) => number;
  /** The local day in that many days. */
  readonly dayIn: (days: number) => string;
}

/** The same context at another time: its writes have that time. */
export function contextAt(context: Context, instantMs: number): Context {
  return { ...context, clock: { now: () => instantMs } };
}

/** Null also for drivers. */
export function staffNameOf({ staff }: TradingShop, key: string | null): StaffName | null {
  return key === null ? null : (staff.get(key) ?? null);
}

/** The origin of a write by a member of staff. */
export function staffOriginOf({ staff }: TradingShop, key: string): Origin {
  return { actor: `staff:${staff.get(key)!.id}`, requestId: null };
}
