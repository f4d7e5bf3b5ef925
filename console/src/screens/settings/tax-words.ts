import type { Schema } from '../../api.ts';
import { shopTime } from '../../parts/shop-time.tsx';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import { t } from '../../words/words.ts';
import { localityInWords, ownSourceInWords } from './locality-fields.tsx';

export type Tax = Schema['Tax'];

/** Whether it has ended, or ended before it started. */
export function isPast(tax: Tax, nowMs: number): boolean {
  if (tax.endsAt === null) return false;
  return Date.parse(tax.endsAt) <= nowMs || (tax.startsAt !== null && tax.endsAt <= tax.startsAt);
}

/** The state of a tax: in force, scheduled or ended. */
export function taxState(tax: Tax, nowMs: number): 'active' | 'coming' | 'ended' {
  if (isPast(tax, nowMs)) return 'ended';
  return tax.startsAt !== null && Date.parse(tax.startsAt) > nowMs ? 'coming' : 'active';
}

export const taxTypes: Readonly<Record<Tax['type'], string>> = {
  standard: t`Standard`,
  excise: t`Excise`,
  'california-excise': t`California excise`,
};

export const taxedCustomers: Readonly<Record<Tax['customerType'], string>> = {
  all: t`All customers`,
  'adult-use': t`Adult-use customers`,
  medical: t`Medical customers`,
};

/** Whether patients may owe an uncharged tax and the owner has not decided yet. */
export function isUndecided({ patients }: Tax): boolean {
  return patients?.rule === 'not-known' && patients.decision === null;
}

const patientsRules: Readonly<Record<NonNullable<Tax['patients']>['rule'], string>> = {
  owe: t`Patients owe it`,
  exempt: t`Patients do not owe it`,
  'other-tax': t`Patients owe another tax`,
  'not-known': t`Not charged to patients until the owner decides`,
};

/** What the law says of patients and a tax, and where that was read. */
export function patientsInWords({ rule, text }: Pick<NonNullable<Tax['patients']>, 'rule' | 'text'>): string {
  return `${patientsRules[rule]}: ${text}`;
}

/** The special rules of a tax, in one line. */
export function traitsOf(tax: Tax): string {
  const traits = [
    tax.included && t`included in prices`,
    tax.encompass && t`also on lower tiers`,
    tax.exemptable && t`exemptable`,
    tax.appliesToFees && t`on delivery fees`,
    tax.rounding === 'up' && t`rounded up`,
    tax.customerType !== 'all' && t`${taxedCustomers[tax.customerType].toLowerCase()} only`,
    tax.locality !== null && t`in ${tax.locality.name} only`,
    tax.onlyInDeliveryZones && t`only in zones that select it`,
    tax.excludedProductCategoryIds.length > 0 && t`not on all categories`,
  ].filter((trait) => trait !== false);
  const line = traits.join(', ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

const labels: Partial<Record<keyof Tax, string>> = {
  description: t`Name`,
  rate: t`Rate`,
  basis: t`Charged on`,
  tier: t`Tier`,
  type: t`Kind`,
  included: t`Included in prices`,
  encompass: t`Also on lower tiers`,
  exemptable: t`Exemptable`,
  appliesToFees: t`On delivery fees`,
  rounding: t`Rounding`,
  customerType: t`Charged to`,
  onlyInDeliveryZones: t`Only in zones that select it`,
  excludedProductCategoryIds: t`Not charged on`,
  nonExemptableProductCategoryIds: t`Never exempt`,
  locality: t`Applies in`,
  ownSource: t`Legal source`,
  startsAt: t`From`,
  endsAt: t`Until`,
};

/** A field's label and value, for an edit conflict; categories by name. */
export function taxFieldInWords(
  name: keyof Tax,
  value: Tax[keyof Tax],
  { categories, tz }: { categories: readonly { readonly id: number; readonly name: string }[]; tz: string },
): { label: string; value: string } {
  const label = labels[name] ?? name;
  if (name === 'rate') return { label, value: `${value}%` };
  if (name === 'basis') {
    const basis = value as Tax['basis'];
    return { label, value: basis === null ? t`The price: one rate` : taxChargeInWords({ rate: '0', basis }) };
  }
  if (name === 'startsAt' || name === 'endsAt') {
    return { label, value: value ? shopTime(String(value), tz, 'full') : t`No end` };
  }
  if (name === 'locality') return { label, value: localityInWords(value as Tax['locality']) };
  if (name === 'ownSource') return { label, value: ownSourceInWords(value as Tax['ownSource']) };
  if (typeof value === 'boolean') return { label, value: value ? t`Yes` : t`No` };
  if (Array.isArray(value)) {
    const names = value.map((id) => categories.find((it) => it.id === id)?.name ?? String(id));
    return { label, value: names.join(', ') || t`None` };
  }
  return { label, value: String(value ?? '–') };
}
