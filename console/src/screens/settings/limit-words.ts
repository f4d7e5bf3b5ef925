import type { Schema } from '../../api.ts';

export type LimitRule = Schema['PurchaseLimitRule'];
export type OwnRule = Schema['OwnPurchaseLimitRule'];

/** The request body of the shop's own limit, complete. */
export type LimitDraft = Required<Schema['PurchaseLimitBody']>;

export const cannabisTypes: Readonly<Record<LimitRule['cannabisType'], string>> = {
  'non-concentrated': 'Flower and other non-concentrated',
  concentrated: 'Concentrate',
  edibles: 'Edibles',
  'mi-infused-solids': 'Infused solids, by weight',
  'mi-infused-fluids': 'Infused fluids, by volume',
  'immature-plant': 'Immature plants',
  seeds: 'Seeds',
  inhalables: 'Inhalable products',
  'low-dose-drinks': 'Low-dose drinks',
  'other-units': 'Other infused units',
};

export const customerTypes: Readonly<Record<LimitRule['customerType'], string>> = {
  all: 'Everyone',
  'adult-use': 'Adult use',
  medical: 'Medical',
  'medical-under-21': 'Medical under 21',
};

export const limitWindows: Readonly<Record<LimitRule['window'], string>> = {
  transaction: 'In one order',
  'local-day': 'In a day',
  'rolling-days': 'In the last days',
  'calendar-month': 'In a calendar month',
};

export const limitUnits = ['g', 'mg', 'oz', 'fl oz', 'count'] as const;

/** `28.5 g`; for plants only the number. */
export function amountInWords(amount: string, unit: string): string {
  return unit === 'count' ? amount : `${amount} ${unit}`;
}

/** The period that is counted together. */
export function windowInWords(rule: Pick<LimitRule, 'window' | 'windowDays'>): string {
  return rule.window === 'rolling-days' ? `In ${rule.windowDays} days` : limitWindows[rule.window];
}

/** The counted types, each with its conversion. */
export function countsInWords(counts: LimitRule['counts']): string {
  return counts
    .map(({ cannabisType, amount, unit, countsAs, countsAsUnit }) => {
      const type = cannabisTypes[cannabisType];
      if (amount === null || countsAs === null) return type;
      return `${type} (${amountInWords(amount, unit ?? '')} as ${amountInWords(countsAs, countsAsUnit ?? '')})`;
    })
    .join(', ');
}
