import type { Jurisdiction, LocalDate } from '../../engines/jurisdictions/jurisdiction.ts';
import { hasReached, minimumAgeOf } from '../../engines/jurisdictions/minimum-age.ts';
import {
  checkPurchaseLimits,
  daysOfWindow,
  type EarlierPurchase,
} from '../../engines/purchase-limits/check-purchase-limits.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RecentPurchaseRow } from '../carts/cart-customer-queries.ts';
import { audienceOf, limitsFor, selectRecentPurchases } from '../carts/carts.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import { selectPurchaseLimitRules } from '../settings/terms-of-sale.ts';

/**
 * The effect of another law on recent orders. Orders are named by their number, or by their id if they have no
 * number.
 */
export interface LawOnOrders {
  /** The day whose limits and ages are used. */
  readonly asOf: LocalDate;
  readonly checked: number;
  /** Allowed before and refused after. */
  readonly newlyRefused: OrdersConcerned;
  /** Refused before and allowed after. */
  readonly newlyAllowed: OrdersConcerned;
}

interface OrdersConcerned {
  readonly count: number;
  readonly examples: readonly string[];
}

const ordersMax = 200;
const recentDays = 30;
const examplesMax = 5;
const dayMs = 24 * 3_600_000;

/** A state's law before and after a change; null: no law is known for the state. */
interface LawPair {
  readonly before: Jurisdiction | null;
  readonly after: Jurisdiction | null;
}

/**
 * Checks the last 200 orders of the last 30 days against the limits and ages of both laws on the day `asOf`:
 * they stand for the carts of the coming weeks. Windows are counted from the day of each order. Writes nothing.
 */
export async function compareLawOnOrders(
  database: Database,
  organization: OrganizationId,
  laws: LawPair,
  asOf: LocalDate,
  nowMs: number,
): Promise<LawOnOrders> {
  const windows = [laws.before, laws.after].flatMap((law) => law?.purchaseLimits ?? []);
  const [ownRules] = await database.read(organization, selectPurchaseLimitRules({}));
  const ownDays = ownRules.map(({ windowDays: days }) => days ?? 0);
  const reach = Math.max(31, ...ownDays, ...windows.map(({ window }) => daysOfWindow(window)));
  const [rows] = await database.read(
    organization,
    selectRecentPurchases({
      since: isoTimestamp(nowMs - recentDays * dayMs),
      historySince: isoTimestamp(nowMs - (recentDays + reach + 1) * dayMs),
      count: ordersMax,
    }),
  );
  const orders = ordersOf(rows);
  const refused: string[] = [];
  const allowed: string[] = [];
  const recent = orders.filter(({ isRecent }) => isRecent);
  for (const order of recent) {
    const [before, after] = [laws.before, laws.after].map((law) => isAllowed(order, law, ownRules, asOf));
    if (before === after) continue;
    (before ? refused : allowed).push(order.name);
  }
  return {
    asOf,
    checked: recent.length,
    newlyRefused: { count: refused.length, examples: refused.slice(0, examplesMax) },
    newlyAllowed: { count: allowed.length, examples: allowed.slice(0, examplesMax) },
  };
}

interface PastOrder {
  readonly name: string;
  readonly isRecent: boolean;
  readonly localDate: LocalDate;
  readonly birthday: string | null;
  readonly medicalExpiration: string | null;
  readonly residence: string | null;
  readonly lines: readonly EarlierPurchase[];
  /** The customer's earlier purchases. */
  readonly history: readonly EarlierPurchase[];
}

/** The rows come oldest first. */
function ordersOf(rows: readonly RecentPurchaseRow[]): PastOrder[] {
  const orders = new Map<string, PastOrder & { readonly lines: EarlierPurchase[] }>();
  const bought = new Map<number, EarlierPurchase[]>();
  for (const row of rows) {
    const { order_id: id, customer_id: customerId, local_date: localDate } = row;
    const earlier = customerId === null ? [] : (bought.get(customerId) ?? []);
    const order = orders.get(id) ?? {
      name: String(row.number ?? id),
      isRecent: row.is_recent,
      localDate,
      birthday: row.birthday,
      medicalExpiration: row.medical_expiration,
      residence: row.residence,
      lines: [],
      history: [...earlier],
    };
    orders.set(id, order);
    if (row.cannabis_type === null) continue;
    const { cannabis_type: cannabisType, content, thc_mg: thcMg } = row;
    const line = { cannabisType, content, thcMg, quantity: 1, localDate };
    order.lines.push(line);
    if (customerId !== null) bought.set(customerId, [...earlier, line]);
  }
  return [...orders.values()];
}

function isAllowed(
  { localDate, birthday, medicalExpiration, residence, lines, history }: PastOrder,
  jurisdiction: Jurisdiction | null,
  ownRules: readonly PurchaseLimitRuleRow[],
  asOf: LocalDate,
): boolean {
  const isMedical = medicalExpiration !== null && medicalExpiration >= localDate;
  const standing = { jurisdiction, today: asOf, birthday, isMedical, residence, taxExempt: false };
  if (birthday !== null && !hasReached(minimumAgeOf(standing), birthday, localDate)) return false;
  // The organization's own limits are the same under both editions.
  const place = { orderType: 'in-store', postalCode: null } as const;
  const rules = limitsFor(standing, audienceOf(standing), ownRules, place);
  return checkPurchaseLimits({ rules, cartLines: lines, history, today: localDate }).overages.length === 0;
}
