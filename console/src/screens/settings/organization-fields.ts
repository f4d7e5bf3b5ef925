import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import type { ComparedField } from '../../parts/stale-edit.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

type Settings = Schema['OrganizationSettings'];

const labels: Partial<Record<keyof Settings, string>> = {
  name: t`Name`,
  licenseNumber: t`License number`,
  customerEmail: t`Email`,
  customerPhone: t`Phone`,
  placeholderContacts: t`Placeholder contacts`,
  tz: t`Time zone`,
  businessDayStartsAt: t`Business day starts at`,
  owedPointCents: t`Cents for a point that is owed`,
  integratorsSetStock: t`Integrators set stock`,
  customersCancel: t`Customers cancel orders`,
  showsDriverPosition: t`Customers see how far the driver is`,
  needsTimeSlot: t`Customers must choose a time slot`,
  firstStepsHidden: t`List of first steps hidden`,
  documentRetentionDays: t`Keep documents for (days)`,
  customerRetentionDays: t`Erase inactive customers after (days)`,
  explanationRetentionDays: t`Keep calculation steps for (days)`,
  hasDelivery: t`Delivery`,
  hasPickup: t`Pickup`,
  hasInStore: t`In store`,
  orderMinimums: t`Order minimums`,
  taxesIncluded: t`Prices include taxes`,
  medicalTaxExempt: t`Medical exemption`,
  autoApplyCredits: t`Use credits automatically`,
  taxPassThroughFees: t`Tax delivery fees of integrations`,
  leftTaxesDismissed: t`Local taxes that are not due`,
  statusOnCreation: t`Initial order status`,
  locationsByOrderType: t`Stock from`,
  discountLimits: t`Discount limits`,
  freeProductFloorCents: t`Minimum price per cannabis unit`,
  customerMails: t`Email to customers`,
};

/** The fields of an edit with the values that another person saved. */
export function comparedFields(mine: Partial<Settings>, theirs: Settings): ComparedField[] {
  return (Object.keys(mine) as (keyof Settings)[]).map((name) => ({
    label: labels[name] ?? name,
    mine: shown(name, mine[name]),
    theirs: shown(name, theirs[name]),
    differs: JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]),
  }));
}

/** A part of a setting with several. */
function partInWords(it: unknown): string {
  return typeof it === 'boolean' ? (it ? t`yes` : t`no`) : String(it ?? t`none`);
}

function shown(name: keyof Settings, value: unknown): string {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (name === 'orderMinimums') {
    const { delivery, pickup } = value as Settings['orderMinimums'];
    return t`Delivery ${dollars(delivery)}, pickup ${dollars(pickup)}`;
  }
  if (name === 'freeProductFloorCents') return value === null ? t`State default` : dollars(Number(value));
  if (Array.isArray(value)) return value.join(', ') || '–';
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([part, it]) => `${sentence(part)}: ${Array.isArray(it) ? it.join(', ') : partInWords(it)}`)
      .join('; ');
  }
  return String(value ?? '–');
}
