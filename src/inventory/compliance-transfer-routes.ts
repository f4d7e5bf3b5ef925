import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { type Endpoint, endpoint, reply } from '../http/endpoint.ts';
import { Id, List, withErrorCode } from '../http/schemas.ts';
import { failure } from '../kernel/failure.ts';
import {
  selectTransferCursor,
  selectTransferPage,
  selectTransferPageAfter,
  transfersPerPage,
} from './compliance-transfer-queries.ts';
import { ComplianceTransfer, shownTransfers, transferExample } from './compliance-transfer-view.ts';

/** The operations on incoming transfers. */
export function complianceTransferRoutes({ database }: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listComplianceTransfers',
      method: 'GET',
      path: '/api/v1/compliance-transfers',
      address: 'base',
      permission: 'analytics',
      kind: 'read',
      summary: 'List compliance transfers',
      description: `Incoming transfers with their packages, newest first, ${transfersPerPage} a page.`,
      source: ['D14', 'D54'],
      tag: 'Inventory',
      query: Type.Object({
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(ComplianceTransfer, { max: transfersPerPage }),
        description: 'A page of transfers',
        example: [transferExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ caller, query: { startingAfter } }) => {
        const { organizationId } = caller;
        const [rows, cursor] = await database.read(
          organizationId,
          startingAfter === undefined ? selectTransferPage({}) : selectTransferPageAfter({ startingAfter }),
          startingAfter === undefined ? null : selectTransferCursor({ id: startingAfter }),
        );
        if (startingAfter !== undefined && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of a transfer.');
        }
        return reply(
          await shownTransfers((...statements) => database.read(organizationId, ...statements), rows),
        );
      },
    }),
  ];
}
