import { dollars } from '../../parts/dollars.ts';
import { blankDiscount, type DiscountDraft, type Targets } from './discount-draft.ts';
import { discountSentence, type TargetNames } from './discount-sentence.ts';

const labels: Readonly<Record<keyof DiscountDraft, string>> = {
  name: 'Name',
  kind: 'Kind',
  type: 'Percent or dollars',
  amount: 'Amount',
  perUnit: 'Per unit',
  maximumAmount: 'Maximum',
  trigger: 'Applies',
  codes: 'Codes',
  stackable: 'Combines with others',
  priority: 'Priority',
  usesPerOrder: 'Uses per order',
  usesPerCustomer: 'Uses per customer',
  usesTotal: 'Total uses',
  buyQuantity: 'Buy',
  getQuantity: 'Get cheaper',
  buyTargets: 'Products to buy',
  targets: 'Products',
  conditions: 'Conditions',
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
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
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
