import { dollars } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';
import { blankDiscount, type DiscountDraft, type Targets } from './discount-draft.ts';
import { discountSentence, type TargetNames } from './discount-sentence.ts';

const labels: Readonly<Record<keyof DiscountDraft, string>> = {
  name: t`Name`,
  kind: t`Kind`,
  type: t`Percent or dollars`,
  amount: t`Amount`,
  perUnit: t`Per unit`,
  maximumAmount: t`Maximum`,
  trigger: t`Applies`,
  codes: t`Codes`,
  stackable: t`Combines with others`,
  priority: t`Priority`,
  usesPerOrder: t`Uses per order`,
  usesPerCustomer: t`Uses per customer`,
  usesTotal: t`Total uses`,
  buyQuantity: t`Buy`,
  getQuantity: t`Get cheaper`,
  buyTargets: t`Products to buy`,
  bundleQuantity: t`Units for this price`,
  targets: t`Products`,
  conditions: t`Conditions`,
};

/** A field's label and value, for an edit conflict. */
export function shownDiscountField(
  name: keyof DiscountDraft,
  value: unknown,
  names: TargetNames,
): { label: string; value: string } {
  return { label: labels[name], value: shownValue(name, value, names) };
}

function shownValue(name: keyof DiscountDraft, value: unknown, names: TargetNames): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (name === 'maximumAmount') return dollars(value as number);
  if (name === 'targets' || name === 'buyTargets') {
    return discountSentence(
      { ...blankDiscount, kind: 'line', amount: '…', targets: value as Targets },
      names,
    );
  }
  if (name === 'conditions') {
    const conditions = value as DiscountDraft['conditions'];
    return discountSentence({ ...blankDiscount, amount: '…', conditions }, names);
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}
