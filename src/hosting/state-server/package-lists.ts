import type { Json } from './json-rows.ts';
import { printItem, printPackage, unitMembers } from './printed-stock.ts';
import type { Adjustment, Item, StatePackage, Transfer } from './state-models.ts';
import { unauthorized } from './state-refusals.ts';
import { type Call, type Listed, listed, type Route, seenObject } from './state-route.ts';
import { localInstant } from './state-times.ts';
import type { StateWorld } from './state-world.ts';

/* Packages, adjustments and items: reading. */

const isEnded = ({ archivedDate, finishedDate }: StatePackage): boolean =>
  archivedDate !== null || finishedDate !== null;
const isBlocked = ({ isOnHold, isOnRecall }: StatePackage): boolean => isOnHold || isOnRecall === true;

function isInActive({ settings }: StateWorld, it: StatePackage): boolean {
  const isShown = !isBlocked(it) || settings['hold-in-active'] === 'yes';
  return !isEnded(it) && !it.isInTransit && isShown;
}

/** Packages on their way from this license, to it, or both: that is not known. */
function inTransit(call: Call): Listed[] {
  const { world, licenses } = call;
  const { intransit } = world.settings;
  const isMeant = ({ license, shipperLicense }: Transfer) =>
    (intransit !== 'incoming' && licenses.includes(shipperLicense)) ||
    (intransit !== 'outgoing' && licenses.includes(license));
  const ids = world.transfers
    .all()
    .filter((it) => !it.isVoided && isMeant(it))
    .flatMap((it) =>
      it.packages.filter(({ state }) => state === 'Shipped').map(({ packageId }) => packageId),
    );
  const everyLicense = world.facilities.map(({ license }) => license);
  return listed(
    { licenses: everyLicense },
    world.packages,
    (it, changed) => printPackage(world, it, changed),
    ({ id, isInTransit }) => isInTransit && ids.includes(id),
  );
}

const packages =
  (isWanted: (world: StateWorld, it: StatePackage) => boolean) =>
  (call: Call): Listed[] =>
    listed(
      call,
      call.world.packages,
      (it, changed) => printPackage(call.world, it, changed),
      (it) => isWanted(call.world, it),
    );

/** The adjustments have no id in replies and no window: which ones are new only a reader knows who knows the others. */
function adjustments(call: Call): Listed[] {
  const { world } = call;
  const rows = listed(call, world.adjustments, (it) => printAdjustment(call, it));
  return world.settings['adjustment-order'] === 'newest-first' ? rows.reverse() : rows;
}

function printAdjustment({ world }: Call, it: Adjustment): Json {
  const from = world.packages.byId(it.packageId);
  const item = from && world.items.byId(from.itemId);
  const showsTotal = world.settings['adjustment-shows'] === 'total' && it.setsTotal;
  const { UnitOfMeasureName, UnitOfMeasureAbbreviation } = unitMembers(from?.unit ?? '');
  return {
    ...{ PackageId: it.packageId, PackageLabel: from?.label ?? null },
    ...{ ItemName: item?.name ?? null, ItemCategoryName: item?.category ?? null },
    AdjustmentQuantity: showsTotal ? it.total : it.difference,
    AdjustmentUnitOfMeasureName: UnitOfMeasureName ?? null,
    AdjustmentUnitOfMeasureAbbreviation: UnitOfMeasureAbbreviation ?? null,
    ...{ AdjustmentReasonName: it.reason, AdjustmentNote: it.note || null },
    ...{ AdjustmentDate: `${it.date}T00:00:00Z`, PackagedDate: `${from?.packagedDate ?? it.date}T00:00:00Z` },
    ...{ AdjustedByUserName: it.by, PackageLabTestResultExpirationDateTime: null },
  };
}

/** Packages that were sent to other licenses, by the transfers of the shipper. */
function transferred(call: Call): Listed[] {
  const { world, licenses } = call;
  const sent = world.transfers
    .seen(world.facilities.map(({ license }) => license))
    .filter(({ value }) => licenses.includes(value.shipperLicense) && !value.isVoided);
  return sent.flatMap(({ value, changed }) =>
    value.packages.map((shipped): Listed => {
      const item = world.items.byId(shipped.itemId);
      const unit = unitMembers(shipped.unit).UnitOfMeasureAbbreviation ?? null;
      const recipient = world.facility(value.license);
      return {
        id: shipped.packageId,
        changed,
        print: () => ({
          ...{
            Id: shipped.packageId,
            PackageId: shipped.packageId,
            RecipientFacilityLicenseNumber: value.license,
          },
          ...{ RecipientFacilityName: recipient?.name ?? null, ManifestNumber: value.manifest },
          ...{
            PackageLabel: shipped.label,
            ExternalId: null,
            SourceHarvestNames: null,
            SourcePackageLabels: null,
          },
          ...{ ProductName: item?.name ?? null, ProductCategoryName: item?.category ?? null },
          ...{ ItemStrainName: item?.strain ?? null, LabTestingStateName: 'TestPassed' },
          ...{ ShippedQuantity: shipped.quantity, ShippedUnitOfMeasureAbbreviation: unit },
          ...{ GrossWeight: null, GrossUnitOfWeightAbbreviation: null, ProcessingJobTypeName: null },
          ...{ ShipperWholesalePrice: shipped.shipperPrice, ReceiverWholesalePrice: shipped.receiverPrice },
          ...{ ReceivedQuantity: shipped.received, ReceivedUnitOfMeasureAbbreviation: unit },
          ...{ ShipmentPackageStateName: shipped.state, ActualDepartureDateTime: null },
          ReceivedDateTime:
            value.receivedMs === null ? null : localInstant(value.receivedMs, call.facility.zone),
        }),
      };
    }),
  );
}

/** A package by its id or label; one of another license is as unknown as wrong keys. */
function onePackage(call: Call): Json {
  const found = call.world.seenPackage(call.params.idOrLabel!, call.licenses);
  if (found === undefined) throw unauthorized();
  return printPackage(call.world, found.value, found.changed);
}

const view = ['View Packages', 'Manage Packages Inventory'];
const sellable = (it: Item): boolean => it.isActive;

export const packageListRoutes: readonly Route[] = [
  { at: 'GET /packages/v2/active', rights: view, window: 'stock', list: packages(isInActive) },
  {
    at: 'GET /packages/v2/inactive',
    rights: view,
    window: 'stock',
    list: packages((_, it) => isEnded(it) && !it.isInTransit),
  },
  {
    at: 'GET /packages/v2/onhold',
    rights: view,
    window: 'stock',
    list: packages((_, it) => isBlocked(it) && !it.isInTransit),
  },
  { at: 'GET /packages/v2/intransit', rights: view, window: 'stock', list: inTransit },
  { at: 'GET /packages/v2/transferred', rights: view, window: 'stock', list: transferred },
  { at: 'GET /packages/v2/adjustments', rights: view, ordered: true, list: adjustments },
  { at: 'GET /packages/v2/{idOrLabel}', rights: view, license: 'optional', read: onePackage },
  {
    at: 'GET /packages/v2/{idOrLabel}/source/harvests',
    rights: ['View Package Source Harvests'],
    license: 'optional',
    read: (call) => {
      onePackage(call);
      return [];
    },
  },
  {
    at: 'GET /items/v2/active',
    window: 'stock',
    list: (call) => listed(call, call.world.items, printItem, sellable),
  },
  {
    at: 'GET /items/v2/inactive',
    list: (call) => listed(call, call.world.items, printItem, (it) => !sellable(it)),
  },
  {
    at: 'GET /items/v2/{id}',
    license: 'optional',
    read: (call) => printItem(seenObject(call, call.world.items).value),
  },
];
