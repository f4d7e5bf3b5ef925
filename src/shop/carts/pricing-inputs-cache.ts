import { LRUCache } from 'lru-cache';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Batcher } from '../../platform/database/batcher.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectSellableOptions } from '../catalog/products.ts';
import {
  discountCodeKeys,
  type LoyaltyRewardRow,
  type OfferedDiscountRow,
  offeredDiscountKeys,
  questionsOf,
  selectDiscountUses,
  selectOfferedDiscounts,
} from '../promotions/promotions.ts';
import {
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
import { type CartRequest, zoneKeyOf } from './cart-request.ts';
import {
  addRows,
  type Confirmation,
  knowsAll,
  limitedAmong,
  limitedIdsOf,
  offeredOf,
  optionsOf,
  pointedAt,
  type Terms,
  usesOf,
  versionOf,
} from './cart-terms.ts';
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
 * and uses of discounts are always read. Orders do not rest on the lease: one that uses these terms reads their version
 * in its own transaction (`termsFor`).
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
    const { customer, chosenDiscountIds = [] } = request;
    const zoneKey = zoneKeyOf(request);
    const codeKeys = discountCodeKeys(request);
    // Without terms, the required customer data is unknown.
    const readsAlone = isOwn || (customer !== null && !this.#kept.has(organization));
    const now = readsAlone
      ? await this.#ownFactsOfNow(organization, request, nowMs)
      : await this.#sharedFactsOfNow(organization, customer);
    let terms = this.#kept.get(organization);
    let options = optionsOf(terms, request);
    const isEnough =
      terms !== undefined &&
      knowsAll(terms, request) &&
      // Otherwise the terms were replaced after their uses were counted.
      limitedIdsOf(terms, codeKeys).every((id) => now.uses.has(id));
    let uses = now.uses;
    if (terms?.version !== now.version || !isEnough) {
      const read = await this.#readTerms(organization, request, nowMs);
      // Same version: the new rows join the cached ones. Another version: the cached rows are dropped.
      if (terms?.version === read.version) addRows(terms, read);
      else {
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
    return [
      terms.organization,
      options,
      taxesInForce(terms.taxes, nowMs),
      zoneKey === null ? [] : terms.zones.get(zoneKey)!,
      terms.paymentTypes,
      customer === null ? [] : pointedAt(now.customers, customer),
      terms.limitRules,
      now.bought,
      chosenDiscountIds.length > 0 ? now.offered : offeredOf(terms, codeKeys, uses),
      now.rewards,
    ];
  }

  /**
   * Terms that know all that these requests name. The caller reads the version in the transaction that uses them, and
   * calls again with `isStale` when it is another one. Null: the terms kept changing.
   */
  async termsFor(
    organization: OrganizationId,
    requests: readonly CartRequest[],
    nowMs: number,
    isStale: boolean,
  ): Promise<Terms | null> {
    let terms = isStale ? undefined : this.#kept.get(organization);
    for (let reads = 0; reads <= 2 * requests.length; reads++) {
      // Terms of a new version know the last request only: those before it are read again.
      const unknown = requests.find((request) => terms === undefined || !knowsAll(terms, request));
      if (terms !== undefined && unknown === undefined) {
        this.#keep(organization, terms);
        return terms;
      }
      const read = await this.#readTerms(organization, unknown!, nowMs);
      if (terms?.version === read.version) addRows(terms, read);
      else terms = read;
    }
    return null;
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
    const zoneKey = zoneKeyOf(request);
    const optionIds = [...new Set(request.lineItems.map((line) => line.productOptionId))];
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
        zoneKey === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(zoneKey) }),
        selectOfferedDiscounts({ ...keys, chosenIds: [] }),
      );
    const automaticDiscounts = discounts.filter(({ trigger }) => trigger === 'automatic');
    return {
      version: versionOf(version),
      organization: organizations,
      taxes,
      paymentTypes,
      limitRules,
      zones: new Map(zoneKey === null ? [] : [[zoneKey, zones]]),
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
    // A copy: a request that is being decided goes on with its own.
    const { zones, codeDiscounts } = terms;
    const isFull = zones.size > codesMax || codeDiscounts.size > codesMax;
    this.#kept.set(organization, isFull ? { ...terms, zones: new Map(), codeDiscounts: new Map() } : terms);
  }
}

/** The request names discounts or rewards, which are read for it alone. */
function asksForItsOwn({ discountCodes, chosenDiscountIds = [], loyaltyRewards = [] }: CartRequest): boolean {
  return discountCodes.length + chosenDiscountIds.length + loyaltyRewards.length > 0;
}

function sizeOf({ emails, phones }: Contacts): number {
  return emails.size + phones.size;
}
