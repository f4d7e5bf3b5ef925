import { decimal } from '../../kernel/decimal.ts';
import type { partReport } from './part-report.ts';
import type { salesReport } from './sales-report.ts';
import type { taxReport } from './tax-report.ts';
import type { valueReport } from './value-report.ts';

/* The columns of reports in a spreadsheet: headings as accountants know them, money in dollars. */

type RowOf<Report extends (...asked: never[]) => Promise<{ readonly rows: readonly unknown[] }>> = Awaited<
  ReturnType<Report>
>['rows'][number];
type Sheet<Row> = Readonly<Record<string, (row: Row) => string | number | boolean | null>>;

/** `1234.56`; nothing where the amount is not known. */
function dollars(cents: number | null): string | null {
  return cents === null ? null : decimal(cents).div(100).toFixed(2);
}

export const salesSheet: Sheet<RowOf<typeof salesReport>> = {
  Key: (row) => row.key,
  Name: (row) => row.name,
  Orders: (row) => row.orders,
  Units: (row) => row.units,
  'Gross sales': (row) => dollars(row.gross),
  Discounts: (row) => dollars(row.discounts),
  'Net sales': (row) => dollars(row.net),
  'Cost of goods': (row) => dollars(row.cost),
  Margin: (row) => dollars(row.margin),
  Adjustments: (row) => dollars(row.adjustments),
  'Credits used': (row) => dollars(row.credits),
  Tax: (row) => dollars(row.tax),
  'Refunded sales': (row) => dollars(row.refunds),
  'Refunded adjustments': (row) => dollars(row.refundedAdjustments),
  'Refunded credits': (row) => dollars(row.refundedCredits),
  'Refunded tax': (row) => dollars(row.refundedTax),
  'Other refunds': (row) => dollars(row.otherRefunds),
  'Payments collected': (row) => dollars(row.paid),
  Returns: (row) => row.returns,
  'Payments refunded': (row) => dollars(row.paidBack),
  'Net sales after refunds': (row) => dollars(row.netAfterRefunds),
  'Tax after refunds': (row) => dollars(row.taxAfterRefunds),
};

export const taxSheet: Sheet<RowOf<typeof taxReport>> = {
  Tax: (row) => row.description,
  'Rate (%)': (row) => row.rate,
  'Included in price': (row) => (row.included ? 'Yes' : 'No'),
  Orders: (row) => row.orders,
  'Taxable sales': (row) => dollars(row.taxable),
  'Tax on goods': (row) => dollars(row.goods),
  'Tax on delivery fees': (row) => dollars(row.fees),
  'Tax collected': (row) => dollars(row.total),
  'Tax exempted': (row) => dollars(row.exempted),
  'Tax refunded': (row) => dollars(row.refunded),
  'Tax due': (row) => dollars(row.due),
};

export const valueSheet: Sheet<RowOf<typeof valueReport>> = {
  Location: (row) => row.name,
  'Value at cost': (row) => decimal(row.value).toFixed(2),
  Items: (row) => row.items,
  'Items without cost': (row) => row.itemsWithoutCost,
};

export const partSheet: Sheet<RowOf<typeof partReport>> = {
  Key: (row) => row.key,
  Name: (row) => row.name,
  Orders: (row) => row.orders,
  Units: (row) => row.units,
  'Gross sales': (row) => dollars(row.gross),
  Discounts: (row) => dollars(row.discounts),
  'Net sales': (row) => dollars(row.net),
  'Cost of goods': (row) => dollars(row.cost),
  Margin: (row) => dollars(row.margin),
  'Refunded sales': (row) => dollars(row.refunds),
  'Net sales after refunds': (row) => dollars(row.netAfterRefunds),
};
