import { type Json, type JsonRow, membersOf } from './json-rows.ts';
import { fixedRows, type Route } from './state-route.ts';

/* Lists of words: the same in every call of a state. */

interface Unit {
  readonly name: string;
  readonly abbreviation: string;
  readonly kind: 'CountBased' | 'WeightBased' | 'VolumeBased';
  /** Grams or milliliters, as decimal text. */
  readonly size: string;
}

const unit = (name: string, abbreviation: string, kind: Unit['kind'], size: string): Unit => ({
  ...{ name, abbreviation, kind, size },
});

export const units: readonly Unit[] = [
  unit('Each', 'ea', 'CountBased', '1'),
  unit('Grams', 'g', 'WeightBased', '1'),
  unit('Kilograms', 'kg', 'WeightBased', '1000'),
  unit('Milligrams', 'mg', 'WeightBased', '0.001'),
  unit('Ounces', 'oz', 'WeightBased', '28.349523125'),
  unit('Pounds', 'lb', 'WeightBased', '453.59237'),
  unit('Fluid Ounces', 'fl oz', 'VolumeBased', '29.5735295625'),
  unit('Gallons', 'gal', 'VolumeBased', '3785.411784'),
  unit('Liters', 'l', 'VolumeBased', '1000'),
  unit('Milliliters', 'ml', 'VolumeBased', '1'),
  unit('Pints', 'pt', 'VolumeBased', '473.176473'),
];

/** Undefined: there is no such unit. Case does not matter. */
export const unitNamed = (name: string): Unit | undefined =>
  units.find((it) => it.name.toLowerCase() === name.toLowerCase());

export const customerTypes = ['Consumer', 'Patient', 'Caregiver', 'ExternalPatient', 'NonResidentConsumer'];

export const labStates =
  `NotSubmitted SubmittedForTesting TestFailed TestPassed TestingInProgress AwaitingConfirmation
  RetestFailed RetestPassed Remediated SelectedForRandomTesting NotRequired ProcessValidated Decontaminated
  RandDCompleted`.split(/\s+/);

interface Reason {
  readonly Name: string;
  readonly RequiresNote: boolean;
}

const reason = (Name: string, RequiresNote = false): Reason => ({ Name, RequiresNote });

/** Reasons of adjustments. A state has its own; these were seen. */
export const adjustmentReasons: readonly Reason[] = [
  ...[reason('Drying'), reason('Entry Error', true), reason('Scale Variance'), reason('Theft', true)],
  ...[reason('Waste'), reason('API Related Error', true), reason('Mandatory State Destruction', true)],
  reason('Typing/Entry Error', true),
  reason('Merge'),
];

/** Reasons of what a courier brings back. */
export const returnReasonsOf = (state: string): readonly Reason[] =>
  state === 'NY' ? [reason('Unable to Deliver')] : [reason('Spoilage'), reason('Theft', true)];

const printedReason = ({ Name, RequiresNote }: Reason): Json => ({
  ...{ Name, RequiresNote, RequiresWasteWeight: false },
  ...{ RequiresImmatureWasteWeight: false, RequiresMatureWasteWeight: false },
});

const categoryMembers = {
  ...membersOf(
    `RequiresStrain RequiresItemBrand RequiresAdministrationMethod RequiresUnitCbdPercent RequiresUnitCbdContent
    RequiresUnitCbdContentDose RequiresUnitCbdAPercent RequiresUnitCbdAContent RequiresUnitCbdAContentDose
    RequiresUnitThcPercent RequiresUnitThcContent RequiresUnitThcContentDose RequiresUnitThcAPercent
    RequiresUnitThcAContent RequiresUnitThcAContentDose RequiresUnitVolume RequiresUnitWeight RequiresServingSize
    RequiresSupplyDurationDays RequiresNumberOfDoses RequiresPublicIngredients RequiresDescription RequiresAllergens
    RequiresProductPhotoDescription RequiresLabelPhotoDescription RequiresPackagingPhotoDescription CanContainSeeds
    CanBeRemediated CanBeDecontaminated CanBeDestroyed`,
    false,
  ),
  ...membersOf(
    'RequiresProductPhotos RequiresLabelPhotos RequiresPackagingPhotos RequiresProductPDFDocuments',
    0,
  ),
  ...membersOf(
    `MinConsecutiveSourcesForRTA MinDaysForRTA MaxDaysForRecoveryAfterFailure MaxDaystoReachMinSources
    MinNewPassesInRecoveryWindow MaxDaysToMaintainRTA MaxRepackageDistanceFromSource MaxDaysWithoutTestedSource`,
    null,
  ),
  LabTestBatchNames: [] as string[],
};

const category = (Name: string, ProductCategoryType: string, QuantityType: string, requires: string) => ({
  ...{ Name, ProductCategoryType, QuantityType },
  ...categoryMembers,
  ...(requires === '' ? {} : membersOf(requires, true)),
});

/** Categories of items. Names are each state's own. */
export const categories = [
  category('Buds', 'Buds', 'WeightBased', 'RequiresStrain'),
  category('Pre-Rolls', 'Buds', 'CountBased', 'RequiresStrain RequiresUnitWeight'),
  category('Immature Plants', 'Plants', 'CountBased', 'RequiresStrain'),
  category('Infused (edible)', 'InfusedEdible', 'CountBased', 'RequiresUnitThcContent RequiresUnitWeight'),
  category('Infused liquid', 'InfusedEdible', 'CountBased', 'RequiresUnitThcContent RequiresUnitVolume'),
  category('Concentrate (Each)', 'Concentrate', 'CountBased', 'RequiresUnitThcContent RequiresUnitWeight'),
];

const locationTypes = ['Default', 'Planting', 'Packing'].map(
  (Name, at): JsonRow => ({
    Id: at + 1,
    Name,
    ForPlantBatches: Name !== 'Packing',
    ForPlants: Name !== 'Packing',
    ForHarvests: true,
    ForPackages: true,
  }),
);

export const locationTypeNamed = (name: string): JsonRow | undefined =>
  locationTypes.find((it) => String(it.Name).toLowerCase() === name.toLowerCase());

const transferType = (Name: string, TransactionType: string): Json => ({
  ...{ Name, TransactionType, ForLicensedShipments: true },
  ...membersOf(
    `ForExternalIncomingShipments ForExternalOutgoingShipments RequiresDestinationGrossWeight
    RequiresPackagesGrossWeight RequiresInvoiceNumber RequiresPDFDocument BypassApproval
    ExternalIncomingCanRecordExternalIdentifier ExternalIncomingExternalIdentifierRequired
    ExternalOutgoingCanRecordExternalIdentifier ExternalOutgoingExternalIdentifierRequired`,
    false,
  ),
});

/** Types of transfers. New York has none that is called Transfer. */
export const transferTypesOf = (state: string): readonly Json[] =>
  state === 'NY'
    ? [transferType('Wholesale Manifest', 'Wholesale')]
    : [transferType('Transfer', 'Standard'), transferType('Wholesale', 'Wholesale')];

const printedUnit = ({ kind, name, abbreviation }: Unit): Json => ({
  ...{ QuantityType: kind, Name: name, Abbreviation: abbreviation },
});

/** Values of the payment types, in the shape of the switch. */
function paymentTypes(shape: string): Json {
  if (shape === 'empty') return [];
  return ['Cash', 'Electronic'].map((Name) => (shape === 'objects' ? { Name } : Name));
}

const readSales = ['View Sales', 'Manage Sales'];
const readDeliveries = ['View Sales Delivery', 'Manage Sales Delivery'];

export const vocabularyRoutes: readonly Route[] = [
  { at: 'GET /unitsofmeasure/v2/active', license: 'none', read: () => units.map(printedUnit) },
  {
    at: 'GET /unitsofmeasure/v2/inactive',
    license: 'none',
    read: () => [{ QuantityType: 'WeightBased', Name: 'Tonns', Abbreviation: 't' }],
  },
  {
    at: 'GET /wastemethods/v2',
    license: 'none',
    read: () => [
      {
        Name: 'Grinder',
        ForPlants: true,
        ForProductDestruction: true,
        LastModified: '2024-01-01T00:00:00+00:00',
      },
    ],
  },
  { at: 'GET /sales/v2/customertypes', license: 'none', read: () => customerTypes },
  {
    at: 'GET /sales/v2/patientregistration/locations',
    license: 'none',
    read: () => [{ Id: 4, Name: 'District of Columbia' }],
  },
  {
    at: 'GET /sales/v2/counties',
    license: 'none',
    list: () => fixedRows(['Juniper', 'Fern'].map((Name, at) => ({ Id: at + 1, Name }))),
  },
  {
    at: 'GET /sales/v2/paymenttypes',
    rights: readDeliveries,
    read: ({ world }) => paymentTypes(world.settings['payment-types']),
  },
  {
    at: 'GET /sales/v2/deliveries/returnreasons',
    rights: [...readDeliveries, ...readSales],
    list: ({ facility }) => fixedRows(returnReasonsOf(facility.state).map(printedReason)),
  },
  {
    at: 'GET /packages/v2/adjust/reasons',
    rights: ['View Packages'],
    list: () => fixedRows(adjustmentReasons.map(printedReason)),
  },
  {
    at: 'GET /packages/v2/types',
    license: 'none',
    read: () => ['Product', 'ImmaturePlant', 'VegetativePlant', 'PlantWaste', 'HarvestWaste', 'MotherPlant'],
  },
  { at: 'GET /labtests/v2/states', license: 'none', read: () => labStates },
  {
    at: 'GET /transfers/v2/deliveries/packages/states',
    license: 'none',
    read: () => ['Shipped', 'Rejected', 'Accepted', 'Returned'],
  },
  {
    at: 'GET /transfers/v2/types',
    list: ({ facility }) => fixedRows(transferTypesOf(facility.state)),
  },
  { at: 'GET /items/v2/categories', list: () => fixedRows(categories) },
  {
    at: 'GET /items/v2/brands',
    list: () => fixedRows([{ Id: 1, Name: 'Fern Valley', Status: 'Active' }]),
  },
  { at: 'GET /locations/v2/types', rights: ['Manage Locations'], list: () => fixedRows(locationTypes) },
];
