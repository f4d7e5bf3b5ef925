import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { RowsOf } from '../../platform/database/bind-statements.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import type { AccountQuestions } from '../promotions/customer-account-queries.ts';
import {
  discountCodeKeys,
  type OfferedDiscountRow,
  questionsOf,
  selectDiscountUses,
} from '../promotions/promotions.ts';
import type { DeliveryZoneRow } from '../settings/delivery-zone-queries.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import type { DatedTaxRow } from '../settings/tax-queries.ts';
import { selectTermsVersion, taxesInForce } from '../settings/terms-of-sale.ts';
import {
  type BuyingCustomerRow,
  boughtRows,
  type CartCustomerRow,
  countedSinceMs,
  selectBuyingCustomers,
  selectClaimedCustomers,
} from './cart-customer-queries.ts';
import { type CartFacts, contactsOf, type FactReading, type FactRows } from './cart-facts.ts';
import { type CartRequest, zoneKeyOf } from './cart-request.ts';
import { countsThc } from './counted-lines.ts';

/* The terms of an organization by version, and the facts of carts under them. */

/** Facts of one version of an organization's terms. Entries are added as carts name them. */
export interface Terms {
  readonly version: number;
  readonly organization: OrganizationRow[];
  readonly taxes: DatedTaxRow[];
  readonly paymentTypes: PaymentTypeRow[];
  readonly limitRules: PurchaseLimitRuleRow[];
  readonly zones: Map<string, DeliveryZoneRow[]>;
  readonly options: Map<number, SellableOptionRow>;
  /** Ids that name no option. */
  readonly absentOptions: Set<number>;
  readonly automaticDiscounts: readonly OfferedDiscountRow[];
  /** The discounts whose uses are limited. */
  readonly automaticLimitedIds: readonly number[];
  /** The facts about the customer that the terms need. */
  readonly questions: AccountQuestions;
  /** By normalized code; no entry for a code that matches no discount. */
  readonly codeDiscounts: Map<string, readonly OfferedDiscountRow[]>;
  /** When the terms were last known to be current; undefined: the next preview must check. */
  confirmed: Confirmation | undefined;
}

export interface Confirmation {
  /** Taken before the check, on the process's monotonic clock. */
  readonly askedAtMs: number;
  /** How many changes this process had heard of at that time. */
  readonly heardCount: number;
}

/** The options of a cart's lines; absent ones are left out. */
function optionsOf(terms: Terms, { lineItems }: CartRequest): readonly SellableOptionRow[] {
  const options: SellableOptionRow[] = [];
  for (let index = 0; index < lineItems.length; index++) {
    const option = terms.options.get(lineItems[index]!.productOptionId);
    if (option !== undefined) options.push(option);
  }
  return options;
}

/** The discounts that a cart with these codes can use, with the counts in `uses` where known. */
function offeredOf(
  { automaticDiscounts, codeDiscounts }: Terms,
  codeKeys: readonly string[],
  uses: ReadonlyMap<number, number | null>,
): readonly OfferedDiscountRow[] {
  if (codeKeys.length + uses.size === 0) return automaticDiscounts;
  const offered = new Map<number, OfferedDiscountRow>();
  for (const row of automaticDiscounts) offered.set(row.id, row);
  for (const code of codeKeys) {
    for (const row of codeDiscounts.get(code)!) {
      const codes = offered.get(row.id)?.code_keys ?? [];
      offered.set(row.id, { ...row, code_keys: [...codes, code] });
    }
  }
  return [...offered.values()].map((row) =>
    uses.has(row.id) ? { ...row, used: uses.get(row.id) ?? null } : row,
  );
}

/** The customers among a read's rows that this email and phone match (D33). */
function pointedAt<Row extends CartCustomerRow>(
  rows: readonly Row[],
  { emailNormalized, phoneNormalized }: NonNullable<CartRequest['customer']>,
): Row[] {
  return rows.filter(
    (row) =>
      (emailNormalized !== null && row.email_normalized === emailNormalized) ||
      (phoneNormalized !== null && row.phone_normalized === phoneNormalized),
  );
}

/** The discounts with a limit on their uses that a cart with these codes can use. */
function limitedIdsOf(terms: Terms, codeKeys: readonly string[]): readonly number[] {
  const { automaticLimitedIds, codeDiscounts } = terms;
  if (codeKeys.length === 0) return automaticLimitedIds;
  const ofCodes = limitedAmong(codeKeys.flatMap((code) => codeDiscounts.get(code) ?? []));
  return [...new Set([...automaticLimitedIds, ...ofCodes])];
}

/** The ids of those with a limit on their uses. */
export function limitedAmong(rows: readonly OfferedDiscountRow[]): number[] {
  return rows.filter((row) => row.uses_total !== null).map(({ id }) => id);
}

/** The version of the terms in a row, 0 before any change. */
export function versionOf(row: { readonly version: number } | undefined): number {
  return row?.version ?? 0;
}

/** Whether the terms know all that this request names, as of their version: each row, or that there is none. */
export function knowsAll(terms: Terms, request: CartRequest): boolean {
  const zoneKey = zoneKeyOf(request);
  return (
    request.lineItems.every(
      ({ productOptionId: id }) => terms.options.has(id) || terms.absentOptions.has(id),
    ) &&
    discountCodeKeys(request).every((code) => terms.codeDiscounts.has(code)) &&
    (zoneKey === null || terms.zones.has(zoneKey))
  );
}

/** Adds the rows that another read of the same version found. */
export function addRows(terms: Terms, read: Terms): void {
  for (const [code, zone] of read.zones) terms.zones.set(code, zone);
  for (const [id, option] of read.options) terms.options.set(id, option);
  for (const id of read.absentOptions) terms.absentOptions.add(id);
  for (const [code, discounts] of read.codeDiscounts) terms.codeDiscounts.set(code, discounts);
}

/**
 * Carts that are decided together, in one transaction: they name no customer by id, no discount by id and no loyalty
 * reward.
 */
export function canShareTerms({
  customerId,
  chosenDiscountIds = [],
  loyaltyRewards = [],
}: CartRequest): boolean {
  return customerId === undefined && chosenDiscountIds.length + loyaltyRewards.length === 0;
}

/**
 * Reads what the terms do not say, for carts of `canShareTerms`: the version of the terms in force, the uses of limited
 * discounts, and the customers: with account and purchases, and those who are only claimed without. Orders read behind a lock on the
 * customers. `isCurrent`: the version is known to be in force, and not read.
 */
export function readSharedFacts(
  terms: Terms,
  requests: readonly CartRequest[],
  law: Law,
  nowMs: number,
  isCurrent = false,
): FactReading {
  const codeKeys = [...new Set(requests.flatMap(discountCodeKeys))];
  const limitedIds = limitedIdsOf(terms, codeKeys);
  const { emails, phones } = contactsOf(requests.filter(({ isUnproven }) => isUnproven !== true));
  const claimed = contactsOf(requests.filter(({ isUnproven }) => isUnproven === true));
  const ofCodes = codeKeys.flatMap((code) => terms.codeDiscounts.get(code) ?? []);
  const [shop] = terms.organization;
  const statements = [
    isCurrent ? null : selectTermsVersion({}),
    limitedIds.length === 0 ? null : selectDiscountUses({ ids: limitedIds }),
    emails.length + phones.length === 0 || shop === undefined
      ? null
      : selectBuyingCustomers(
          ofCodes.length === 0 ? terms.questions : questionsOf([...terms.automaticDiscounts, ...ofCodes]),
          countsThc(law.find(shop.state), terms.limitRules),
          {
            emails,
            phones,
            at: isoTimestamp(nowMs),
            tz: shop.tz,
            since: isoTimestamp(countedSinceMs(law, shop.state, terms.limitRules, nowMs)),
          },
        ),
    claimed.emails.length + claimed.phones.length === 0 ? null : selectClaimedCustomers(claimed),
  ] as const;
  return {
    statements,
    factsOf: (rows) => {
      const [[current], uses, customers, strangers] = rows as unknown as RowsOf<typeof statements>;
      if (!isCurrent && versionOf(current) !== terms.version) return null;
      const used = new Map(uses.map((row) => [row.discount_id, row.used]));
      return new SharedFacts(terms, used, customers, strangers, nowMs);
    },
  };
}

/** The facts of carts under the terms that they share. */
class SharedFacts implements CartFacts {
  readonly #terms: Terms;
  readonly #uses: Map<number, number>;
  readonly #customers: readonly BuyingCustomerRow[];
  readonly #claimed: readonly BuyingCustomerRow[];
  readonly #nowMs: number;

  constructor(
    terms: Terms,
    uses: Map<number, number>,
    customers: readonly BuyingCustomerRow[],
    claimed: readonly BuyingCustomerRow[],
    nowMs: number,
  ) {
    this.#terms = terms;
    this.#uses = uses;
    this.#customers = customers;
    this.#claimed = claimed;
    this.#nowMs = nowMs;
  }

  customersOf({ customer, isUnproven }: CartRequest): readonly BuyingCustomerRow[] {
    if (customer === null) return [];
    return pointedAt(isUnproven === true ? this.#claimed : this.#customers, customer);
  }

  of(request: CartRequest): FactRows {
    const zoneKey = zoneKeyOf(request);
    const codeKeys = discountCodeKeys(request);
    const terms = this.#terms;
    const customers = this.customersOf(request);
    const limitedIds = limitedIdsOf(terms, codeKeys);
    return [
      terms.organization,
      optionsOf(terms, request),
      taxesInForce(terms.taxes, this.#nowMs),
      zoneKey === null ? [] : terms.zones.get(zoneKey)!,
      terms.paymentTypes,
      customers,
      terms.limitRules,
      boughtRows(customers),
      offeredOf(terms, codeKeys, new Map(limitedIds.map((id) => [id, this.#uses.get(id) ?? null]))),
      [],
    ];
  }

  use(discountIds: Iterable<number>): void {
    for (const id of new Set(discountIds)) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
  }
}
