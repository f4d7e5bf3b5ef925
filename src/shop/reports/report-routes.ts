import Type from 'typebox';
import { csvText } from '../../kernel/csv-text.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  CentsTotal,
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { bestSoldRoutes } from './best-sold-routes.ts';
import { partDaysMax, partReport, salesParts } from './part-report.ts';
import { reportMails } from './report-mail-setting.ts';
import { partSheet, salesSheet, taxSheet, valueSheet } from './report-sheets.ts';
import { returnDays, salesGroups, salesReport } from './sales-report.ts';
import { taxReport } from './tax-report.ts';
import { todayRoutes } from './today-routes.ts';
import { valueReport } from './value-report.ts';

const Count = WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER });

const salesFields = {
  orders: Count,
  units: Count,
  gross: CentsTotal({ description: 'Before discounts' }),
  discounts: CentsTotal({ description: 'Discounts and rewards, of lines and of orders' }),
  net: CentsTotal({ description: 'gross less discounts' }),
  cost: CentsTotal({
    description:
      'What the goods had cost: of their packages, else by the moving average; goods without a known cost count as 0',
  }),
  margin: CentsTotal({ description: '`net` less `cost`' }),
  adjustments: CentsTotal({
    description: 'Manual adjustments and exemptions of orders; negative: reduces the price',
  }),
  credits: CentsTotal({ description: 'Promo codes and store credits that orders used' }),
  tax: CentsTotal({ description: 'On goods and delivery fees, included in the price or added' }),
  refunds: CentsTotal({ description: 'Net sales, of any day, that returns of these days gave back' }),
  refundedAdjustments: CentsTotal({
    description: 'Adjustments that belong to the refunded goods',
  }),
  refundedCredits: CentsTotal({ description: 'Credits that belong to the refunded goods' }),
  refundedTax: CentsTotal({ description: 'Tax that belongs to the refunded goods' }),
  otherRefunds: CentsTotal({
    description:
      "Refunded by adjustments of returns, for example fees; negative: refunded less than the goods' share",
  }),
  paid: Nullable(
    CentsTotal({
      description:
        'Money taken for these orders, with taxes and fees; null by category, product, brand and location: a payment is of a whole order',
    }),
  ),
  returns: WholeNumber({
    min: -Number.MAX_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Returns with a refund, less those that were voided',
  }),
  paidBack: Nullable(
    CentsTotal({
      description:
        'Money given back by a payment type, less that of voided returns; null as `paid`. Store credit is not money',
    }),
  ),
  netAfterRefunds: CentsTotal({ description: '`net` less `refunds`' }),
  taxAfterRefunds: CentsTotal({ description: '`tax` less `refundedTax`' }),
};
const SalesReportRow = Named(
  'SalesReportRow',
  Type.Object({ key: Text({ max: 100 }), name: Text({ max: 500 }), ...salesFields }),
);

const ImportedSales = Type.Object({
  till: Text({ min: 1, max: 40 }),
  tickets: WholeNumber({
    ...{ min: 0, max: Number.MAX_SAFE_INTEGER },
    description: 'Without those that give another one back',
  }),
  ...{ gross: salesFields.gross, discounts: CentsTotal() },
  ...{ net: CentsTotal({ description: 'After discounts and returns' }), tax: CentsTotal() },
});

const partFields = {
  ...{ orders: Count, units: Count, gross: salesFields.gross },
  discounts: CentsTotal({ description: 'What the discount took off; of vendors and customers, all of them' }),
  ...{ net: salesFields.net, cost: salesFields.cost, margin: salesFields.margin },
  refunds: CentsTotal({ description: 'Net sales that returns of these orders gave back so far' }),
  netAfterRefunds: salesFields.netAfterRefunds,
};
const SalesPartRow = Named(
  'SalesPartRow',
  Type.Object({ key: Text({ max: 100 }), name: Text({ max: 500 }), ...partFields }),
);

const taxFields = {
  orders: Count,
  taxable: CentsTotal({
    description:
      'Sales and delivery fees that the tax was charged on, with the lower taxes where it is charged on them, too; without exempt sales',
  }),
  goods: CentsTotal({ description: 'Tax on the goods' }),
  fees: CentsTotal({ description: 'Tax on delivery fees' }),
  total: CentsTotal({ description: 'goods and fees' }),
  exempted: CentsTotal({ description: 'Tax that was not charged because of exemptions' }),
  refunded: CentsTotal({ description: 'Tax, of any day, that returns of these days gave back' }),
  due: CentsTotal({ description: '`total` less `refunded`; negative: more was given back than charged' }),
};
const TaxReportRow = Named(
  'TaxReportRow',
  Type.Object({
    taxId: Id(),
    description: Text({ max: 500 }),
    rate: DecimalText({ description: 'Percent' }),
    included: Flag({ description: 'Already included in the price' }),
    ...taxFields,
  }),
);

const valueFields = {
  value: DecimalText({ wholeDigitsMax: 24, decimalsMax: 24, description: 'Dollars, exact' }),
  items: WholeNumber({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Products or options in stock there',
  }),
  itemsWithoutCost: WholeNumber({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Those without a moving average cost, and therefore without a value',
  }),
};
const InventoryValueRow = Named(
  'InventoryValueRow',
  Type.Object({ inventoryLocationId: Id(), name: Text({ max: 500 }), ...valueFields }),
);

const format = Type.Optional(
  OneOf(['json', 'csv'], {
    description: 'csv: a spreadsheet of the rows, without the total, with money in dollars',
  }),
);
const range = {
  from: Type.Optional(LocalDate({ description: 'First day; default: the first of the month of `to`' })),
  to: Type.Optional(LocalDate({ description: 'Last day; default: today. At most 366 days after `from`' })),
};
const returnsBy = Type.Optional(
  OneOf(returnDays, {
    description:
      'The day that returns count on. Default: `day-of-return`, and the end of a voided return counts on the day it was voided, so that past days never change. `day-of-sale`: the sales of the days as they turned out since',
  }),
);
const Range = { from: LocalDate(), to: LocalDate(), returnsBy: OneOf(returnDays) };
const rangeExample = { from: '2026-03-01', to: '2026-03-31', returnsBy: 'day-of-return' as const };
const salesExample = {
  orders: 2,
  units: 5,
  gross: 17_500,
  discounts: 1500,
  net: 16_000,
  cost: 7200,
  margin: 8800,
  adjustments: 0,
  credits: 0,
  tax: 3400,
  refunds: 3200,
  refundedAdjustments: 0,
  refundedCredits: 0,
  refundedTax: 680,
  otherRefunds: 0,
  paid: null,
  returns: 1,
  paidBack: null,
  netAfterRefunds: 12_800,
  taxAfterRefunds: 2720,
};
const partExample = {
  ...{ orders: 2, units: 5, gross: 17_500, discounts: 1500, net: 16_000, cost: 7200, margin: 8800 },
  ...{ refunds: 3200, netAfterRefunds: 12_800 },
};
const taxExample = {
  orders: 2,
  taxable: 16_500,
  goods: 1480,
  fees: 46,
  total: 1526,
  exempted: 0,
  refunded: 296,
  due: 1230,
};
const valueExample = { value: '12750.4375', items: 118, itemsWithoutCost: 2 };

const roles = ['owner', 'manager'] as const;
const file = ['text/csv'];

type Cell = string | number | boolean | null;

/** A file for a spreadsheet: headings in words, money in dollars. */
function csv<Row extends Readonly<Record<string, Cell>>>(
  name: string,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  rows: readonly Row[],
) {
  const headings = Object.keys(columns);
  const cells = rows.map((row) =>
    Object.fromEntries(headings.map((heading) => [heading, columns[heading]!(row)])),
  );
  return replyFile(Buffer.from(csvText(headings, cells)), 'text/csv; charset=utf-8', {
    headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
  });
}

/**
 * Sums over time, for owners and managers.
 *
 * @param photoUrl returns the public address of a stored photo.
 */
export function reportRoutes(context: Context, photoUrl: (location: string) => string): StaffEndpoint[] {
  return [
    ...todayRoutes(context),
    ...bestSoldRoutes(context, photoUrl),
    ...reportMails.routes(context),
    staffEndpoint({
      id: 'getSalesReport',
      method: 'GET',
      path: '/staff/v1/reports/sales',
      roles,
      kind: 'read',
      recentProof: 'if `format` is csv',
      readsFrom: 'standby',
      summary: 'Report sales',
      description:
        'Fulfilled orders by the business day of fulfilment, and returns by the business day on which they were made: `returnsBy` has the other view. Every grouping gives the same sums, but an order with goods in several groups counts in each of them, and once in the total. By category, product, brand and location, amounts of whole orders (adjustments, credits, tax on delivery fees) are the last row, without key. An order that was paid in several ways counts under each payment type by amount. `net` with `adjustments`, less `credits`, plus added taxes, is the cost of orders before fees.',
      tag: 'Reports',
      query: Type.Object({
        ...range,
        returnsBy,
        by: Type.Optional(
          OneOf(salesGroups, {
            description:
              'Default: day. hour: of the day, 00 to 23; type and source: those of the order; payment: the payment type, of a refund the payment type that gave it back, `store-credit` of a refund by store credit, empty of an order without payment; staff: who fulfilled the order, or made or voided the return; location: where the goods were taken from, `several` of lines that were taken from several, `none` of lines without stock',
          }),
        ),
        inventoryLocationId: Type.Optional(
          Id({
            description:
              'Only orders with goods from this location, each with all its amounts, over at most 31 days. Default: all orders',
          }),
        ),
        format,
      }),
      success: {
        status: 200,
        data: Type.Object({
          ...Range,
          by: OneOf(salesGroups),
          rows: List(SalesReportRow, { max: 1_000_000 }),
          total: Type.Object(salesFields),
          imported: List(ImportedSales, {
            max: 100,
            description:
              'What was sold with another till before the shop moved here, as its files said, by the local day of sale. It is in no row and no total, and is left out with `inventoryLocationId`',
          }),
        }),
        file,
        description: 'Sales',
        example: {
          ...rangeExample,
          by: 'category',
          rows: [{ key: '41', name: 'Flower', ...salesExample }],
          total: salesExample,
          imported: [
            { till: 'Corner till', tickets: 14, gross: 91_000, discounts: 8700, net: 82_300, tax: 14_814 },
          ],
        },
      },
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      handle: async ({ staff, query, lackOfProof }) => {
        const lack = query.format === 'csv' ? await lackOfProof() : null;
        if (lack !== null) throw lack;
        const report = await salesReport(context, staff.organizationId, query);
        const { from, to, by, rows } = report;
        return query.format === 'csv' ? csv(`sales-by-${by}-${from}-${to}`, salesSheet, rows) : reply(report);
      },
    }),
    staffEndpoint({
      id: 'getSalesPartReport',
      method: 'GET',
      path: '/staff/v1/reports/sales-parts',
      roles,
      kind: 'read',
      recentProof: 'if `format` is csv',
      readsFrom: 'standby',
      summary: 'Report sales by vendor, customer or discount',
      description:
        'Orders fulfilled on these business days, as they turned out since, with cost and margin, largest net sales first. An order counts in each vendor and discount that it has, and once in the total; a vendor has its products of the order, a customer and a discount the whole order.',
      tag: 'Reports',
      query: Type.Object({
        from: range.from,
        to: Type.Optional(
          LocalDate({ description: `Last day; default: today. At most ${partDaysMax} days after \`from\`` }),
        ),
        by: Type.Optional(
          OneOf(salesParts, {
            description:
              'Default: vendor. vendor: that of the newest purchase order of the product, `none` without one; customer: `none` of walk-ins; discount: each discount of the order or its lines, and `price-overrides`: what staff took off prices by hand, which is in no `gross`',
          }),
        ),
        format,
      }),
      success: {
        status: 200,
        data: Type.Object({
          from: LocalDate(),
          to: LocalDate(),
          by: OneOf(salesParts),
          rows: List(SalesPartRow, { max: 1_000_000 }),
          total: Type.Object(partFields),
        }),
        file,
        description: 'Sales',
        example: {
          ...{ from: '2026-03-01', to: '2026-03-31', by: 'vendor' as const },
          rows: [{ key: '51', name: 'Fernweh Farms', ...partExample }],
          total: partExample,
        },
      },
      failures: [],
      handle: async ({ staff, query, lackOfProof }) => {
        const lack = query.format === 'csv' ? await lackOfProof() : null;
        if (lack !== null) throw lack;
        const report = await partReport(context, staff.organizationId, query);
        const { from, to, by, rows } = report;
        return query.format === 'csv' ? csv(`sales-by-${by}-${from}-${to}`, partSheet, rows) : reply(report);
      },
    }),
    staffEndpoint({
      id: 'getTaxReport',
      method: 'GET',
      path: '/staff/v1/reports/taxes',
      roles,
      kind: 'read',
      recentProof: 'if `format` is csv',
      readsFrom: 'standby',
      summary: 'Report taxes',
      description:
        'Taxes charged on orders that were fulfilled, and given back by returns that were made, on these business days, by tax and rate. So a return of today changes no earlier day: what was filed stays as it is.',
      tag: 'Reports',
      query: Type.Object({ ...range, returnsBy, format }),
      success: {
        status: 200,
        data: Type.Object({
          ...Range,
          rows: List(TaxReportRow, { max: 100_000 }),
          total: Type.Object(taxFields),
        }),
        file,
        description: 'Taxes',
        example: {
          ...rangeExample,
          rows: [{ taxId: 61, description: 'Sales tax', rate: '9.25', included: false, ...taxExample }],
          total: taxExample,
        },
      },
      failures: [],
      handle: async ({ staff, query, lackOfProof }) => {
        const lack = query.format === 'csv' ? await lackOfProof() : null;
        if (lack !== null) throw lack;
        const report = await taxReport(context, staff.organizationId, query);
        return query.format === 'csv'
          ? csv(`taxes-${report.from}-${report.to}`, taxSheet, report.rows)
          : reply(report);
      },
    }),
    staffEndpoint({
      id: 'getInventoryValueReport',
      method: 'GET',
      path: '/staff/v1/reports/inventory-value',
      roles,
      kind: 'read',
      recentProof: 'if `format` is csv',
      readsFrom: 'standby',
      summary: 'Report the value of the stock',
      description: 'Current stock on hand of each location, at its moving average cost.',
      tag: 'Reports',
      query: Type.Object({ format }),
      success: {
        status: 200,
        data: Type.Object({
          rows: List(InventoryValueRow, { max: 100_000 }),
          total: Type.Object(valueFields),
        }),
        file,
        description: 'Value of the stock',
        example: {
          rows: [{ inventoryLocationId: 71, name: 'Storefront', ...valueExample }],
          total: valueExample,
        },
      },
      failures: [],
      handle: async ({ staff, query, lackOfProof }) => {
        const lack = query.format === 'csv' ? await lackOfProof() : null;
        if (lack !== null) throw lack;
        const report = await valueReport(context, staff.organizationId);
        return query.format === 'csv' ? csv('inventory-value', valueSheet, report.rows) : reply(report);
      },
    }),
  ];
}
