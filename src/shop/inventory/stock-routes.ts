import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { setStock } from './set-stock.ts';
import { SetStockBody, StockResults, setStockExample } from './set-stock-schemas.ts';

/** Operations of integrators on stock. */
export function stockRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'setProductStock',
      method: 'PUT',
      path: '/api/v1/products/stock',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Set stock to what you counted',
      description:
        "For integrators whose own system counts the stock; the organization's owner switches it on in the settings. Sets the stock without a package of each option at a location, by its id or by yours. `countedAt` is the moment of the counts: what is sold, given back or moved here after it counts on top, so no sale is lost and the same request again changes nothing. Stock that open orders have taken is not part of a count. Each line is in a transaction of its own and gets a result, in their order: a line that is refused stops no other. A count that is older than another one of the same stock is refused with `STALE_EDIT`. Packages are counted by staff.",
      tag: 'Inventory',
      body: SetStockBody,
      requestExample: setStockExample,
      success: {
        status: 200,
        data: StockResults,
        description: 'The results',
        example: { results: [{ productOptionId: 2201, onHand: '48', isChanged: true }] },
      },
      failures: [],
      handle: async ({ caller, body, requestId }) => {
        const origin = { actor: `key:${caller.clientKeyId}` as const, requestId };
        return reply({ results: await setStock(context, origin, caller, body.countedAt, body.lines) });
      },
    }),
  ];
}
