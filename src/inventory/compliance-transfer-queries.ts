import { countOfRows } from '../database/counted-rows.ts';
import { insertMany, statement } from '../database/statement.ts';

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

export const selectTransferPage = statement<Record<never, never>, ComplianceTransferRow>(
  'select_transfer_page',
  `select ${transferColumns} from compliance_transfers t where t.organization_id = :organizationId
    order by t.created_at desc, t.id desc limit ${transfersPerPage}`,
);

/** How many there are, up to the bound of counting. */
export const countTransfers = statement<Record<never, never>, { count: number }>(
  'count_compliance_transfers',
  countOfRows('select from compliance_transfers where organization_id = :organizationId'),
);

/** Rows with the same time are ordered by id. An unknown cursor gives no rows. */
export const selectTransferPageAfter = statement<{ startingAfter: number }, ComplianceTransferRow>(
  'select_transfer_page_after',
  `select ${transferColumns} from compliance_transfers t
    where t.organization_id = :organizationId and (t.created_at, t.id) < (
      (select c.created_at from compliance_transfers c
        where c.organization_id = :organizationId and c.id = :startingAfter), :startingAfter::bigint)
    order by t.created_at desc, t.id desc limit ${transfersPerPage}`,
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
  { manifestNumbers: readonly string[] },
  Pick<ComplianceTransferRow, 'id' | 'manifest_number' | 'shipper_name' | 'shipper_license_number'>
>(
  'hold_transfers_of_manifests',
  `select id, manifest_number, shipper_name, shipper_license_number from compliance_transfers
    where organization_id = :organizationId and type = 'metrc' and manifest_number = any(:manifestNumbers)
    order by id for key share`,
);

export const insertTransfers = insertMany<{
  id: number;
  type: 'metrc';
  externalId: string | null;
  manifestNumber: string;
  shipperName: string;
  shipperLicenseNumber: string;
  createdAt: string;
}>('compliance_transfers', {
  id: 'id',
  type: 'type',
  externalId: 'external_id',
  manifestNumber: 'manifest_number',
  shipperName: 'shipper_name',
  shipperLicenseNumber: 'shipper_license_number',
  createdAt: 'created_at',
});

/** Handles two concurrent requests for one manifest or label: the second one reads again. */
export const transferGuards = [
  'compliance_transfers_of_manifest',
  'packages_organization_id_label_key',
] as const;
