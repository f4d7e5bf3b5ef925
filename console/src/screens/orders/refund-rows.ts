import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Preview = Schema['ReturnPreview'];

/**
 * The rows of a refund, from the goods to the sum; positive amounts go to the customer. Zero rows are left out, except the
 * goods.
 */
export function refundRows(preview: Preview): readonly { readonly label: string; readonly cents: number }[] {
  const taxes = preview.taxes.filter(({ refunded }) => refunded);
  const rows = [
    { label: t`Discounts`, cents: 0 - preview.discountsTotal },
    { label: t`Rewards`, cents: 0 - preview.loyaltyTotal },
    { label: t`Paid by credits`, cents: 0 - preview.creditsTotal },
    ...taxes.map(({ description, amount }) => ({ label: description, cents: 0 - amount })),
    { label: t`Adjustment`, cents: 0 - preview.adjustmentAmount },
  ];
  return [{ label: t`Goods`, cents: 0 - preview.refundInitial }, ...rows.filter(({ cents }) => cents !== 0)];
}

/** Other changes of the customer's account, in sentences. */
export function accountWords(
  preview: Pick<Preview, 'storeCredit' | 'pointsTakenBack' | 'pointsGivenBack'>,
  dollars: (cents: number) => string,
): readonly string[] {
  return [
    preview.storeCredit > 0 && t`${dollars(preview.storeCredit)} is added to the account as store credit.`,
    preview.pointsTakenBack !== '0' && t`${preview.pointsTakenBack} points are deducted.`,
    preview.pointsGivenBack !== '0' && t`${preview.pointsGivenBack} points are returned.`,
  ].filter((line) => line !== false);
}
