import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { List } from '../../platform/http/schemas.ts';
import { transfersPerPage } from './compliance-transfer-queries.ts';
import { ComplianceTransfer, transferExample } from './compliance-transfer-view.ts';
import { transferCursor, transferPage } from './list-compliance-transfers.ts';

/** Operations on incoming transfers. */
export function complianceTransferRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listComplianceTransfers',
      method: 'GET',
      path: '/api/v1/compliance-transfers',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { order: { descending: ['createdAt', 'id'] } },
      summary: 'List compliance transfers',
      description: `Incoming transfers with their packages, newest first, ${transfersPerPage} a page.`,
      tag: 'Inventory',
      query: Type.Object(transferCursor),
      success: {
        status: 200,
        data: List(ComplianceTransfer, { max: transfersPerPage }),
        description: 'A page of transfers',
        example: [transferExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ caller, query }) => reply(await transferPage(context, caller.organizationId, query)),
    }),
  ];
}
