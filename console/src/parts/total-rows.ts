import type { Schema } from '../api.ts';
import { t } from '../words/words.ts';

type Pricing = Schema['StaffCartPricing'];
type Order = Schema['StaffOrder'];

/** The amounts that orders and priced carts have in common. */
export type PricedAmounts = Pick<
  Order,
  'totalPrice' | 'customerGrandTotal' | 'deliveryFee' | 'deliveryFeeDescription'
> & {
  readonly discounts: readonly Pick<Pricing['discounts'][number], 'amountUsed' | 'description'>[];
  readonly loyaltyRedemptions: readonly Pick<
    Pricing['loyaltyRedemptions'][number],
    'amountUsed' | 'description'
  >[];
  readonly adjustments: readonly Pick<Pricing['adjustments'][number], 'amount' | 'description'>[];
  readonly credits: readonly Pick<Pricing['credits'][number], 'amountUsed' | 'description'>[];
  readonly taxes: readonly Pick<
    Pricing['taxes'][number],
    'amount' | 'amountExempted' | 'description' | 'rate' | 'included'
  >[];
} & (
    | { readonly paymentFees: number }
    | {
        readonly payments: readonly Pick<
          Order['payments'][number],
          'feeAmount' | 'feeDescription' | 'name'
        >[];
      }
  );

/** A row of the sum, from the goods to the total. */
interface TotalRow {
  readonly label: string;
  readonly cents: number;
  readonly note?: string;
  /** Informational: already included in another row. */
  readonly isQuiet?: boolean;
  readonly isTax?: boolean;
}

/** The rows of the total in calculation order; the rows that are not quiet add up to it. */
export function totalRows(amounts: PricedAmounts): readonly TotalRow[] {
  return [
    { label: t`Subtotal`, cents: amounts.totalPrice },
    ...amounts.discounts.map(({ description, amountUsed }) => ({ label: description, cents: -amountUsed })),
    ...amounts.loyaltyRedemptions.map(({ description, amountUsed }) => ({
      label: description,
      note: t`reward`,
      cents: -amountUsed,
    })),
    ...amounts.adjustments.map(({ description, amount }) => ({ label: description, cents: amount })),
    ...amounts.taxes
      .filter(({ amount, amountExempted }) => amount !== 0 || amountExempted !== 0)
      .map((tax) => ({
        label: tax.description,
        note: taxNote(tax),
        cents: tax.amount,
        isQuiet: tax.included,
        isTax: true,
      })),
    ...amounts.credits.map(({ description, amountUsed }) => ({
      label: description,
      note: t`credit`,
      cents: -amountUsed,
    })),
    ...(amounts.deliveryFee
      ? [{ label: amounts.deliveryFeeDescription || t`Delivery`, cents: amounts.deliveryFee }]
      : []),
    ...feeRows(amounts),
  ];
}

/** The same with one row for all added taxes; included taxes are left out. */
export function withOneTax(rows: readonly TotalRow[]): readonly TotalRow[] {
  const onTop = rows.filter(({ isTax, isQuiet }) => isTax && !isQuiet);
  const cents = onTop.reduce((sum, row) => sum + row.cents, 0);
  return rows.flatMap((row) => {
    if (!row.isTax) return [row];
    return row === onTop[0] ? [{ label: t`Taxes`, cents }] : [];
  });
}

function feeRows(amounts: PricedAmounts): TotalRow[] {
  if ('paymentFees' in amounts) {
    return amounts.paymentFees ? [{ label: t`Payment fees`, cents: amounts.paymentFees }] : [];
  }
  return amounts.payments.flatMap(({ feeAmount, feeDescription, name }) =>
    feeAmount ? [{ label: feeDescription || t`Fee for ${name}`, cents: feeAmount }] : [],
  );
}

function taxNote({ rate, included, amountExempted }: PricedAmounts['taxes'][number]): string {
  return [
    // A tax by potency or content has no one rate.
    ...(rate === '0' ? [] : [`${rate}%`]),
    ...(included ? [t`included in prices`] : []),
    ...(amountExempted > 0 ? [t`exempted`] : []),
  ].join(', ');
}
