import { decimal } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MailRow } from '../../platform/mail/mail.ts';
import { partReport } from './part-report.ts';
import { type SalesGroup, salesReport } from './sales-report.ts';
import { taxReport } from './tax-report.ts';
import { valueReport } from './value-report.ts';

/** The reports that a mail can have, in their order in it. */
export const mailedReports = [
  ...(['sales', 'categories', 'products', 'brands', 'vendors', 'discounts', 'staff', 'payments'] as const),
  ...(['taxes', 'inventory-value'] as const),
] as const;
type MailedReport = (typeof mailedReports)[number];

interface Asked {
  readonly context: Context;
  readonly organization: OrganizationId;
  /** Business days. */
  readonly range: { readonly from: string; readonly to: string };
}

/** Rows of one report; the console has the others. */
const rowsMax = 15;

/** What a report says in a mail: its title, then names with amounts. */
export async function mailedRows(kind: MailedReport, asked: Asked): Promise<MailRow[]> {
  const { title, rows } = await sectionOf[kind](asked);
  return [
    { name: title, value: '', isStrong: true },
    ...(rows.length > 0 ? rows : [{ name: 'None', value: '–' }]),
  ];
}

type Section = (asked: Asked) => Promise<{ readonly title: string; readonly rows: MailRow[] }>;

const sectionOf: Readonly<Record<MailedReport, Section>> = {
  sales: async ({ context, organization, range }) => {
    const { total } = await salesReport(context, organization, range);
    const rows: MailRow[] = [
      {
        name: 'Net sales',
        value: dollars(total.net),
        note: `${counted(total.orders, 'order')}, ${counted(total.units, 'unit')}`,
      },
      { name: 'Discounts', value: dollars(total.discounts) },
      { name: 'Tax', value: dollars(total.tax) },
      { name: 'Refunds', value: dollars(total.refunds) },
      { name: 'Net sales after refunds', value: dollars(total.netAfterRefunds) },
      { name: 'Cost of goods', value: dollars(total.cost) },
      { name: 'Margin', value: dollars(total.margin) },
    ];
    return { title: 'Sales', rows };
  },
  categories: salesBy('category', 'Net sales by category'),
  products: salesBy('product', 'Net sales by product'),
  brands: salesBy('brand', 'Net sales by brand'),
  vendors: partsBy('vendor', 'Net sales by vendor'),
  discounts: async ({ context, organization, range }) => {
    const { rows } = await partReport(context, organization, { ...range, by: 'discount' });
    return {
      title: 'Discounts given',
      rows: rows
        .toSorted((one, other) => other.discounts - one.discounts)
        .slice(0, rowsMax)
        .map(({ name, discounts, orders }) => ({
          name,
          value: dollars(discounts),
          note: counted(orders, 'order'),
        })),
    };
  },
  staff: salesBy('staff', 'Net sales by staff'),
  payments: async ({ context, organization, range }) => {
    const { rows } = await salesReport(context, organization, { ...range, by: 'payment' });
    return {
      title: 'Payments collected',
      rows: rows.map(({ name, paid }) => ({ name, value: dollars(paid ?? 0) })),
    };
  },
  taxes: async ({ context, organization, range }) => {
    const { rows } = await taxReport(context, organization, range);
    return {
      title: 'Taxes due',
      rows: rows.map(({ description, rate, due }) => ({
        name: `${description}, ${rate}%`,
        value: dollars(due),
      })),
    };
  },
  'inventory-value': async ({ context, organization }) => {
    const { rows, total } = await valueReport(context, organization);
    return {
      title: 'Value of the stock now, at cost',
      rows: [...rows, { name: 'All locations', ...total }].map(({ name, value }) => ({
        name,
        value: `$${decimal(value).toFixed(2)}`,
      })),
    };
  },
};

function salesBy(by: SalesGroup, title: string): Section {
  return async ({ context, organization, range }) => {
    const { rows } = await salesReport(context, organization, { ...range, by });
    return { title, rows: largest(rows) };
  };
}

function partsBy(by: 'vendor', title: string): Section {
  return async ({ context, organization, range }) => {
    const { rows } = await partReport(context, organization, { ...range, by });
    return { title, rows: largest(rows) };
  };
}

function largest(
  rows: readonly { readonly name: string; readonly net: number; readonly margin: number }[],
): MailRow[] {
  return rows
    .filter(({ net }) => net !== 0)
    .toSorted((one, other) => other.net - one.net)
    .slice(0, rowsMax)
    .map(({ name, net, margin }) => ({ name, value: dollars(net), note: `margin ${dollars(margin)}` }));
}

const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const dollars = (cents: number): string => inDollars.format(cents / 100);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
