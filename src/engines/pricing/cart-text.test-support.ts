import type { Discount } from './discounts/discount-kinds.ts';
import type { PricedCart } from './priced-cart.ts';
import type { CartTax, PriceCartInput } from './pricing-facts.ts';

/** A priced cart as a page that an accountant can check with a pocket calculator: in dollars, with every step. */
export function cartText(title: string, input: PriceCartInput, cart: PricedCart): string {
  const allocation = (taxId: number) =>
    cart.lines.map((line) => line.taxAllocations.find((part) => part.taxId === taxId)?.amountCents ?? null);
  return [
    title,
    '',
    `Customer: ${input.taxExempt ? 'exempt' : 'not exempt'}`,
    '',
    'Taxes set up',
    ...input.taxes.map((tax) => `  ${tax.description.padEnd(10)} ${settingsText(tax)}`),
    '',
    ...discountsText(input.discounts?.offered ?? []),
    'Lines',
    row('', ['quantity', 'unit', 'subtotal', 'final', 'gross', ...cart.taxes.map((tax) => tax.description)]),
    ...cart.lines.map((line, index) =>
      row(`option ${line.productOptionId}`, [
        `${line.quantity}`,
        dollars(line.unitPriceCents),
        dollars(line.subtotalPriceCents),
        dollars(line.finalPriceCents),
        dollars(line.grossCents),
        ...cart.taxes.map((tax) => dollars(allocation(tax.id)[index] ?? null)),
      ]),
    ),
    ...(cart.deliveryFeeCents === null
      ? []
      : [
          row('delivery', [
            '',
            '',
            '',
            '',
            dollars(cart.deliveryFeeCents),
            ...cart.taxes.map((tax) => dollars(tax.feeAllocationCents)),
          ]),
        ]),
    '',
    'Taxes',
    row('', ['before', 'exempted', 'amount']),
    ...cart.taxes.map((tax) =>
      row(
        tax.description,
        [tax.amountBeforeExemptionCents, tax.amountExemptedCents, tax.amountCents].map(dollars),
      ),
    ),
    '',
    'Display list',
    ...displayList(cart).map(([label, cents]) => `  ${label.padEnd(28)}${dollars(cents).padStart(10)}`),
    '',
    'Steps, in cents',
    ...(cart.steps ?? []).map((step) => {
      const rate = step.rate === null ? '' : ` | rate ${step.rate}`;
      const rounded = step.roundedCents === null ? 'kept exact' : `${step.roundedCents}`;
      return `  ${step.subject}: ${step.rule}\n    base ${step.base}${rate} | exact ${step.exact} | ${rounded}`;
    }),
    '',
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

function displayList(cart: PricedCart): [string, number][] {
  return [
    ['Subtotal', cart.totalPriceCents],
    ...cart.credits.map((credit): [string, number] => [credit.description, -credit.amountUsedCents]),
    ...cart.discounts.map((discount): [string, number] => [discount.description, -discount.amountUsedCents]),
    ...cart.loyaltyRedemptions.map((each): [string, number] => [each.description, -each.amountUsedCents]),
    ...cart.adjustments.map((each): [string, number] => [each.description, each.amountCents]),
    ...cart.taxes
      .filter((tax) => !tax.included)
      .map((tax): [string, number] => [tax.description, tax.amountCents]),
    ['Net price', cart.netPriceCents],
    ['Delivery fee', cart.deliveryFeeCents ?? 0],
    ['Payment fees', cart.paymentFeesCents],
    ['Total', cart.customerGrandTotalCents],
  ];
}

function settingsText(tax: CartTax): string {
  return [
    `${tax.rate} %`,
    `tier ${tax.tier}`,
    tax.included ? 'included in prices' : 'added to prices',
    ...(tax.encompass ? ['on top of lower tiers'] : []),
    ...(tax.appliesToFees ? ['on fees'] : []),
    ...(tax.exemptable ? ['exemptable'] : []),
    ...(tax.rounding === 'up' ? ['rounded up'] : []),
  ].join(', ');
}

function discountsText(discounts: readonly Discount[]): string[] {
  if (discounts.length === 0) return [];
  const worth = ({ type, amount }: Discount) =>
    type === 'flat' ? `${dollars(Number(amount))} off` : `${amount} % off`;
  return [
    'Discounts set up, in turn',
    ...discounts.map(
      (discount) => `  ${discount.description.padEnd(20)} kind ${discount.kind}, ${worth(discount)}`,
    ),
    '',
  ];
}

function row(label: string, cells: readonly string[]): string {
  return `  ${label.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}

function dollars(cents: number | null): string {
  if (cents === null) return '-';
  const digits = `${Math.abs(cents)}`.padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
