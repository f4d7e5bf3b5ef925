import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Id, List, withErrorCode } from '../../platform/http/schemas.ts';
import { Vendor, vendorExample } from './purchase-order-schemas.ts';
import { purchasers } from './purchasing-staff.ts';
import { countVendors, selectVendors, vendorList, vendorsPerPage } from './vendor-queries.ts';
import { vendors } from './vendor-setting.ts';

/** Operations on vendors for staff. */
export function vendorStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listInventoryVendors',
      method: 'GET',
      path: '/staff/v1/inventory-vendors',
      roles: purchasers,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        notInConsole: {
          createdAt: 'the order that the table has by itself',
          updatedAt: 'the table has no column of it',
        },
      },
      summary: 'List vendors',
      description: `All vendors, ${vendorsPerPage} a page, newest first unless sorted; archived ones with \`archivedAt\`.`,
      tag: 'Purchasing',
      query: Type.Object({
        ...sortFields(vendorList.sorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(Vendor, { max: vendorsPerPage }),
        meta: ListTotal,
        description: 'A page of vendors',
        example: [vendorExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { startingAfter } = query;
        const [[counted], rows, cursor] = await context.database.read(
          staff.organizationId,
          countVendors({}),
          vendorList.page(query),
          startingAfter === undefined ? null : selectVendors({ ids: [startingAfter] }),
        );
        if (startingAfter !== undefined && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of a vendor.');
        }
        return reply(rows.map(vendors.shown), { meta: totalOf(counted!.count) });
      },
    }),

    ...vendors.routes(context),
  ];
}
