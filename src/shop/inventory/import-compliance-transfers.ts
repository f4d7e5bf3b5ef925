import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  type ComplianceTransferRow,
  holdTransfersOfManifests,
  insertTransfers,
  selectTransfers,
  transferGuards,
} from './compliance-transfer-queries.ts';
import { type ComplianceTransfer, shownTransfers } from './compliance-transfer-view.ts';
import { insertPackages } from './inventory-queries.ts';
import { noPackageDetails } from './package-details.ts';
import { releaseRejectedLabels, selectTakenLabels } from './package-queries.ts';
import { sentTransferRows } from './sent-transfers.ts';
import {
  type BadRow,
  type ImportTransfersBody,
  otherShipper,
  readTransferRows,
  type TransferRow,
} from './transfer-rows.ts';

interface TransferImport {
  readonly transfers: readonly Static<typeof ComplianceTransfer>[];
  readonly importedRows: number;
  readonly badRows: readonly BadRow[];
}

/**
 * Imports incoming transfers with their packages, which become `ready` (D54). An existing manifest gets the packages
 * that are new. Fails with INVALID_PARAMS, and with INVALID_TRANSFER_ROWS, importing nothing, when a row is invalid;
 * with `onlyGood` only when all rows are.
 */
export async function importComplianceTransfers(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  sent: Static<typeof ImportTransfersBody>,
): Promise<TransferImport> {
  const { csv, onlyGood = false } = sent;
  const read = readTransferRows(sentTransferRows(sent));
  const suffix = Buffer.from(context.randomBytes(4)).toString('hex');
  const nowMs = context.clock.now();
  const createdAt = isoTimestamp(nowMs);
  return context.database.write(
    organization,
    async (tx) => {
      const manifestKeys = [...new Set(read.rows.map((row) => row.manifestKey))];
      const [, known, taken] = await tx.run(
        releaseRejectedLabels({ labels: read.rows.map((row) => row.label), suffix }),
        holdTransfersOfManifests({ manifestKeys }),
        selectTakenLabels({ labels: read.rows.map((row) => row.label) }),
      );
      const knownOf = new Map(known.map((transfer) => [transfer.manifest_key, transfer]));
      const { good, bad } = sortRows(read, knownOf, new Set(taken.map(({ label }) => label)));
      if (bad.length > 0 && (!onlyGood || good.length === 0)) {
        const message = `${csv === undefined ? 'rows' : 'csv'} must have only valid rows: row ${bad[0]!.row} is invalid (${bad[0]!.message}).`;
        throw failure('INVALID_TRANSFER_ROWS', message, { rows: bad });
      }

      const fresh = manifestKeys.flatMap((key) => {
        const row = good.find((it) => it.manifestKey === key);
        return row === undefined || knownOf.has(key) ? [] : [row];
      });
      const ids = await context.ids.take(fresh.length + good.length);
      const transferIdOf = new Map<string, number>(known.map((it) => [it.manifest_key, it.id]));
      for (const row of fresh) transferIdOf.set(row.manifestKey, ids.shift()!);
      const packages = good.map((row) => ({ row, id: ids.shift()! }));
      const changedIds = [...new Set(good.map((row) => transferIdOf.get(row.manifestKey)!))];
      await tx.run(
        ...insertTransfers(
          fresh.map((row) => ({
            id: transferIdOf.get(row.manifestKey)!,
            type: 'metrc',
            externalId: row.transferExternalId,
            manifestNumber: row.manifestNumber,
            manifestKey: row.manifestKey,
            shipperName: row.shipperName,
            shipperLicenseNumber: row.shipperLicenseNumber,
            createdAt,
          })),
        ),
        ...insertPackages(
          packages.map(({ row, id }) => ({
            ...readyPackage(row),
            id,
            complianceTransferId: transferIdOf.get(row.manifestKey)!,
            createdAt,
          })),
        ),
      );
      await announce(
        tx,
        context,
        origin,
        nowMs,
        ...changedIds.map((transferId) => {
          const added = packages.filter(({ row }) => transferIdOf.get(row.manifestKey) === transferId);
          return importedTransfer(
            transferId,
            added.map(({ id }) => id),
          );
        }),
      );
      const [rows] = await tx.run(selectTransfers({ ids: changedIds }));
      return { transfers: await shownTransfers(tx.run, rows), importedRows: good.length, badRows: bad };
    },
    { retryOnConstraints: transferGuards },
  );
}

type KnownTransfer = Pick<ComplianceTransferRow, 'shipper_name' | 'shipper_license_number'>;

/** Splits the rows: bad ones have the label of another package, or contradict an existing manifest. */
function sortRows(
  read: ReturnType<typeof readTransferRows>,
  knownOf: ReadonlyMap<string, KnownTransfer>,
  takenLabels: ReadonlySet<string>,
) {
  const bad = [...read.bad];
  const good = read.rows.filter(({ row, label, manifestKey, ...shipper }) => {
    const transfer = knownOf.get(manifestKey);
    const field = takenLabels.has(label)
      ? 'label'
      : transfer &&
        otherShipper(shipper, {
          shipperName: transfer.shipper_name,
          shipperLicenseNumber: transfer.shipper_license_number,
        });
    if (!field) return true;
    const expected =
      field === 'label' ? 'not be that of another package' : 'be that of the manifest, which already exists';
    bad.push({ row, field, message: `${field} must ${expected}` });
    return false;
  });
  return { good, bad: bad.sort((a, b) => a.row - b.row) };
}

/** A package on its way: it gets its product when it is received. */
function readyPackage(row: TransferRow) {
  return {
    ...noPackageDetails,
    label: row.label,
    productId: null,
    optionId: null,
    status: 'ready' as const,
    unit: row.unit,
    initialAmount: row.initialAmount,
    announcedAmount: row.initialAmount,
    multiplier: '1',
    costPerUnit: null,
    receivedAt: null,
    externalId: row.externalId,
    externalProductName: row.externalProductName,
    expirationDate: row.expirationDate,
    onHold: row.onHold,
    tradeSample: row.tradeSample,
  };
}

function importedTransfer(id: number, packageIds: readonly number[]) {
  return {
    event: 'compliance_transfer.imported' as const,
    subjectType: 'compliance_transfer' as const,
    subjectId: id,
    payload: { complianceTransferId: id, packages: packageIds.length, packageIds },
  };
}
