import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on incoming transfers and their packages. */

export interface ComplianceTransferRow {
  id: number;
  type: 'metrc';
  external_id: string | null;
  manifest_number: string;
  shipper_name: string;
  shipper_license_number: string;
  created_at: number;
}

const transferColumns =
  't.id, t.type, t.external_id, t.manifest_number, t.shipper_name, t.shipper_license_number, t.created_at';

/** D14. */
export const transfersPerPage = 50;

export const transferList = sortedList<ComplianceTransferRow, 'createdAt' | 'manifestNumber' | 'shipperName'>(
  {
    name: 'list_transfers',
    rows: 'from compliance_transfers t where t.organization_id = :organizationId',
    ids: ['t.id'],
    sorts: {
      createdAt: { key: 't.created_at', own: 'descending' },
      manifestNumber: { key: 't.manifest_number collate "C"', own: 'ascending' },
      shipperName: { key: 't.shipper_name collate "C"', own: 'ascending' },
    },
    rowsPerPage: transfersPerPage,
    show: (page) => `select ${transferColumns} from ${page}
     join compliance_transfers t on t.organization_id = :organizationId and t.id = page.id0`,
  },
);

/** How many there are, up to the bound of counting. */
export const countTransfers = statement<Record<never, never>, { count: number }>(
  'count_compliance_transfers',
  countOfRows('select from compliance_transfers where organization_id = :organizationId'),
);

export const selectTransferCursor = statement<{ id: number }, { id: number }>(
  'select_transfer_cursor',
  'select id from compliance_transfers where organization_id = :organizationId and id = :id',
);

export const selectTransfers = statement<{ ids: readonly number[] }, ComplianceTransferRow>(
  'select_transfers',
  `select ${transferColumns} from compliance_transfers t
    where t.organization_id = :organizationId and t.id = any(:ids) order by t.created_at desc, t.id desc`,
);

/** Transfers by manifest, locked so that packages can be added to them. */
export const holdTransfersOfManifests = statement<
  { manifestKeys: readonly string[] },
  Pick<ComplianceTransferRow, 'id' | 'shipper_name' | 'shipper_license_number'> & { manifest_key: string }
>(
  'hold_transfers_of_manifests',
  `select id, manifest_key, shipper_name, shipper_license_number from compliance_transfers
    where organization_id = :organizationId and type = 'metrc' and manifest_key = any(:manifestKeys)
    order by manifest_key for key share`,
);

export const insertTransfers = insertMany<{
  id: number;
  type: 'metrc';
  externalId: string | null;
  manifestNumber: string;
  /** The number without leading zeros. */
  manifestKey: string;
  shipperName: string;
  shipperLicenseNumber: string;
  createdAt: string;
}>('compliance_transfers', {
  id: 'id',
  type: 'type',
  externalId: 'external_id',
  manifestNumber: 'manifest_number',
  manifestKey: 'manifest_key',
  shipperName: 'shipper_name',
  shipperLicenseNumber: 'shipper_license_number',
  createdAt: 'created_at',
});

/** Handles two concurrent requests for one manifest or label: the second one reads again. */
export const transferGuards = [
  'compliance_transfers_of_manifest',
  'compliance_transfers_of_manifest_key',
  'packages_organization_id_label_key',
] as const;
