import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { List, Named, Text, WholeNumber } from '../../platform/http/schemas.ts';
import { readTotal } from '../../platform/lists/read-total.ts';
import { countTransfers, transferList, transfersPerPage } from './compliance-transfer-queries.ts';
import { ComplianceTransfer, transferExample } from './compliance-transfer-view.ts';
import { importComplianceTransfers } from './import-compliance-transfers.ts';
import { transferCursor, transferPage } from './list-compliance-transfers.ts';
import { stockWriters } from './stock-schemas.ts';
import { ImportTransfersBody, transferRowsMax } from './transfer-rows.ts';

const faultsPerRowMax = 12;

const TransferImportReport = Named(
  'ComplianceTransferImport',
  Type.Object({
    importedRows: WholeNumber({ min: 0, max: transferRowsMax }),
    badRows: List(
      Type.Object({
        row: WholeNumber({ min: 1, max: transferRowsMax, description: 'From 1' }),
        field: Text({ max: 100 }),
        message: Text({ max: 500 }),
      }),
      { max: transferRowsMax * faultsPerRowMax, description: 'Absent with onlyGood' },
    ),
    transfers: List(ComplianceTransfer, {
      max: transferRowsMax,
      description: 'New transfers, or transfers with new packages',
    }),
  }),
);

/** Operations on incoming transfers for staff. */
export function complianceTransferStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffListComplianceTransfers',
      method: 'GET',
      path: '/staff/v1/compliance-transfers',
      roles: stockWriters,
      kind: 'read',
      readsFrom: 'standby',
      list: { readsAll: { shipperName: 'a shop receives some dozens a week' } },
      summary: 'List incoming transfers',
      description: `With their packages, ${transfersPerPage} a page, newest first unless sorted.`,
      tag: 'Packages',
      query: Type.Object({ ...sortFields(transferList.sorts), ...transferCursor }),
      success: {
        status: 200,
        data: List(ComplianceTransfer, { max: transfersPerPage }),
        meta: ListTotal,
        description: 'A page of transfers',
        example: [transferExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) =>
        reply(await transferPage(context, staff.organizationId, query), {
          meta: await readTotal(context.database, staff.organizationId, countTransfers({})),
        }),
    }),

    staffEndpoint({
      id: 'importComplianceTransfers',
      method: 'POST',
      path: '/staff/v1/compliance-transfers',
      roles: stockWriters,
      kind: 'write',
      summary: 'Import incoming transfers',
      description:
        'One row per package, as JSON (`rows`) or CSV (`csv`); the rows of one manifest make one transfer. Packages are `ready` until they are received. If any row is invalid, nothing is imported, unless `onlyGood` is sent.',
      tag: 'Packages',
      body: ImportTransfersBody,
      alsoMissing: (body) =>
        typeof body === 'object' && body !== null && !('rows' in body) && !('csv' in body) ? ['rows'] : [],
      requestExample: {
        rows: [
          {
            manifestNumber: transferExample.manifestNumber,
            shipperName: transferExample.shipperName,
            shipperLicenseNumber: transferExample.shipperLicenseNumber,
            label: '1A4FF0000000000000000009',
            externalProductName: 'Moonlit Grove 3.5 g',
            initialAmount: '48',
            unit: 'Each',
            expirationDate: '2027-01-31',
          },
        ],
      },
      success: {
        status: 201,
        data: TransferImportReport,
        description: 'The imported transfers',
        example: { importedRows: 1, badRows: [], transfers: [transferExample] },
      },
      failures: ['INVALID_TRANSFER_ROWS'],
      handle: async ({ staff, requestId, body }) =>
        reply(
          await importComplianceTransfers(context, staffOrigin(staff, requestId), staff.organizationId, body),
        ),
    }),
  ];
}
