import type { Schema } from '../../api.ts';

type Preview = Schema['ReturnPreview'];

/** What makes a refund, from the goods to the sum: positive is the customer's. What is 0 is left out, but for the goods. */
export function refundRows(preview: Preview): readonly { readonly label: string; readonly cents: number }[] {
  const taxes = preview.taxes.filter(({ refunded }) => refunded);
  const rows = [
    { label: 'Discounts', cents: 0 - preview.discountsTotal },
    { label: 'Rewards', cents: 0 - preview.loyaltyTotal },
    { label: 'Paid by credits', cents: 0 - preview.creditsTotal },
    ...taxes.map(({ description, amount }) => ({ label: description, cents: 0 - amount })),
    { label: 'Adjustment', cents: 0 - preview.adjustmentAmount },
  ];
  return [{ label: 'Goods', cents: 0 - preview.refundInitial }, ...rows.filter(({ cents }) => cents !== 0)];
}

/** What else the customer's account gets or gives, in sentences. */
export function accountWords(
  preview: Pick<Preview, 'storeCredit' | 'pointsTakenBack' | 'pointsGivenBack'>,
  dollars: (cents: number) => string,
): readonly string[] {
  return [
    preview.storeCredit > 0 && `${dollars(preview.storeCredit)} goes onto the account as store credit.`,
    preview.pointsTakenBack !== '0' && `${preview.pointsTakenBack} points are taken back.`,
    preview.pointsGivenBack !== '0' && `${preview.pointsGivenBack} points are given back.`,
  ].filter((line) => line !== false);
}
