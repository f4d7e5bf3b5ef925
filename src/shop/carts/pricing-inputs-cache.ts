import { LRUCache } from 'lru-cache';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Batcher } from '../../platform/connections/batcher.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectSellableOptions } from '../catalog/products.ts';
import { discountCodeKeys, questionsOf, selectOfferedDiscounts } from '../promotions/promotions.ts';
import {
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectPurchaseLimitRules,
  selectTaxes,
  selectTermsVersion,
} from '../settings/terms-of-sale.ts';
import { type CartFacts, type FactRows, readOwnFacts } from './cart-facts.ts';
import { type CartRequest, zoneKeyOf } from './cart-request.ts';
import {
  addRows,
  type Confirmation,
  knowsAll,
  limitedAmong,
  readSharedFacts,
  type Terms,
  versionOf,
} from './cart-terms.ts';

const organizationsMax = 1000;
/** Bounds what callers choose: ZIP codes, discount codes, and ids of options that do not exist. */
const namesMax = 1000;
/** The most previews of one read, so that a statement does not grow with the queue. */
const requestsMax = 64;
/** Terms that change again and again, in an import say, make each preview read its own. */
const attemptsMax = 3;

/**
 * The terms of organizations (catalog, prices, taxes, zones, discounts, limits), kept with their version, for carts of
 * `canShareTerms`. They are used only while that is the version in force: previews and orders read it together with what the
 * terms do not say, and read the terms again if it is another one. Shops request a price at every change of a cart, and terms
 * seldom change.
 *
 * A change of the terms that was answered counts for every preview that starts after it, whichever process made it. One
 * thing saves the question for the version: the lease (docs/decisions/0013-terms-lease.md). For a few milliseconds after it was
 * answered, previews go on without it, and changes are answered only after that time. Orders always ask.
 */
export class PricingInputsCache {
  readonly #database: Context['database'];
  readonly #clock: Context['clock'];
  readonly #law: Context['law'];
  /** Least recently used first. */
  readonly #kept = new LRUCache<OrganizationId, Terms>({ max: organizationsMax });
  readonly #invalidations = new Map<OrganizationId, number>();
  /** Previews that arrive while their organization is being read share the next read, which is as exact as one for each. */
  readonly #batcher: Batcher<OrganizationId, CartRequest[], CartFacts | null>;

  constructor({ database, clock, law }: Pick<Context, 'database' | 'clock' | 'law'>) {
    this.#database = database;
    this.#clock = clock;
    this.#law = law;
    this.#batcher = new Batcher({
      newBatch: (): CartRequest[] => [],
      isFull: (requests) => requests.length >= requestsMax,
      run: (organization, requests) => this.#readShared(organization, requests),
    });
  }

  /** The facts of a preview of `canShareTerms`. */
  async read(organization: OrganizationId, request: CartRequest): Promise<FactRows> {
    const { batch, result } = this.#batcher.join(organization);
    batch.push(request);
    const facts = (await result) ?? (await this.#readOwn(organization, request));
    return facts.of(request);
  }

  /**
   * Terms that know all that these requests name. The caller reads their version with what it decides, and calls again
   * with `isStale` when another one is in force.
   */
  async termsFor(
    organization: OrganizationId,
    requests: readonly CartRequest[],
    isStale: boolean,
  ): Promise<Terms> {
    const kept = isStale ? undefined : this.#kept.get(organization);
    const unknown = kept === undefined ? requests : requests.filter((request) => !knowsAll(kept, request));
    if (kept !== undefined && unknown.length === 0) return kept;
    const read = await this.#readTerms(organization, unknown);
    if (kept?.version === read.version) addRows(kept, read);
    // Terms of another version know the carts that were unknown, and no others.
    else if (unknown.length < requests.length) return this.termsFor(organization, requests, true);
    return this.#keep(organization, kept?.version === read.version ? kept : read);
  }

  /** Makes the next preview ask for the version: a change may have been seen in the database since. */
  invalidate(organization: OrganizationId): void {
    this.#invalidations.set(organization, (this.#invalidations.get(organization) ?? 0) + 1);
  }

  /** Null: the terms kept changing. */
  async #readShared(
    organization: OrganizationId,
    requests: readonly CartRequest[],
  ): Promise<CartFacts | null> {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const terms = await this.termsFor(organization, requests, attempt > 1);
      const confirmation = this.#confirmation(organization);
      const isConfirmed = this.#isConfirmed(organization, terms);
      const reading = readSharedFacts(terms, requests, this.#law.current, this.#clock.now(), isConfirmed);
      const facts = reading.factsOf(await this.#database.read(organization, ...reading.statements));
      if (facts === null) continue;
      if (!isConfirmed) terms.confirmed = confirmation;
      return facts;
    }
    return null;
  }

  async #readOwn(organization: OrganizationId, request: CartRequest): Promise<CartFacts> {
    const reading = readOwnFacts(request, this.#law.current, this.#clock.now());
    return reading.factsOf(await this.#database.read(organization, ...reading.statements));
  }

  /** Reads the version and the rows that these carts name, on one snapshot. */
  async #readTerms(organization: OrganizationId, requests: readonly CartRequest[]): Promise<Terms> {
    const optionIds = [
      ...new Set(requests.flatMap(({ lineItems }) => lineItems.map((line) => line.productOptionId))),
    ];
    const codeKeys = [...new Set(requests.flatMap(discountCodeKeys))];
    const zoneKeys = [...new Set(requests.flatMap((request) => zoneKeyOf(request) ?? []))];
    const confirmed = this.#confirmation(organization);
    const [[version], organizations, taxes, paymentTypes, limitRules, options, discounts, ...zones] =
      await this.#database.read(
        organization,
        selectTermsVersion({}),
        selectOrganization({}),
        selectTaxes({}),
        selectPaymentTypes({}),
        selectPurchaseLimitRules({}),
        selectSellableOptions({ optionIds }),
        selectOfferedDiscounts({ codeKeys, chosenIds: [], at: isoTimestamp(this.#clock.now()) }),
        ...zoneKeys.map((key) => selectDeliveryZone({ patterns: postalCodePatterns(key) })),
      );
    const found = new Map(options.map((row) => [row.option_id, row]));
    const automaticDiscounts = discounts.filter(({ trigger }) => trigger === 'automatic');
    return {
      version: versionOf(version),
      organization: organizations,
      taxes,
      paymentTypes,
      limitRules,
      zones: new Map(zoneKeys.map((key, index) => [key, zones[index]!])),
      options: found,
      absentOptions: new Set(optionIds.filter((id) => !found.has(id))),
      automaticDiscounts,
      automaticLimitedIds: limitedAmong(automaticDiscounts),
      questions: questionsOf(automaticDiscounts),
      codeDiscounts: new Map(
        codeKeys.map((code) => [code, discounts.filter((row) => row.code_keys.includes(code))]),
      ),
      confirmed,
    };
  }

  #keep(organization: OrganizationId, terms: Terms): Terms {
    const isFull = [terms.zones, terms.codeDiscounts, terms.absentOptions].some(
      ({ size }) => size > namesMax,
    );
    // A copy: requests that are being decided go on with their own.
    const kept = { ...terms, zones: new Map(), codeDiscounts: new Map(), absentOptions: new Set<number>() };
    this.#kept.set(organization, isFull ? kept : terms);
    return terms;
  }

  /** Taken before the version is read: confirms the terms from this moment if they are still current. */
  #confirmation(organization: OrganizationId): Confirmation {
    return { askedAtMs: performance.now(), heardCount: this.#heardCount(organization) };
  }

  /** Whether the lease lasts: the version was read just now, and this process has heard of no change since. */
  #isConfirmed(organization: OrganizationId, { confirmed }: Terms): boolean {
    if (confirmed === undefined) return false;
    const { askedAtMs, heardCount } = confirmed;
    return (
      performance.now() - askedAtMs < this.#database.leaseMs && heardCount === this.#heardCount(organization)
    );
  }

  #heardCount(organization: OrganizationId): number {
    return this.#database.commitCount(organization) + (this.#invalidations.get(organization) ?? 0);
  }
}
