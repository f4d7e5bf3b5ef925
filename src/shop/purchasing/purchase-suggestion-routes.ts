import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  DecimalText,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { purchasers } from './purchasing-staff.ts';
import { soldWeeks, suggestionsMax, suggestPurchases, weeksDefault, weeksMax } from './suggest-purchases.ts';

const Amount = (description: string) => DecimalText({ wholeDigitsMax: 24, decimalsMax: 24, description });

const PurchaseSuggestion = Named(
  'PurchaseSuggestion',
  Type.Object({
    productId: Id(),
    productOptionId: Nullable(Id({ description: 'null: stock is kept per product' })),
    productName: Text({ max: 500 }),
    optionName: Nullable(Text({ max: 500 })),
    unit: OneOf(['gram', 'item']),
    sold: Amount('Left the stock by sales since `since`, less what came back'),
    onHand: Amount('Can be sold, at all locations'),
    onOrder: Amount('Ordered on open purchase orders and not received'),
    suggested: Amount('Whole units to buy; 0: what is on order is enough'),
    inventoryVendorId: Nullable(
      Id({ description: 'Of the newest order with the item; null: never bought, or archived' }),
    ),
    vendorName: Nullable(Text({ max: 500 })),
    costPerUnit: Nullable(DecimalText({ description: 'Dollars, of that order' })),
    lastOrderedAt: Nullable(Timestamp()),
  }),
);

/** What to buy, for those who buy. */
export function purchaseSuggestionRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getPurchaseSuggestions',
      method: 'GET',
      path: '/staff/v1/purchase-suggestions',
      roles: purchasers,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'Suggest what to buy',
      description: `Items whose stock does not last for \`weeks\` at the sales of the last ${soldWeeks} weeks, the shortest lasting first, at most ${suggestionsMax}. \`suggested\` is \`sold\` ÷ ${soldWeeks} × \`weeks\` − \`onHand\` − \`onOrder\`, rounded up to whole units, at least 0; exact. Vendor and cost are those of the newest purchase order with the item, among the newest 500. Creates nothing: \`POST /staff/v1/purchase-orders\` does.`,
      tag: 'Purchasing',
      query: Type.Object({
        weeks: Type.Optional(
          WholeNumber({
            min: 1,
            max: weeksMax,
            description: `How long the stock is to last. Default: ${weeksDefault}`,
          }),
        ),
      }),
      success: {
        status: 200,
        data: Type.Object({
          since: Timestamp({ description: 'The beginning of the sales that count' }),
          weeks: WholeNumber({ min: 1, max: weeksMax }),
          count: WholeNumber({
            min: 0,
            max: Number.MAX_SAFE_INTEGER,
            description: 'All such items, also beyond those listed',
          }),
          items: List(PurchaseSuggestion, { max: suggestionsMax }),
        }),
        description: 'What to buy',
        example: {
          since: '2026-02-10T17:05:09.123Z',
          weeks: 2,
          count: 1,
          items: [
            {
              ...{ productId: 3101, productOptionId: 3201, productName: 'Velvet Tide', optionName: 'Eighth' },
              ...{ unit: 'item' as const, sold: '62', onHand: '4', onOrder: '10', suggested: '17' },
              ...{ inventoryVendorId: 2501, vendorName: 'Tidewater Distribution', costPerUnit: '12.5' },
              lastOrderedAt: '2026-02-20T17:05:09.123Z',
            },
          ],
        },
      },
      failures: [],
      handle: async ({ staff, query }) =>
        reply(await suggestPurchases(context, staff.organizationId, query.weeks ?? weeksDefault)),
    }),
  ];
}
