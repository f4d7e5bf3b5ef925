import { type Json, type JsonRow, membersOf } from './json-rows.ts';
import type { Item, StatePackage } from './state-models.ts';
import { localInstant, noDate, preciseInstant } from './state-times.ts';
import { categories, unitNamed } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';

/* Items and packages as replies show them. */

/** CBD and THC of a unit, and its size: names without prefix. */
export const contentMembers = `UnitCbdPercent UnitCbdContent UnitCbdContentUnitOfMeasureName UnitCbdContentDose
  UnitCbdContentDoseUnitOfMeasureName UnitThcPercent UnitThcContent UnitThcContentUnitOfMeasureName UnitThcContentDose
  UnitThcContentDoseUnitOfMeasureName UnitVolume UnitVolumeUnitOfMeasureName UnitWeight UnitWeightUnitOfMeasureName
  ServingSize UnitQuantity UnitQuantityUnitOfMeasureName`;

/** CBDA and THCA, in the same way. */
export const acidMembers = ['Cbd', 'Thc']
  .flatMap((name) => ['Percent', 'Content', 'ContentUnitOfMeasureName'].map((end) => `Unit${name}A${end}`))
  .concat(
    ['Cbd', 'Thc'].flatMap((name) => [`Unit${name}AContentDose`, `Unit${name}AContentDoseUnitOfMeasureName`]),
  )
  .join(' ');

const itemTemplate = {
  ...membersOf(
    `GlobalProductName GlobalProductNumber ApprovalStatusDateTime StrainId AdministrationMethod NumberOfDoses
    PublicIngredients Description Allergens ProductPhotoDescription LabelPhotoDescription PackagingPhotoDescription
    ProcessingJobCategoryName ProcessingJobTypeName ProductBrandName UnitThcContentDoseUnitOfMeasureId
    UnitThcAContentDoseUnitOfMeasureId`,
    null,
  ),
  ...membersOf(`${contentMembers} ${acidMembers}`, null),
  ...membersOf(
    `IsExpirationDateRequired HasExpirationDate IsSellByDateRequired HasSellByDate IsUseByDateRequired HasUseByDate`,
    false,
  ),
  ...membersOf('ProductImages LabelImages PackagingImages ProductPDFDocuments LabTestBatchNames', []),
};

/** An item as its own routes show it. */
export function printItem(item: Item): JsonRow {
  const category = categories.find(({ Name }) => Name === item.category);
  return {
    ...itemTemplate,
    ...{ Id: item.id, Name: item.name, ProductCategoryName: item.category },
    ProductCategoryType: category?.ProductCategoryType ?? 'Buds',
    QuantityType: category?.QuantityType ?? 'CountBased',
    ...{ DefaultLabTestingState: 'NotSubmitted', UnitOfMeasureName: item.unit, ApprovalStatus: 'Approved' },
    ...{ StrainName: item.strain, ItemBrandId: item.brand === null ? 0 : 1, ItemBrandName: item.brand },
    IsUsed: true,
    ...item.extra,
  };
}

/** The item within a package: its enumerations may be integers there. */
function embeddedItem(world: StateWorld, item: Item): Json {
  if (world.settings['item-enums'] === 'text') return printItem(item);
  return {
    ...printItem(item),
    ...{ ProductCategoryType: 0, QuantityType: 0, DefaultLabTestingState: 0, ApprovalStatus: 0 },
    UnitOfMeasureName: null,
  };
}

const packageTemplate = {
  ...membersOf(
    `SourceHarvestNames SourceProductionBatchNumbers ProductionBatchNumber SublocationId SublocationName
    LocationTypeName ExpirationDate SellByDate UseByDate LabTestingPerformedDate LabTestingRecordedDate
    LabTestResultExpirationDateTime LabTestStageId LabTestStage RemediationDate DecontaminationDate
    PatientLicenseNumber LabelsLastGeneratedDateTime ProductLabel PackageForProductDestruction
    ItemFromFacilityLicenseNumber ItemFromFacilityName`,
    null,
  ),
  ...membersOf('SourceHarvestCount SourceProcessingJobCount', 0),
  ...membersOf(
    `IsProductionBatch ProductRequiresRemediation ContainsRemediatedProduct ProductRequiresDecontamination
    ContainsDecontaminatedProduct IsTradeSample IsTradeSamplePersistent SourcePackageIsTradeSample IsDonation
    IsDonationPersistent SourcePackageIsDonation IsTestingSample IsProcessValidationTestingSample IsFinishedGood
    IsOnInvestigation IsOnInvestigationHold IsOnInvestigationRecall`,
    false,
  ),
};

/** Whether an open ledger of a courier carries or has planned this package. */
export function isOnOpenLedger(world: StateWorld, packageId: number): boolean {
  return world.ledgers.all().some(({ state, stock, stops }) => {
    if (state === 'Completed' || state === 'Voided') return false;
    const planned = stops.flatMap(({ lines }) => lines);
    return [...stock, ...planned].some((it) => it.packageId === packageId);
  });
}

/** A package as its routes show it. `changed` in microseconds. */
export function printPackage(world: StateWorld, it: StatePackage, changed: number): JsonRow {
  const place = it.placeId === null ? undefined : world.places.byId(it.placeId);
  const item = world.items.byId(it.itemId)!;
  return {
    ...packageTemplate,
    ...{ Id: it.id, Label: it.label, ExternalId: it.externalId || null, PackageType: 'Product' },
    SourcePackageCount: it.sourceLabels.length,
    SourcePackageLabels: it.sourceLabels.join(', ') || null,
    ...{ LocationId: place?.id ?? null, LocationName: place?.name ?? null },
    LocationTypeName: place?.typeName ?? null,
    ...{ Quantity: it.quantity, OriginalPackageQuantity: it.originalQuantity },
    ...unitMembers(it.unit),
    PackagedDate: it.packagedDate,
    ...{ InitialLabTestingState: 'NotSubmitted', LabTestingState: it.labState },
    LabTestingStateDate: it.packagedDate,
    ...receptionMembers(world, it),
    ...{ IsOnHold: it.isOnHold, IsOnHoldCombined: it.isOnHold, IsOnRecall: it.isOnRecall },
    IsOnRecallCombined: it.isOnRecall === true,
    IsOnRetailerDelivery: isOnOpenLedger(world, it.id),
    ...{ ArchivedDate: it.archivedDate, IsFinished: it.finishedDate !== null, FinishedDate: it.finishedDate },
    ...{ Note: it.note || null, LastModified: preciseInstant(changed) },
    ProductLabel: printedLabel(it),
    Item: embeddedItem(world, item),
    ...it.extra,
  };
}

/** Name and abbreviation of a unit. */
export const unitMembers = (unit: string): JsonRow => ({
  UnitOfMeasureName: unit,
  UnitOfMeasureAbbreviation: unitNamed(unit)?.abbreviation ?? null,
});

/** Four members that are null until a transfer was accepted. */
function receptionMembers(world: StateWorld, { reception, license }: StatePackage): JsonRow {
  return {
    ReceivedDateTime:
      reception === null ? null : localInstant(reception.atMs, world.facility(license)?.zone ?? 'UTC'),
    ReceivedFromManifestNumber: reception?.manifest ?? null,
    ReceivedFromFacilityLicenseNumber: reception?.fromLicense ?? null,
    ReceivedFromFacilityName: reception?.fromName ?? null,
  };
}

function printedLabel({ codes, id, label }: StatePackage): Json {
  if (codes.length === 0) return null;
  return {
    ...{ QrCount: codes.length, IsChildFromParentWithLabel: false, OriginalSourcePackageId: id },
    ...{ OriginalSourcePackageLabel: label, LabelSource: 'Package', QrCodeRanges: [[1, codes.length]] },
    ...{ LastLabelGenerationDate: noDate, IsActive: true },
  };
}
