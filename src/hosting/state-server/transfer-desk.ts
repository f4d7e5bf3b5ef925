import { type Json, type JsonRow, membersOf } from './json-rows.ts';
import { acidMembers, contentMembers } from './printed-stock.ts';
import type { ShippedPackage, Transfer } from './state-models.ts';
import { unauthorized } from './state-refusals.ts';
import { type Call, fixedRows, type Listed, listed, type Route } from './state-route.ts';
import { localInstant, preciseInstant, wallTime } from './state-times.ts';
import type { StateWorld } from './state-world.ts';

/* Transfers between licenses: reading. Accepting one is not in the API; people do it on the state's website. */

const transferTemplate = {
  ...membersOf(
    `InvoiceNumber TransporterFacilityLicenseNumber TransporterFacilityName DriverName
    DriverOccupationalLicenseNumber DriverVehicleLicenseNumber VehicleMake VehicleModel VehicleLicensePlateNumber
    ActualDepartureDateTime ActualArrivalDateTime EstimatedReturnDepartureDateTime ActualReturnDepartureDateTime
    EstimatedReturnArrivalDateTime ActualReturnArrivalDateTime OriginatingTemplateId Name`,
    null,
  ),
  ...membersOf(
    `ContainsPlantPackage ContainsTradeSample ContainsDonation ContainsTestingSample
    ContainsProductRequiresRemediation ContainsRemediatedProductPackage`,
    false,
  ),
};

const isReceived = ({ state }: ShippedPackage): boolean => state === 'Accepted' || state === 'Returned';

/** A transfer; the members of its destination are null for the shipper. */
export function printTransfer(
  world: StateWorld,
  it: Transfer,
  changed: number,
  isIncoming: boolean,
): JsonRow {
  const zone = world.facility(it.license)?.zone ?? 'UTC';
  const received = it.packages.filter(isReceived).length;
  const receivedAt = it.receivedMs === null ? null : localInstant(it.receivedMs, zone);
  return {
    ...transferTemplate,
    ...{ Id: it.id, ManifestNumber: it.manifest, ShipmentLicenseType: 0 },
    ...{ ShipperFacilityLicenseNumber: it.shipperLicense, ShipperFacilityName: it.shipperName },
    ...{ DeliveryCount: 1, ReceivedDeliveryCount: it.receivedMs === null ? 0 : 1 },
    ...{ PackageCount: it.packages.length, ReceivedPackageCount: received, ContainsProductPackage: true },
    ...{
      IsVoided: it.isVoided,
      CreatedDateTime: localInstant(it.createdMs, zone),
      CreatedByUserName: 'Supplier',
    },
    LastModified: preciseInstant(changed),
    ...(isIncoming
      ? {
          ...{ DeliveryId: it.deliveryId, RecipientFacilityLicenseNumber: it.license },
          RecipientFacilityName: world.facility(it.license)?.name ?? null,
          ...{ ShipmentTypeName: it.typeName, ShipmentTransactionType: transactionOf(it.typeName) },
          EstimatedDepartureDateTime: wallTime(it.createdMs, zone),
          EstimatedArrivalDateTime: wallTime(it.createdMs + 3_600_000, zone),
          ...{ DeliveryPackageCount: it.packages.length, DeliveryReceivedPackageCount: received },
          ReceivedDateTime: receivedAt,
        }
      : membersOf(
          `DeliveryId RecipientFacilityLicenseNumber RecipientFacilityName ShipmentTypeName ShipmentTransactionType
          EstimatedDepartureDateTime EstimatedArrivalDateTime DeliveryPackageCount DeliveryReceivedPackageCount
          ReceivedDateTime`,
          null,
        )),
    ...it.extra,
  };
}

const transactionOf = (typeName: string): string => (typeName === 'Transfer' ? 'Standard' : 'Wholesale');

/** Transfers that this license ships. */
function shipped(call: Call, isWanted: (it: Transfer) => boolean): Listed[] {
  const { world, licenses } = call;
  const everyLicense = world.facilities.map(({ license }) => license);
  return listed(
    { licenses: everyLicense },
    world.transfers,
    (it, changed) => printTransfer(world, it, changed, false),
    (it) => licenses.includes(it.shipperLicense) && isWanted(it),
  );
}

function printShipment(world: StateWorld, it: Transfer): Json {
  const zone = world.facility(it.license)?.zone ?? 'UTC';
  return {
    ...membersOf(
      `InvoiceNumber ActualDepartureDateTime ActualArrivalDateTime GrossWeight GrossUnitOfWeightId
      GrossUnitOfWeightName PlannedRoute EstimatedReturnDepartureDateTime ActualReturnDepartureDateTime
      EstimatedReturnArrivalDateTime ActualReturnArrivalDateTime RejectedPackagesReturned PDFDocumentFileSystemId`,
      null,
    ),
    ...{ Id: it.deliveryId, ManifestNumber: it.manifest, DeliveryNumber: 1 },
    ...{
      RecipientFacilityLicenseNumber: it.license,
      RecipientFacilityName: world.facility(it.license)?.name ?? null,
    },
    ...{ ShipmentTypeName: it.typeName, ShipmentTransactionType: transactionOf(it.typeName) },
    EstimatedDepartureDateTime: wallTime(it.createdMs, zone),
    EstimatedArrivalDateTime: wallTime(it.createdMs + 3_600_000, zone),
    DeliveryPackageCount: it.packages.length,
    DeliveryReceivedPackageCount: it.packages.filter(isReceived).length,
    ReceivedDateTime: it.receivedMs === null ? null : localInstant(it.receivedMs, zone),
  };
}

/** The deliveries of a transfer. Of an incoming one it is not known what comes. */
function deliveriesOf(call: Call): Listed[] {
  const { world, params, licenses } = call;
  const it = world.transfers.byId(Number(params.id));
  const isOutgoing = it !== undefined && licenses.includes(it.shipperLicense);
  const isIncoming = it !== undefined && licenses.includes(it.license);
  if (!isOutgoing && !isIncoming) throw unauthorized();
  const { 'incoming-deliveries': rule } = world.settings;
  if (!isOutgoing && rule === '401') throw unauthorized();
  return isOutgoing || rule === 'rows' ? fixedRows([printShipment(world, it)]) : [];
}

/** The transfer of a delivery id that the caller ships or receives. A manifest number is no such id. */
function transferOf({ world, params, licenses }: Call): Transfer {
  const found = world.transfers
    .seen(world.facilities.map(({ license }) => license))
    .find(({ value }) => String(value.deliveryId) === params.id)?.value;
  if (found === undefined) throw unauthorized();
  if (!licenses.includes(found.license) && !licenses.includes(found.shipperLicense)) throw unauthorized();
  return found;
}

const shippedTemplate = {
  ...membersOf(
    `SourceHarvestNames SourcePackageLabels SourceProductionBatchNumbers ItemBrandName ItemSupplyDurationDays
    ProductionBatchNumber ExpirationDate SellByDate UseByDate GrossUnitOfWeightName ProductLabel ExternalId
    ${`${contentMembers} ${acidMembers}`.replaceAll(/\b(Unit|Serving)/g, 'Item$1')}`,
    null,
  ),
  ...membersOf(
    `IsTradeSample IsTradeSamplePersistent SourcePackageIsTradeSample IsDonation IsDonationPersistent
    SourcePackageIsDonation IsTestingSample ProductRequiresRemediation ContainsRemediatedProduct IsFinishedGood`,
    false,
  ),
};

function printShipped(world: StateWorld, it: ShippedPackage): Json {
  const item = world.items.byId(it.itemId);
  const from = world.packages.byId(it.packageId);
  return {
    ...shippedTemplate,
    ...{ PackageId: it.packageId, PackageLabel: it.label, PackageType: 'Product', ItemId: it.itemId },
    ...{ ItemName: item?.name ?? null, ItemCategoryName: item?.category ?? null },
    ...{ ItemStrainName: item?.strain ?? null, LabTestingState: from?.labState ?? 'TestPassed' },
    ...{ ShipmentPackageState: it.state, ShippedQuantity: it.quantity, ShippedUnitOfMeasureName: it.unit },
    ...{ PackagedDate: from?.packagedDate ?? null, ReceivedQuantity: it.received },
    ReceivedUnitOfMeasureName: it.received === null ? null : it.unit,
  };
}

function manifest(call: Call, ContentType: string): Json {
  const { world, params, licenses } = call;
  const it = world.transfers.byId(Number(params.id));
  if (it === undefined || !(licenses.includes(it.license) || licenses.includes(it.shipperLicense))) {
    throw unauthorized();
  }
  const text = `Manifest ${it.manifest}`;
  if (ContentType === 'text/html') return `<html><body>${text}</body></html>`;
  return {
    ...{ FileContents: Buffer.from(text).toString('base64'), ContentType, HttpStatusCode: 200 },
    FileDownloadName: `${it.manifest}.pdf`,
  };
}

const rights = ['View Transfers', 'Manage Transfers'];
const detail = { rights, license: 'none' } as const;

export const transferRoutes: readonly Route[] = [
  {
    at: 'GET /transfers/v2/incoming',
    rights,
    window: 'stock',
    list: (call) =>
      listed(
        call,
        call.world.transfers,
        (it, changed) => printTransfer(call.world, it, changed, true),
        ({ isRejected }) => !isRejected,
      ),
  },
  { at: 'GET /transfers/v2/outgoing', rights, window: 'stock', list: (call) => shipped(call, () => true) },
  { at: 'GET /transfers/v2/rejected', rights, list: (call) => shipped(call, ({ isRejected }) => isRejected) },
  { ...detail, at: 'GET /transfers/v2/{id}/deliveries', list: deliveriesOf },
  {
    ...detail,
    at: 'GET /transfers/v2/deliveries/{id}/packages',
    list: (call) => fixedRows(transferOf(call).packages.map((it) => printShipped(call.world, it))),
  },
  {
    at: 'GET /transfers/v2/deliveries/{id}/packages/wholesale',
    rights: ['View Wholesale Prices'],
    license: 'none',
    list: (call) =>
      fixedRows(
        transferOf(call).packages.map(({ packageId, label, shipperPrice, receiverPrice }) => ({
          ...{ PackageId: packageId, PackageLabel: label },
          ...{ ShipperWholesalePrice: shipperPrice, ReceiverWholesalePrice: receiverPrice },
        })),
      ),
  },
  { ...detail, at: 'GET /transfers/v2/deliveries/package/{id}/requiredlabtestbatches', list: () => [] },
  {
    ...detail,
    at: 'GET /transfers/v2/deliveries/{id}/transporters',
    list: (call) =>
      fixedRows([
        {
          ...{ ShipmentDeliveryId: transferOf(call).deliveryId, TransporterDirection: 'Outbound' },
          TransporterFacilityLicenseNumber: transferOf(call).shipperLicense,
          TransporterFacilityName: transferOf(call).shipperName,
        },
      ]),
  },
  {
    ...detail,
    at: 'GET /transfers/v2/deliveries/{id}/transporters/details',
    list: (call) =>
      fixedRows([
        {
          ...{ ShipmentDeliveryId: transferOf(call).deliveryId, DriverName: 'D. Reyes' },
          ...{
            DriverOccupationalLicenseNumber: 'E-1',
            DriverVehicleLicenseNumber: 'V-1',
            DriverLayoverLeg: null,
          },
          ...{ VehicleMake: 'Ford', VehicleModel: 'Transit', VehicleLicensePlateNumber: '7ABC123' },
          ActualDriverStartDateTime: null,
        },
      ]),
  },
  {
    at: 'GET /transfers/v2/manifest/{id}/pdf',
    rights,
    license: 'optional',
    read: (call) => manifest(call, 'application/pdf'),
  },
  {
    at: 'GET /transfers/v2/manifest/{id}/html',
    rights,
    license: 'optional',
    read: (call) => manifest(call, 'text/html'),
  },
];
