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
/** Callers choose the postal codes, and those of discounts. */
const codesMax = 1000;
/** Of one reading: a statement should not grow with whatever is waiting. */
const contactsMax = 64;

/** Facts of one version of an organization's terms; what has been asked for is filled in. */
interface Terms {
  readonly version: number;
  readonly organization: OrganizationRow[];
  readonly taxes: DatedTaxRow[];
  readonly paymentTypes: PaymentTypeRow[];
  readonly limitRules: PurchaseLimitRuleRow[];
  readonly zones: Map<string, DeliveryZoneRow[]>;
  readonly options: Map<number, SellableOptionRow>;
  readonly automaticDiscounts: readonly OfferedDiscountRow[];
  /** Those of them whose uses are limited. */
  readonly automaticLimitedIds: readonly number[];
  /** What they ask about whoever buys. */
  readonly questions: AccountQuestions;
  /** By normalized code; none for a code that is nobody's. */
  readonly codeDiscounts: Map<string, readonly OfferedDiscountRow[]>;
  /** When they were last found to be those of now; undefined: that is to be asked. */
  confirmed: Confirmation | undefined;
}

interface Confirmation {
  /** Before it was asked, on the clock of the process that never goes back. */
  readonly askedAtMs: number;
  /** How much this process had heard of changes by then. */
  readonly heardCount: number;
}

/** What is read for every preview. */
interface CurrentFacts {
  readonly version: number;
  /** How often limited discounts of the kept terms have been used; null where that is not counted yet. */
  readonly uses: ReadonlyMap<number, number | null>;
  readonly customers: CartCustomerRow[];
  /** The terms that said what to read of customers; null when everything was read, undefined when nothing. */
  readonly termsOfCustomers: Terms | null | undefined;
  readonly bought: BoughtRow[];
  readonly rewards: LoyaltyRewardRow[];
  /** Instead of the kept ones, when staff chose discounts. */
  readonly offered: OfferedDiscountRow[];
}

const noUses: CurrentFacts['uses'] = new Map();

function factsOfNobody(version: number): CurrentFacts {
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

/** By what the customers of one reading are looked up. */
interface Contacts {
  readonly emails: Set<string>;
  readonly phones: Set<string>;
}

/**
 * The facts of previews (`cartFactStatements`). Shops ask for a price at every change of a cart, and what prices
 * it seldom changes: it is kept with its version, and used only if that is the version of now. Whoever asks for a price
 * after a change of the terms was answered gets the new one, whichever process has made it: the version is asked for
 * anew, or was within the lease that changes wait for (docs/decisions/0013-terms-lease.md). Customers and uses of
 * discounts are always read. Orders do not come here: they decide on the rows of their own transaction.
 */
export class PricingInputsCache {
  readonly #database: Context['database'];
  readonly #law: Context['law'];
  /** The longest unused first. */
  readonly #kept = new Map<OrganizationId, Terms>();
  readonly #invalidations = new Map<OrganizationId, number>();
  /**
   * Requests that come in while readings of their organization run share the next one: as exact as one for each, and a
   * quarter less work for a preview without a customer, half the work for one with (measured at 8 requests at once).
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

  /** Has the next preview ask which terms are in force: somebody has seen those of the database since. */
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
    // Without terms it is not known what they ask about the customer.
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
      // Else they were replaced since it was asked how often theirs have been used.
      limitedIdsOf(terms, codeKeys).every((id) => now.uses.has(id));
    let uses = now.uses;
    if (terms?.version !== now.version || !knowsAll) {
      const read = await this.#readTerms(organization, request, nowMs);
      // The same version: the new rows join those that are kept. Another one: nothing of before holds.
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
    // What they ask about the customer, discounts and limits, may not have been read: all that can be asked is now.
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
    const isOfNobody = sizeOf({ emails, phones }) === 0;
    const terms = this.#kept.get(organization);
    const shop = terms?.organization[0];
    const limitedIds = limitedIdsOf(terms, []);
    const confirmedVersion = this.#isConfirmed(organization, terms) ? terms.version : null;
    if (isOfNobody && limitedIds.length === 0 && confirmedVersion !== null) {
      return factsOfNobody(confirmedVersion);
    }
    const confirmation = this.#confirmation(organization);
    const [[current], uses, customers] = await this.#database.read(
      organization,
      confirmedVersion === null ? selectTermsVersion({}) : null,
      limitedIds.length === 0 ? null : selectDiscountUses({ ids: limitedIds }),
      isOfNobody || terms === undefined || shop === undefined
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

  /** Of a request that names discounts or rewards, or whose terms have just changed. */
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

  /** Version and rows on one snapshot. */
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

  /** Of what is asked now. */
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
    // While there is room, it does not matter who would be the next to go.
    if (this.#kept.get(organization) === terms && this.#kept.size < organizationsMax) return;
    this.#kept.delete(organization);
    this.#kept.set(organization, terms);
    if (this.#kept.size > organizationsMax) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

/** Names discounts or rewards, which are then read for it alone. */
function asksForItsOwn({ discountCodes, chosenDiscountIds = [], loyaltyRewards = [] }: CartRequest): boolean {
  return discountCodes.length + chosenDiscountIds.length + loyaltyRewards.length > 0;
}

/** Of the lines of a cart, one by one; those that are not known are left out. */
function optionsOf(terms: Terms | undefined, { lineItems }: CartRequest): readonly SellableOptionRow[] {
  const options: SellableOptionRow[] = [];
  if (terms === undefined) return options;
  for (let index = 0; index < lineItems.length; index++) {
    const option = terms.options.get(lineItems[index]!.productOptionId);
    if (option !== undefined) options.push(option);
  }
  return options;
}

/** What a cart with these codes may have, used as often as `uses` says where it knows. */
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

/** Of everybody a reading brought, whom this email and phone point at (D33). */
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
