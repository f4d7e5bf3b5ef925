import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { ContentUnit } from '../../engines/goods/content-units.ts';
import type { Audience, Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import { exemptsPatients, isInForce, rulesInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import { assertBorn, assertOldEnough, hasReached } from '../../engines/jurisdictions/minimum-age.ts';
import {
  checkPurchaseLimits,
  type EarlierPurchase,
  type LimitedLine,
  type PurchaseLimitOverage,
  type PurchaseLimitsVerdict,
} from '../../engines/purchase-limits/check-purchase-limits.ts';
import type { LimitWindow, PurchaseLimitRule } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { CaregiverRow } from '../customers/caregivers.ts';
import { customerNotFound } from '../customers/customers.ts';
import type { SalePlace } from '../settings/locality.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import { ownLimitsOf } from '../settings/terms-of-sale.ts';
import type { BoughtRow } from './cart-customer-queries.ts';
import type { CartWarning } from './cart-schemas.ts';

/* Applies the law and the organization's rules to a customer: age, exemption, limits (D34, D35, D36). Pure. */

/** Some states have narrower limits for patients below this age. */
const narrowerPatientLimitsUntil = 21;

/** Days are YYYY-MM-DD. */
interface CustomerFacts {
  readonly birthday: string | null;
  readonly medicalExpiration: string | null;
  /** The state where the person lives; null or absent: not asked. */
  readonly residence?: string | null;
  /** The staff's override for the customer; null or absent: the law and the organization decide. */
  readonly taxExempt?: boolean | null;
}

/** The customer's legal status on a local day. */
export interface LegalStanding {
  /** Null: the state has no data. */
  readonly jurisdiction: Jurisdiction | null;
  readonly today: string;
  readonly birthday: string | null;
  readonly isMedical: boolean;
  /** The state where the customer lives; null: not asked. */
  readonly residence: string | null;
  readonly taxExempt: boolean;
}

type Place = Pick<OrganizationRow, 'state' | 'tz' | 'medical_tax_exempt'>;

/** Decides the customer's legal status (D35). A customer without data is an adult-use customer. */
export function legalEligibility(
  law: StateLaw,
  organization: Place,
  customer: CustomerFacts,
  nowMs: number,
): LegalStanding {
  const { state, tz, medical_tax_exempt: organizationExempts } = organization;
  const today = localDateAt(nowMs, tz);
  const jurisdiction = law.find(state);
  const isMedical = customer.medicalExpiration !== null && customer.medicalExpiration >= today;
  const exempts = () =>
    organizationExempts || (jurisdiction !== null && exemptsPatients(jurisdiction, today));
  const taxExempt = customer.taxExempt ?? (isMedical && exempts());
  const { birthday, residence = null } = customer;
  return { jurisdiction, today, birthday, isMedical, residence, taxExempt };
}

/**
 * The audience whose limits apply to a customer: young patients have narrower limits if their birthday is known, and so do adults who have not
 * shown that they live in the state, where its law has such limits (D94).
 */
export function audienceOf(standing: AudienceFacts): Audience {
  const { isMedical, birthday, today, jurisdiction, residence } = standing;
  if (!isMedical) {
    const isHeld = jurisdiction?.state !== residence && hasLimitsOfNonResidents(standing);
    return isHeld ? 'adult-use-non-resident' : 'adult-use';
  }
  const isYoung = birthday !== null && !hasReached(narrowerPatientLimitsUntil, birthday, today);
  return isYoung ? 'medical-under-21' : 'medical';
}

type AudienceFacts = Pick<LegalStanding, 'isMedical' | 'birthday' | 'today' | 'jurisdiction' | 'residence'>;

function hasLimitsOfNonResidents({ jurisdiction, today }: AudienceFacts): boolean {
  const rules = jurisdiction?.purchaseLimits ?? [];
  return rules.some((rule) => rule.audience === 'adult-use-non-resident' && isInForce(rule, today));
}

/** What is not known of the buyer or of the law and decides how much they get: for warnings. */
export function unknownOfLimits(standing: LegalStanding): CartWarning[] {
  const { jurisdiction, isMedical, residence, today } = standing;
  if (jurisdiction === null) return [];
  const { name } = jurisdiction;
  if (!isMedical && residence === null && hasLimitsOfNonResidents(standing)) {
    const message = `${name} has narrower limits for people who do not live there. They hold until the customer has shown where they live`;
    return [{ code: 'RESIDENCE_UNKNOWN', message }];
  }
  if (isMedical && rulesInForce(jurisdiction, today, 'medical').length === 0) {
    const message = `No purchase limit of patients in ${name} is known here: only the shop's own limits are checked`;
    return [{ code: 'PATIENT_LIMITS_UNKNOWN', message }];
  }
  return [];
}

/**
 * D36: the state's rules for this customer, then the organization's own rules that are in force and apply to the
 * place.
 */
export function limitsFor(
  { jurisdiction, today }: Pick<LegalStanding, 'jurisdiction' | 'today'>,
  audience: Audience,
  ownRules: readonly PurchaseLimitRuleRow[],
  place: SalePlace,
): PurchaseLimitRule[] {
  return [
    ...(jurisdiction === null ? [] : rulesInForce(jurisdiction, today, audience)),
    ...ownLimitsOf(ownRules, today, audience.startsWith('medical'), place),
  ];
}

/** The use of each limit by a cart and by the customer's earlier purchases (D29, D36). */
export function checkLimits(
  rules: readonly PurchaseLimitRule[],
  today: string,
  cartLines: readonly LimitedLine[],
  history: readonly BoughtRow[],
): PurchaseLimitsVerdict {
  return checkPurchaseLimits({ rules, cartLines, history: history.map(purchaseOf), today });
}

/** What a customer bought of a type on a day, its THC beside its content: for people. */
export function purchasesOf(rows: readonly BoughtRow[]): EarlierPurchase[] {
  const purchases = new Map<string, EarlierPurchase>();
  for (const { content, thcMg, ...purchase } of rows.map(purchaseOf)) {
    const key = `${purchase.localDate} ${purchase.cannabisType}`;
    const known = purchases.get(key);
    purchases.set(key, {
      ...purchase,
      content: content ?? known?.content ?? null,
      thcMg: thcMg ?? known?.thcMg ?? null,
    });
  }
  return [...purchases.values()];
}

/** A customer's purchases in the form that limits count. */
function purchaseOf({ cannabis_type: key, content, local_date: localDate }: BoughtRow): EarlierPurchase {
  const type = key.startsWith('thc:') ? (key.slice('thc:'.length) as CannabisType) : null;
  if (type === null) return { cannabisType: key as CannabisType, content, quantity: 1, localDate };
  return { cannabisType: type, content: null, thcMg: content, quantity: 1, localDate };
}

/**
 * The age of who stands at the counter: of the customer, or of the caregiver who buys for a patient, who may be of any age. Fails with
 * CUSTOMER_UNDERAGE, and with CAREGIVER_NOT_REGISTERED when the caregiver may not buy for the customer on this day. Undefined: the customer buys;
 * null: the caregiver is not on file (USER_NOT_FOUND).
 */
export function assertMayBuy(standing: LegalStanding, caregiver: CaregiverRow | null | undefined): void {
  if (caregiver === undefined) {
    assertOldEnough(standing);
    return;
  }
  if (caregiver === null) throw customerNotFound();
  const refused = (why: string) => failure('CAREGIVER_NOT_REGISTERED', why);
  const { today, isMedical } = standing;
  const { expires_on: expiresOn } = caregiver;
  if (!caregiver.is_registered || caregiver.caregiver_is_erased) {
    throw refused('The profile of the buyer does not have the customer among its patients');
  }
  if (!isMedical)
    throw refused('The customer has no medical card that is valid today, so no caregiver buys for them');
  if (expiresOn !== null && expiresOn < today) {
    throw refused(`The caregiver could buy for this patient until ${expiresOn}`);
  }
  assertOldEnough({ ...standing, isMedical: false, birthday: caregiver.caregiver_birthday });
}

/** The same for a cart, with the rows of its caregiver; and INVALID_PARAMS for a birthday after today. */
export function assertBuyer(
  standing: LegalStanding,
  { boughtById }: { readonly boughtById?: number },
  caregivers: readonly CaregiverRow[] | undefined,
): void {
  assertBorn(standing, 'customer.birthday');
  assertMayBuy(standing, boughtById === undefined ? undefined : (caregivers?.[0] ?? null));
}

/** Fails with PURCHASE_LIMIT_EXCEEDED when a cart exceeds a limit. */
export function assertWithinLimits({ overages }: PurchaseLimitsVerdict): void {
  if (overages.length === 0) return;
  throw failure(
    'PURCHASE_LIMIT_EXCEEDED',
    `Over the purchase limit: ${overages.map(overageWords).join('; ')}`,
    {
      overages: overages.map(({ cannabisType, limit, total, overage }) => ({
        cannabisType,
        limit,
        total,
        overage,
      })),
    },
  );
}

/** "Flower: 28.5 g a day, this would be 31.5 g". */
function overageWords({ rule, limit, total }: PurchaseLimitOverage): string {
  const { name, window } = rule;
  const { unit } = rule.limit;
  return `${name}: ${amountWords(limit, unit)} ${windowWords(window)}, this would be ${amountWords(total, unit)}`;
}

/** Plants are the only type counted in pieces (`contentUnits`). */
function amountWords(amount: string, unit: ContentUnit): string {
  if (unit !== 'count') return `${amount} ${unit}`;
  return amount === '1' ? '1 plant' : `${amount} plants`;
}

function windowWords(window: LimitWindow): string {
  switch (window.kind) {
    case 'transaction':
      return 'an order';
    case 'local-day':
      return 'a day';
    case 'rolling-days':
      return `in ${window.days} days`;
    case 'calendar-month':
      return 'a month';
  }
}
