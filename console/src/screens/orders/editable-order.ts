import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { adjustmentsBody, type Reductions, typedAdjustment } from '../../parts/reductions.ts';
import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';

/** The editable part of an order; only changes are sent (D25). */
export interface EditableOrder extends Reductions {
  readonly lineItems: { productOptionId: number; quantity: number }[];
  readonly deliveryNotes: string | null;
  readonly internalNotes: string | null;
}

/** The initial values of an edit. Manual discounts are told from the others by the discount's trigger. */
export function editableOrder(order: Order, discounts: readonly Schema['StaffDiscount'][]): EditableOrder {
  const used = new Set(
    [...order.discounts, ...order.lineItems.flatMap((line) => line.discounts)].map(
      ({ discountId }) => discountId,
    ),
  );
  const usedOf = (trigger: string) => discounts.filter((it) => used.has(it.id) && it.trigger === trigger);
  return {
    lineItems: order.lineItems.map(({ optionId, quantity }) => ({ productOptionId: optionId, quantity })),
    deliveryNotes: order.deliveryNotes,
    internalNotes: order.internalNotes,
    discountIds: usedOf('manual').map(({ id }) => id),
    discountCodes: usedOf('code').flatMap(({ codes }) => codes.slice(0, 1)),
    adjustments: order.adjustments.filter(({ isTaxExemption }) => !isTaxExemption).map(typedAdjustment),
    taxExempt:
      order.taxExemptReason === null ? null : { exempt: order.taxExempt, reason: order.taxExemptReason },
  };
}

const labels: Readonly<Record<keyof EditableOrder, string>> = {
  lineItems: t`Items`,
  deliveryNotes: t`Customer notes`,
  internalNotes: t`Internal notes`,
  discountIds: t`Manual discounts`,
  discountCodes: t`Discount codes`,
  adjustments: t`Adjustments`,
  taxExempt: t`Taxes`,
};

/** A field's label and value, for an edit conflict. */
export function editedField(
  name: keyof EditableOrder & string,
  value: EditableOrder[keyof EditableOrder],
  nameOf: (productOptionId: number) => string,
): { label: string; value: string } {
  return { label: labels[name], value: valueText(value, nameOf) || '–' };
}

function valueText(
  value: EditableOrder[keyof EditableOrder],
  nameOf: (productOptionId: number) => string,
): string {
  if (value === null || typeof value === 'string') return value ?? '';
  if ('exempt' in value) return `${value.exempt ? t`Exempt` : t`Taxed`}: ${value.reason}`;
  return value
    .map((item) => {
      if (typeof item !== 'object') return String(item);
      if ('productOptionId' in item) return `${item.quantity} × ${nameOf(item.productOptionId)}`;
      return adjustmentsBody([item]).map(({ amount, description }) => `${dollars(amount)} ${description}`);
    })
    .join('; ');
}
