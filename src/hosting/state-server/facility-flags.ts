import { type JsonRow, membersOf } from './json-rows.ts';

/* What the state allows at a kind of facility: the members of FacilityType. */

const flagNames = `
  IsRetail IsMedical IsHemp CanSellToConsumers CanSellToPatients CanSellToExternalPatients CanSellToCaregivers
  RetailSalesToNonResidentConsumer AdvancedSales SalesRequirePatientNumber SalesRequireExternalPatientNumber
  SalesRequireExternalPatientIdentificationMethod SalesRequireCaregiverNumber SalesRequireCaregiverPatientNumber
  CanDeliverSalesToConsumers CanDeliverSalesToPatients DeliverySalesToNonResidentConsumer
  SalesDeliveryAllowPlannedRoute SalesDeliveryAllowAddress SalesDeliveryAllowCity SalesDeliveryAllowState
  SalesDeliveryAllowCounty SalesDeliveryAllowZip SalesDeliveryRequireZone SalesDeliveryRequireConsumerId
  SalesDeliveryRequirePatientNumber SalesDeliveryRequireRecipientName IsSalesDeliveryHub RetailerDelivery
  RetailerDeliveryAllowTradeSamples RetailerDeliveryAllowDonations RetailerDeliveryRequirePrice
  RetailerDeliveryAllowPartialPackages CanHaveMemberPatients CanReportPatientCheckIns EnableExternalIdentifier
  EnableSublocations CanAssignLocationsToPackages CanUpdateLocationsOnPackages CanCreateOpeningBalancePackages
  CanCreateDerivedPackages CanTransferFromExternalFacilities CanTestPackages CanDownloadProductLabel
  CanReceiveAssociateProductLabel CanUseComplianceLabel CanTrackFinishedGoods CanOnlyReceiveFinishedGoods
  CanReturnPackageQuantity CanGrowPlants CanCreateOpeningBalancePlantBatches CanClonePlantBatches CanTagPlantBatches
  CanAssignLocationsToPlantBatches PlantsRequirePatientAffiliation PlantBatchesCanContainMotherPlants
  CanUpdatePlantStrains CanTrackVegetativePlants CanCreateImmaturePlantPackagesFromPlants CanPackageVegetativePlants
  CanPackageWaste CanReportHarvestSchedules CanSubmitHarvestsForTesting CanRequireHarvestSampleLabTestBatches
  CanReportStrainProperties PackagesRequirePatientAffiliation CanCreateTradeSamplePackages CanDonatePackages
  CanSubmitPackagesForTesting CanCreateProcessValidationPackages CanRequirePackageSampleLabTestBatches
  CanRequestProductRemediation CanRemediatePackagesWithFailedLabResults CanRequestProductDecontamination
  CanDecontaminatePackagesWithFailedLabResults CanInfuseProducts CanRecordProcessingJobs
  CanRecordProductForDestruction CanDestroyProduct TestsRequireLabSample CanSpecifyPatientSalesLimitExemption
  CanReportPatientsAdverseResponses CanCreatePartialPackages CanAdjustSourcePackagesWithPartials
  CanReportOperationalExceptions CanReportAdulteration CanViewSourcePackages TaxExemptReportingFeesFacilityType
  TaxExemptTagOrdersFacilityType CanAccessCatalog CanTrackMotherPlantsAsGrowthPhase CanManageItemBrands`;

/** Members that are numbers or null. */
const countNames = `TotalMemberPatientsAllowed RestrictWholesalePriceEditDays RestrictHarvestPlantRestoreTimeHours
  RestrictPlantBatchAdjustmentTimeHours`;

const everyFlag = { ...membersOf(flagNames, false), ...membersOf(countNames, null) };

const allowed = (names: string): JsonRow => membersOf(names, true);

const shop = allowed(`IsRetail AdvancedSales CanAssignLocationsToPackages CanUpdateLocationsOnPackages
  CanCreateDerivedPackages CanViewSourcePackages EnableExternalIdentifier CanTrackFinishedGoods`);
const recipient = allowed(`SalesDeliveryAllowPlannedRoute SalesDeliveryAllowAddress SalesDeliveryAllowCity
  SalesDeliveryAllowState SalesDeliveryAllowCounty SalesDeliveryAllowZip`);
const adult = allowed('CanSellToConsumers RetailSalesToNonResidentConsumer CanDeliverSalesToConsumers');
const medical = allowed(`IsMedical CanSellToPatients CanSellToCaregivers CanSellToExternalPatients
  SalesRequirePatientNumber SalesRequireCaregiverNumber SalesRequireExternalPatientNumber CanDeliverSalesToPatients
  CanHaveMemberPatients CanReportPatientCheckIns`);

/** What shops of the seeds may do. */
const shopKinds = {
  adult: { ...shop, ...recipient, ...adult },
  medical: { ...shop, ...recipient, ...medical },
  both: { ...shop, ...recipient, ...adult, ...medical },
} satisfies Record<string, JsonRow>;

export type ShopKind = keyof typeof shopKinds;

/** States whose shops keep a ledger of each courier's stock. */
const ledgerStates = ['CA'];
const medicalStates = ['AL', 'DC', 'KY', 'LA', 'MS', 'OK', 'SD', 'VA', 'WV'];
const adultStates = ['AK', 'GU', 'ME'];
/** States whose shops send no couriers. */
const withoutDeliveries = ['AK', 'GU', 'IL', 'MS', 'WV'];
const withoutRetailId = ['AK', 'CO', 'GU', 'ME', 'MO'];

/** Whom shops of a state sell to. */
export const kindOfState = (state: string): ShopKind =>
  medicalStates.includes(state) ? 'medical' : adultStates.includes(state) ? 'adult' : 'both';

/** All members of the FacilityType of a shop. */
export function flagsOfShop(state: string, kind: ShopKind): JsonRow {
  return {
    ...everyFlag,
    ...shopKinds[kind],
    ...(ledgerStates.includes(state) && allowed('RetailerDelivery RetailerDeliveryAllowPartialPackages')),
    ...(!withoutRetailId.includes(state) &&
      allowed('CanReceiveAssociateProductLabel CanDownloadProductLabel')),
    ...(withoutDeliveries.includes(state) &&
      membersOf('CanDeliverSalesToConsumers CanDeliverSalesToPatients', false)),
    ...(state === 'OR' && allowed('SalesRequireCaregiverPatientNumber')),
    ...(state === 'MO' && allowed('SalesRequireExternalPatientIdentificationMethod')),
    ...(kind !== 'adult' && { TotalMemberPatientsAllowed: 100 }),
  };
}

/** A supplier: it may grow and ship, and sells to no consumer. */
export const flagsOfSupplier: JsonRow = {
  ...everyFlag,
  ...allowed('CanGrowPlants CanCreateDerivedPackages CanSubmitPackagesForTesting'),
};
