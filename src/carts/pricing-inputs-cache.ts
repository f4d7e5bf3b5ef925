import { LRUCache } from 'lru-cache';
import { type OrganizationRow, selectOrganization } from '../access/organizations.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import { Batcher } from '../database/batcher.ts';
import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  type AccountQuestions,
  discountCodeKeys,
  type LoyaltyRewardRow,
  type OfferedDiscountRow,
  offeredDiscountKeys,
  questionsOf,
  selectDiscountUses,
  selectOfferedDiscounts,
} from '../promotions/promotions.ts';
import {
  type DatedTaxRow,
  type DeliveryZoneRow,
  type PaymentTypeRow,
  type PurchaseLimitRuleRow,
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectPurchaseLimitRules,
  selectTaxes,
  selectTermsVersion,
  taxesInForce,
} from '../settings/terms-of-sale.ts';
import { type CartCustomerRow, selectBuyingCustomers, selectCartCustomers } from './cart-customer-queries.ts';
import { chosenRewardsStatement, contactOf, type FactRows } from './cart-facts.ts';
import type { CartRequest } from './cart-request.ts';
import {
  type BoughtRow,
  boughtRows,
  countedSinceMs,
  selectBoughtByContact,
} from './purchase-history-queries.ts';

const organizationsMax = 1000;
/** Bounds of the cached keys: callers choose postal codes and discount codes. */
const codesMax = 1000;
/** The most requests of one read, so that a statement does not grow with the queue. */
const contactsMax = 64;

/** Facts of one version of an organization's terms. Entries are added as requests need them. */
interface Terms {
  readonly version: number;
  readonly organization: OrganizationRow[];
  readonly taxes: DatedTaxRow[];
  readonly paymentTypes: PaymentTypeRow[];
  readonly limitRules: PurchaseLimitRuleRow[];
  readonly zones: Map<string, DeliveryZoneRow[]>;
  readonly options: Map<number, SellableOptionRow>;
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

interface Confirmation {
  /** Taken before the check, on the process's monotonic clock. */
  readonly askedAtMs: number;
  /** How many changes this process had heard of at that time. */
  readonly heardCount: number;
}

/** The rows that every preview reads. */
interface CurrentFacts {
  readonly version: number;
  /** The uses of the limited discounts of the cached terms; null if they are not counted yet. */
  readonly uses: ReadonlyMap<number, number | null>;
  readonly customers: CartCustomerRow[];
  /** The terms that decided which customer data to read; null if everything was read, undefined if nothing was. */
  readonly termsOfCustomers: Terms | null | undefined;
  readonly bought: BoughtRow[];
  readonly rewards: LoyaltyRewardRow[];
  /** Replaces the cached discounts when staff chose discounts. */
  readonly offered: OfferedDiscountRow[];
}

const noUses: CurrentFacts['uses'] = new Map();

function factsWithoutCustomers(version: number): CurrentFacts {
  return {
    version,
    uses: noUses,
    customers: [],
    termsOfCustomers: undefined,
    bought: [],
    rewards: [],
    offered: [],
  };
}

/** The keys that look up the customers of one read. */
interface Contacts {
  readonly emails: Set<string>;
  readonly phones: Set<string>;
}

/**
 * The facts of previews (`cartFactStatements`). Shops request a price at every change of a cart, and the pricing terms
 * seldom change: they are cached with their version and used only while that is the current version. A preview that
 * starts after a change of the terms was answered uses the new terms, whichever process made the change: the version
 * is read again, or was read within the lease that changes wait for (docs/decisions/0013-terms-lease.md). Customers
 * and uses of discounts are always read. Orders do not use this cache: they decide on the rows of their own
 * transaction.
 */
export class PricingInputsCache {
  readonly #database: Context['database'];
  readonly #law: Context['law'];
  /** Least recently used first. */
  readonly #kept = new LRUCache<OrganizationId, Terms>({ max: organizationsMax });
  readonly #invalidations = new Map<OrganizationId, number>();
  /**
   * Requests that arrive while their organization is being read share the next read. The result is as exact as one
   * read for each; a preview without a customer takes a quarter less work, one with a customer half the work (measured
   * at 8 concurrent requests).
   */
  readonly #batcher: Batcher<OrganizationId, Contacts, CurrentFacts>;

  constructor({ database, clock, law }: Pick<Context, 'database' | 'clock' | 'law'>) {
    this.#database = database;
    this.#law = law;
    this.#batcher = new Batcher({
      newBatch: () => ({ emails: new Set(), phones: new Set() }),
      isFull: (contacts) => sizeOf(contacts) >= contactsMax,
      run: (organization, contacts) => this.#readShared(organization, contacts, clock.now()),
    });
  }

  /** Makes the next preview check the version, because a change may have been seen in the database since. */
  invalidate(organization: OrganizationId): void {
    this.#invalidations.set(organization, (this.#invalidations.get(organization) ?? 0) + 1);
  }

  async read(
    organization: OrganizationId,
    request: CartRequest,
    nowMs: number,
    isOwn = asksForItsOwn(request),
  ): Promise<FactRows> {
    const { customer, postalCode, chosenDiscountIds = [] } = request;
    const codeKeys = discountCodeKeys(request);
    // Without terms, the required customer data is unknown.
    const readsAlone = isOwn || (customer !== null && !this.#kept.has(organization));
    const now = readsAlone
      ? await this.#ownFactsOfNow(organization, request, nowMs)
      : await this.#sharedFactsOfNow(organization, customer);
    let terms = this.#kept.get(organization);
    let options = optionsOf(terms, request);
    const knowsAll =
      terms !== undefined &&
      options.length === request.lineItems.length &&
      codeKeys.every((code) => terms!.codeDiscounts.has(code)) &&
      (postalCode === null || terms.zones.has(postalCode)) &&
      // Otherwise the terms were replaced after their uses were counted.
      limitedIdsOf(terms, codeKeys).every((id) => now.uses.has(id));
    let uses = now.uses;
    if (terms?.version !== now.version || !knowsAll) {
      const read = await this.#readTerms(organization, request, nowMs);
      // Same version: the new rows join the cached ones. Another version: the cached rows are dropped.
      if (terms?.version === read.version) {
        for (const [code, zone] of read.zones) terms.zones.set(code, zone);
        for (const [id, option] of read.options) terms.options.set(id, option);
        for (const [code, discounts] of read.codeDiscounts) terms.codeDiscounts.set(code, discounts);
      } else {
        terms = read;
        uses = new Map();
      }
      options = optionsOf(terms, request);
    }
    this.#keep(organization, terms);
    // The customer data that the discounts and limits need may be missing: read everything now.
    if (
      customer !== null &&
      now.termsOfCustomers !== null &&
      now.termsOfCustomers?.version !== terms.version
    ) {
      return this.read(organization, request, nowMs, true);
    }
    const facts: FactRows = [
      terms.organization,
      options,
      taxesInForce(terms.taxes, nowMs),
      postalCode === null ? [] : terms.zones.get(postalCode)!,
      terms.paymentTypes,
      customer === null ? [] : pointedAt(now.customers, customer),
      terms.limitRules,
      now.bought,
      chosenDiscountIds.length > 0 ? now.offered : offeredOf(terms, codeKeys, uses),
      now.rewards,
    ];
    if (terms.zones.size > codesMax) terms.zones.clear();
    if (terms.codeDiscounts.size > codesMax) terms.codeDiscounts.clear();
    return facts;
  }

  #sharedFactsOfNow(organization: OrganizationId, customer: CartRequest['customer']): Promise<CurrentFacts> {
    const { batch: contacts, result } = this.#batcher.join(organization);
    if (customer !== null) {
      const { emailNormalized: email, phoneNormalized: phone } = customer;
      if (email !== null) contacts.emails.add(email);
      if (phone !== null) contacts.phones.add(phone);
    }
    return result;
  }

  async #readShared(
    organization: OrganizationId,
    { emails, phones }: Contacts,
    nowMs: number,
  ): Promise<CurrentFacts> {
    const hasNoCustomer = sizeOf({ emails, phones }) === 0;
    const terms = this.#kept.get(organization);
    const shop = terms?.organization[0];
    const limitedIds = limitedIdsOf(terms, []);
    const confirmedVersion = this.#isConfirmed(organization, terms) ? terms.version : null;
    if (hasNoCustomer && limitedIds.length === 0 && confirmedVersion !== null) {
      return factsWithoutCustomers(confirmedVersion);
    }
    const confirmation = this.#confirmation(organization);
    const [[current], uses, customers] = await this.#database.read(
      organization,
      confirmedVersion === null ? selectTermsVersion({}) : null,
      limitedIds.length === 0 ? null : selectDiscountUses({ ids: limitedIds }),
      hasNoCustomer || terms === undefined || shop === undefined
        ? null
        : selectBuyingCustomers(terms.questions, {
            emails: [...emails],
            phones: [...phones],
            at: isoTimestamp(nowMs),
            tz: shop.tz,
            since: isoTimestamp(countedSinceMs(this.#law.current, shop.state, terms.limitRules, nowMs)),
          }),
    );
    const version = confirmedVersion ?? versionOf(current);
    if (confirmedVersion === null && terms?.version === version) terms.confirmed = confirmation;
    return {
      version,
      uses: usesOf(limitedIds, uses),
      customers,
      termsOfCustomers: terms,
      bought: boughtRows(customers),
      rewards: [],
      offered: [],
    };
  }

  /** For a request that names discounts or rewards, or whose terms have just changed. */
  async #ownFactsOfNow(
    organization: OrganizationId,
    request: CartRequest,
    nowMs: number,
  ): Promise<CurrentFacts> {
    const { customer, chosenDiscountIds = [] } = request;
    const at = isoTimestamp(nowMs);
    const keys = offeredDiscountKeys(request, at);
    const limitedIds = limitedIdsOf(this.#kept.get(organization), keys.codeKeys);
    const [[current], uses, customers, bought, rewards, offered] = await this.#database.read(
      organization,
      selectTermsVersion({}),
      limitedIds.length === 0 ? null : selectDiscountUses({ ids: limitedIds }),
      customer === null ? null : selectCartCustomers({ ...contactOf(customer), at }),
      customer === null ? null : selectBoughtByContact(this.#law.current, customer, nowMs),
      chosenRewardsStatement(request, at),
      chosenDiscountIds.length === 0 ? null : selectOfferedDiscounts(keys),
    );
    return {
      version: versionOf(current),
      uses: usesOf(limitedIds, uses),
      customers,
      termsOfCustomers: null,
      bought,
      rewards,
      offered,
    };
  }

  /** Reads version and rows on one snapshot. */
  async #readTerms(organization: OrganizationId, request: CartRequest, nowMs: number): Promise<Terms> {
    const { postalCode, lineItems } = request;
    const optionIds = [...new Set(lineItems.map((line) => line.productOptionId))];
    const keys = offeredDiscountKeys(request, isoTimestamp(nowMs));
    const confirmed = this.#confirmation(organization);
    const [[version], organizations, taxes, paymentTypes, limitRules, options, zones, discounts] =
      await this.#database.read(
        organization,
        selectTermsVersion({}),
        selectOrganization({}),
        selectTaxes({}),
        selectPaymentTypes({}),
        selectPurchaseLimitRules({}),
        selectSellableOptions({ optionIds }),
        postalCode === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(postalCode) }),
        selectOfferedDiscounts({ ...keys, chosenIds: [] }),
      );
    const automaticDiscounts = discounts.filter(({ trigger }) => trigger === 'automatic');
    return {
      version: versionOf(version),
      organization: organizations,
      taxes,
      paymentTypes,
      limitRules,
      zones: new Map(postalCode === null ? [] : [[postalCode, zones]]),
      options: new Map(options.map((row) => [row.option_id, row])),
      automaticDiscounts,
      automaticLimitedIds: limitedAmong(automaticDiscounts),
      questions: questionsOf(automaticDiscounts),
      codeDiscounts: new Map(
        keys.codeKeys.map((code) => [code, discounts.filter((row) => row.code_keys.includes(code))]),
      ),
      confirmed,
    };
  }

  /** Taken before the version is read: confirms the terms from this moment if they are still current. */
  #confirmation(organization: OrganizationId): Confirmation {
    return { askedAtMs: performance.now(), heardCount: this.#heardCount(organization) };
  }

  #heardCount(organization: OrganizationId): number {
    return this.#database.commitCount(organization) + (this.#invalidations.get(organization) ?? 0);
  }

  #isConfirmed(organization: OrganizationId, terms: Terms | undefined): terms is Terms {
    if (terms?.confirmed === undefined) return false;
    const { askedAtMs, heardCount } = terms.confirmed;
    return (
      performance.now() - askedAtMs < this.#database.leaseMs && heardCount === this.#heardCount(organization)
    );
  }

  #keep(organization: OrganizationId, terms: Terms): void {
    this.#kept.set(organization, terms);
  }
}

/** The request names discounts or rewards, which are read for it alone. */
function asksForItsOwn({ discountCodes, chosenDiscountIds = [], loyaltyRewards = [] }: CartRequest): boolean {
  return discountCodes.length + chosenDiscountIds.length + loyaltyRewards.length > 0;
}

/** The options of a cart's lines; unknown ones are left out. */
function optionsOf(terms: Terms | undefined, { lineItems }: CartRequest): readonly SellableOptionRow[] {
  const options: SellableOptionRow[] = [];
  if (terms === undefined) return options;
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
function pointedAt(
  rows: readonly CartCustomerRow[],
  { emailNormalized, phoneNormalized }: NonNullable<CartRequest['customer']>,
): CartCustomerRow[] {
  return rows.filter(
    (row) =>
      (emailNormalized !== null && row.email_normalized === emailNormalized) ||
      (phoneNormalized !== null && row.phone_normalized === phoneNormalized),
  );
}

function limitedIdsOf(terms: Terms | undefined, codeKeys: readonly string[]): readonly number[] {
  if (terms === undefined) return [];
  const { automaticLimitedIds, codeDiscounts } = terms;
  if (codeKeys.length === 0) return automaticLimitedIds;
  const ofCodes = limitedAmong(codeKeys.flatMap((code) => codeDiscounts.get(code) ?? []));
  return [...new Set([...automaticLimitedIds, ...ofCodes])];
}

function limitedAmong(rows: readonly OfferedDiscountRow[]): number[] {
  return rows.filter((row) => row.uses_total !== null).map(({ id }) => id);
}

function sizeOf({ emails, phones }: Contacts): number {
  return emails.size + phones.size;
}

function usesOf(ids: readonly number[], rows: readonly { discount_id: number; used: number }[]) {
  const used = new Map(rows.map((row) => [row.discount_id, row.used]));
  return new Map(ids.map((id) => [id, used.get(id) ?? null]));
}

function versionOf(row: { readonly version: number } | undefined): number {
  return row?.version ?? 0;
}
