import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import type { ContentUnit } from '../../engines/goods/content-units.ts';
import type { Audience, Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import { exemptsPatients, rulesInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import { hasReached } from '../../engines/jurisdictions/minimum-age.ts';
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
import type { SalePlace } from '../settings/locality.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import { ownLimitsOf } from '../settings/terms-of-sale.ts';
import type { BoughtRow } from './cart-customer-queries.ts';

/* Applies the law and the organization's rules to a customer: age, exemption, limits (D34, D35, D36). Pure. */

/** Some states have narrower limits for patients below this age. */
const narrowerPatientLimitsUntil = 21;

/** Days are YYYY-MM-DD. */
interface CustomerFacts {
  readonly birthday: string | null;
  readonly medicalExpiration: string | null;
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
  return { jurisdiction, today, birthday: customer.birthday, isMedical, taxExempt };
}

/** The audience whose limits apply to a customer: young patients have narrower limits if their birthday is known. */
export function audienceOf({ isMedical, birthday, today }: LegalStanding): Audience {
  if (!isMedical) return 'adult-use';
  const isYoung = birthday !== null && !hasReached(narrowerPatientLimitsUntil, birthday, today);
  return isYoung ? 'medical-under-21' : 'medical';
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

/** A customer's purchases in the form that limits count. */
export function purchaseOf(row: BoughtRow): EarlierPurchase {
  return {
    cannabisType: row.cannabis_type,
    content: row.content,
    quantity: 1,
    localDate: row.local_date,
  };
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
