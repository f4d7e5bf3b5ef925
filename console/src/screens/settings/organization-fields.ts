import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import type { ComparedField } from '../../parts/stale-edit.tsx';
import { sentence } from '../../parts/status-badge.tsx';

type Settings = Schema['OrganizationSettings'];

const labels: Partial<Record<keyof Settings, string>> = {
  name: 'Name',
  licenseNumber: 'License number',
  customerEmail: 'Email',
  customerPhone: 'Phone',
  tz: 'Time zone',
  integratorsSetStock: 'Integrators set stock',
  firstStepsHidden: 'List of first steps hidden',
  documentRetentionDays: 'Keep documents for (days)',
  customerRetentionDays: 'Erase inactive customers after (days)',
  explanationRetentionDays: 'Keep calculation steps for (days)',
  hasDelivery: 'Delivery',
  hasPickup: 'Pickup',
  hasInStore: 'In store',
  orderMinimums: 'Order minimums',
  taxesIncluded: 'Prices include taxes',
  medicalTaxExempt: 'Medical exemption',
  autoApplyCredits: 'Use credits automatically',
  statusOnCreation: 'Initial order status',
  locationsByOrderType: 'Stock from',
  discountLimits: 'Discount limits',
  freeProductFloorCents: 'Minimum price per cannabis unit',
  customerMails: 'Mail to customers',
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
  return typeof it === 'boolean' ? (it ? 'yes' : 'no') : String(it ?? 'none');
}

function shown(name: keyof Settings, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'orderMinimums') {
    const { delivery, pickup } = value as Settings['orderMinimums'];
    return `Delivery ${dollars(delivery)}, pickup ${dollars(pickup)}`;
  }
  if (name === 'freeProductFloorCents') return value === null ? 'State default' : dollars(Number(value));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([part, it]) => `${sentence(part)}: ${Array.isArray(it) ? it.join(', ') : partInWords(it)}`)
      .join('; ');
  }
  return String(value ?? '–');
}
