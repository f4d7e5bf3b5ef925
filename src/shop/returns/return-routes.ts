import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, replyRawJson } from '../../platform/http/endpoint.ts';
import { Flag, Id, List, withErrorCode } from '../../platform/http/schemas.ts';
import { orderReturnExample } from './return-examples.ts';
import {
  listReturnsPage,
  type ReturnListFilter,
  returnsPerPage,
  selectOrderOfReturn,
} from './return-queries.ts';
import { ListedOrderReturn } from './return-schemas.ts';

/** Query and response of both lists of returns. */
export const returnListParts = {
  kind: 'read',
  readsFrom: 'standby',
  summary: 'List order returns',
  description: `The returns of all orders, newest first, ${returnsPerPage} a page, with \`orderId\`. \`voided=true\`: only voided returns; \`voided=false\`: only returns that are not voided; absent: all.`,
  query: Type.Object({
    voided: Type.Optional(Flag({ description: 'Only voided returns, or only others; absent: all' })),
    startingAfter: Type.Optional(
      withErrorCode(Id({ description: 'Id of a return; the page starts after it' }), 'INVALID_CURSOR'),
    ),
  }),
  success: {
    status: 200,
    data: List(ListedOrderReturn, { max: returnsPerPage }),
    description: 'A page of returns',
    example: [orderReturnExample],
  },
  failures: ['INVALID_CURSOR'],
} as const;

/** Operations on returns for integrators. */
export function returnRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listOrderReturns',
      list: { order: { descending: ['createdAt', 'id'] } },
      method: 'GET',
      path: '/api/v1/order-returns',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      tag: 'Orders',
      ...returnListParts,
      handle: async ({ caller, query }) =>
        replyRawJson(await returnsPage(context, caller.organizationId, query)),
    }),
  ];
}

/** A page as JSON text: the stored documents with the fields that only lists show, and what stands beside the data. */
export async function returnsPage(
  { database }: Pick<Context, 'database'>,
  organizationId: OrganizationId,
  filter: ReturnListFilter,
  beside = '',
): Promise<string> {
  const [rows] = await database.read(organizationId, listReturnsPage(filter));
  // Either the end of the list or an unknown cursor: only here a query must tell.
  if (rows.length === 0 && filter.startingAfter !== undefined) {
    const [[found]] = await database.read(organizationId, selectOrderOfReturn({ id: filter.startingAfter }));
    if (found === undefined) {
      throw failure('INVALID_CURSOR', 'startingAfter must be the id of an order return');
    }
  }
  const items = rows.map((row) => {
    const ofList = JSON.stringify({ orderId: row.order_id, organizationId });
    return `${row.document.slice(0, -1)},${ofList.slice(1)}`;
  });
  return `{"data":[${items.join(',')}]${beside}}`;
}
