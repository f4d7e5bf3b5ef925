import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

export type LimitRule = Schema['PurchaseLimitRule'];
export type OwnRule = Schema['OwnPurchaseLimitRule'];

/** The request body of the shop's own limit, complete. */
export type LimitDraft = Required<Schema['PurchaseLimitBody']>;

export const cannabisTypes: Readonly<Record<LimitRule['cannabisType'], string>> = {
  'non-concentrated': t`Flower and other non-concentrated`,
  concentrated: t`Concentrate`,
  edibles: t`Edibles`,
  'mi-infused-solids': t`Infused solids, by weight`,
  'mi-infused-fluids': t`Infused fluids, by volume`,
  'immature-plant': t`Immature plants`,
  seeds: t`Seeds`,
  inhalables: t`Inhalable products`,
  'low-dose-drinks': t`Low-dose drinks`,
  'other-units': t`Other infused units`,
};

export const customerTypes: Readonly<Record<LimitRule['customerType'], string>> = {
  all: t`Everyone`,
  'adult-use': t`Adult use`,
  medical: t`Medical`,
  'medical-under-21': t`Medical under 21`,
};

export const limitWindows: Readonly<Record<LimitRule['window'], string>> = {
  transaction: t`In one order`,
  'local-day': t`In a day`,
  'rolling-days': t`In the last days`,
  'calendar-month': t`In a calendar month`,
};

export const limitUnits = ['g', 'mg', 'oz', 'fl oz', 'count'] as const;

/** `28.5 g`; for plants only the number. */
export function amountInWords(amount: string, unit: string): string {
  return unit === 'count' ? amount : `${amount} ${unit}`;
}

/** The period that is counted together. */
export function windowInWords(rule: Pick<LimitRule, 'window' | 'windowDays'>): string {
  return rule.window === 'rolling-days' ? t`In ${rule.windowDays} days` : limitWindows[rule.window];
}

/** The counted types, each with its conversion. */
export function countsInWords(counts: LimitRule['counts']): string {
  return counts
    .map(({ cannabisType, amount, unit, countsAs, countsAsUnit, of }) => {
      const type = cannabisTypes[cannabisType];
      if (amount === null || countsAs === null) return type;
      if (of === 'thc') {
        return t`${type} (${amountInWords(amount, unit ?? '')} of THC as ${amountInWords(countsAs, countsAsUnit ?? '')})`;
      }
      return t`${type} (${amountInWords(amount, unit ?? '')} as ${amountInWords(countsAs, countsAsUnit ?? '')})`;
    })
    .join(', ');
}
