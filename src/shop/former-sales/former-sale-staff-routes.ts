import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { CentsTotal, Id, List, Named, WholeNumber } from '../../platform/http/schemas.ts';
import { customerNotFound, selectCustomerIsThere } from '../customers/customers.ts';
import {
  type FormerSaleRow,
  latestFormerSalesMax,
  selectFormerSalesOfCustomer,
  sumFormerSalesOfCustomer,
} from './former-sale-queries.ts';
import { FormerSale } from './former-sale-schemas.ts';

const CustomerFormerSales = Named(
  'CustomerFormerSales',
  Type.Object({
    count: WholeNumber({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Tickets of every former till, without those that give another one back',
    }),
    net: CentsTotal({ description: 'Cents of every ticket, after discounts and returns and before taxes' }),
    latest: List(FormerSale, { max: latestFormerSalesMax, description: 'The latest ones, newest first' }),
  }),
);

/** What a customer bought before the shop moved here. */
export function formerSaleStaffRoutes({ database }: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffGetFormerSales',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/former-sales',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      emptyInDemo: 'what another till sold',
      summary: "Retrieve a customer's purchases at a former till",
      description: `What the customer bought before the shop moved here: how much in all, and the latest ${latestFormerSalesMax} tickets. They count for purchase limits, and for nothing else.`,
      tag: 'Customers',
      params: Type.Object({ customerId: Id() }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      success: {
        status: 200,
        data: CustomerFormerSales,
        description: 'The purchases',
        example: {
          count: 14,
          net: 82_300,
          latest: [
            {
              ...{ till: 'the former till', number: 'TX0001', soldAt: '2026-01-20T18:15:00.000Z' },
              refundOf: null,
              ...{ gross: 7000, discount: 700, net: 6300, tax: 1134 },
              lines: [
                {
                  ...{ productName: 'Moonlit Grove', brandName: 'Fernweh Farms', category: 'FLOWER' },
                  ...{ tag: '1A4000000000000000000123', quantity: '2', isReturn: false },
                  ...{ gross: 7000, discount: 700, net: 6300, tax: 1134 },
                  ...{ cannabisType: 'non-concentrated', content: '7' },
                },
              ],
            },
          ],
        },
      },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff: { organizationId }, params: { customerId } }) => {
        const [[customer], [sums], latest] = await database.read(
          organizationId,
          selectCustomerIsThere({ id: customerId }),
          sumFormerSalesOfCustomer({ userId: customerId }),
          selectFormerSalesOfCustomer({ userId: customerId }),
        );
        if (customer === undefined) throw customerNotFound();
        return reply({ count: sums!.count, net: sums!.net_cents, latest: latest.map(shown) });
      },
    }),
  ];
}

function shown(row: FormerSaleRow) {
  return {
    ...{ till: row.till, number: row.number, soldAt: isoTimestamp(row.sold_at) },
    refundOf: row.refund_of,
    ...{ gross: row.gross_cents, discount: row.discount_cents, net: row.net_cents, tax: row.tax_cents },
    lines: row.lines,
  };
}
