import Type, { type Static } from 'typebox';
import {
  DecimalText,
  Described,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { WebAddress } from '../catalog/photo-schemas.ts';
import { packageStatuses } from './package-queries.ts';
import { packageUnitNames } from './package-units.ts';
import { PackagedProduct, packagedProductExample } from './traded-product.ts';

/** Shape of a package and of requests that write one (D53). */

const name = (description: string) => Nullable(Text({ description, max: 500 }));
const license = (description: string) => Nullable(Text({ description, max: 100 }));
const potency = (description: string) => Nullable(DecimalText({ description, wholeDigitsMax: 9 }));
/** Lab results by weight. */
const percentage = () =>
  Nullable(
    Type.String({
      maxLength: 10,
      pattern: '^(?:100(?:\\.0{1,6})?|(?:0|[1-9][0-9]?)(?:\\.[0-9]{1,6})?)$',
      'x-reads': 'decimal',
      'x-expected': 'a percentage from 0 to 100 as text, such as "21.5", with at most 6 decimals',
    }),
  );
const day = (description: string) => Nullable(LocalDate({ description }));
const moment = (description: string) => Nullable(Timestamp({ description }));

/** Details that staff can set at any time. */
const packageDetails = {
  externalId: Nullable(Text({ max: 100, description: 'Id in the system that issued the label' })),
  externalProductName: name('Name of the goods in the system that issued the label'),
  expirationDate: day('The last day of sale'),
  thcPercent: percentage(),
  thcMg: potency('THC in mg, by the lab'),
  cbdPercent: percentage(),
  cbdMg: potency('CBD in mg, by the lab'),
  producerName: name('Who made the goods'),
  producerLicense: license("The producer's license"),
  harvestDate: day('Day of the harvest'),
  harvestFacilityName: name('Where it was harvested'),
  harvestFacilityLicense: license('License of that place'),
  labName: name('The lab that tested the goods'),
  labLicense: license("The lab's license"),
  labDate: day('Day of the test'),
  certificateUrl: Nullable(WebAddress({ description: 'Where the certificate of the lab is' })),
  onHold: Flag({ description: 'Not sold while `true`' }),
  holdReason: Nullable(NonBlankText({ max: 500, description: 'Why it is on hold; gone with the hold' })),
  tradeSample: Flag({ description: 'Never sold' }),
  originalSourceLabel: Nullable(
    Text({ description: 'Label of the package that it was made from', max: 100 }),
  ),
};

export const labelPattern = '^[0-9A-Z]{24}$';

/** The label of a package that is not void. */
function PackageLabel(options: { readonly description?: string } = {}) {
  return Type.String({
    ...options,
    maxLength: 24,
    pattern: labelPattern,
    'x-expected': '24 characters 0-9 and A-Z',
  });
}

/** The fields that package lists and transfers share. */
export const sharedPackageFields = {
  id: Id(),
  type: OneOf(['metrc'], { description: 'The system that issued the label' }),
  externalId: packageDetails.externalId,
  externalProductName: packageDetails.externalProductName,
  label: Text({ max: 100, description: '24 characters; once void, `void-<label>-<8 hex>`' }),
  status: OneOf(packageStatuses, { description: 'Where the package is in its life' }),
  initialAmount: DecimalText({ description: 'The initial amount, in its own unit' }),
  unit: Text({ max: 50, description: packageUnitNames.join(', ') }),
  createdAt: Timestamp(),
  onHold: packageDetails.onHold,
  tradeSample: packageDetails.tradeSample,
  product: Described('The product; null: it has none yet', Nullable(PackagedProduct)),
};

/** A timestamp with microseconds: a cursor (D4). */
function PreciseTimestamp(options: { readonly description: string }) {
  return Type.String({
    ...options,
    maxLength: 30,
    pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$`,
    'x-expected': 'a timestamp in UTC such as 2026-03-01T17:05:09.123456Z',
  });
}

export const Package = Named(
  'Package',
  Type.Object({
    id: sharedPackageFields.id,
    organizationId: Id(),
    productOptionId: Nullable(Id({ description: 'Null unless stock is kept per option' })),
    type: sharedPackageFields.type,
    externalId: packageDetails.externalId,
    externalProductName: packageDetails.externalProductName,
    label: sharedPackageFields.label,
    status: sharedPackageFields.status,
    initialAmount: sharedPackageFields.initialAmount,
    unit: sharedPackageFields.unit,
    createdAt: Timestamp(),
    updatedAt: PreciseTimestamp({
      description: 'When a field or the stock last changed, with microseconds: for `startingAfterUpdatedAt`',
    }),
    receivedAt: moment('When the package was received'),
    finishedAt: moment('When the package was finished'),
    multiplier: DecimalText({ decimalsMax: 12, description: 'Units of stock in one unit of the package' }),
    expirationDate: packageDetails.expirationDate,
    transferredAt: moment('When the package was transferred'),
    transferReturnedAt: moment('When the transfer was returned'),
    shippedAt: moment('When the package was shipped'),
    costPerUnit: Nullable(DecimalText({ description: 'Dollars per unit of stock' })),
    voidReason: Nullable(Text({ max: 500, description: 'Why it is void, or was rejected when it came' })),
    thcPercent: potency('THC in percent, by the lab'),
    thcMg: packageDetails.thcMg,
    cbdPercent: potency('CBD in percent, by the lab'),
    cbdMg: packageDetails.cbdMg,
    producerName: packageDetails.producerName,
    producerLicense: packageDetails.producerLicense,
    harvestDate: packageDetails.harvestDate,
    harvestFacilityName: packageDetails.harvestFacilityName,
    harvestFacilityLicense: packageDetails.harvestFacilityLicense,
    labName: packageDetails.labName,
    labLicense: packageDetails.labLicense,
    labDate: packageDetails.labDate,
    certificateUrl: packageDetails.certificateUrl,
    onHold: packageDetails.onHold,
    holdReason: packageDetails.holdReason,
    tradeSample: packageDetails.tradeSample,
    originalSourceLabel: packageDetails.originalSourceLabel,
    locationInventory: List(
      Type.Object({
        inventoryLocationId: Id({ description: 'Id of the inventory location' }),
        amount: DecimalText({ description: 'Stock at the location, as a decimal' }),
      }),
      {
        max: 10_000,
        description: 'Remaining stock, in units of stock',
      },
    ),
    product: sharedPackageFields.product,
  }),
);

// ---------------------------------------------------------------------------------------------------------
// Requests

const optionalDetails = Object.fromEntries(
  Object.entries(packageDetails).map(([field, schema]) => [field, Type.Optional(schema)]),
) as unknown as {
  readonly [Name in keyof typeof packageDetails]: Type.TOptional<(typeof packageDetails)[Name]>;
};

export const PackageDetailsBody = Type.Object(optionalDetails);

export type SentPackageDetails = Static<typeof PackageDetailsBody>;

const multiplier = DecimalText({
  sign: 'positive',
  wholeDigitsMax: 6,
  decimalsMax: 12,
  description:
    'Units of stock in one unit of the package. Mass and volume convert by themselves (a pound is 453.59237 grams); pieces are 1 by default. Required between kinds, for example grams in a piece',
});

/** D86: a digit too many is stock that is not there. */
export const confirmExcess = Type.Optional(
  Flag({
    description: 'That more than the package was announced with is meant. Without it, that is refused',
  }),
);

/** A package that a reception creates, or adds to if the label exists. */
export const ReceivedPackageBody = Type.Object({
  label: PackageLabel(),
  unit: Type.Optional(
    NonBlankText({
      max: 50,
      description: `The unit of \`amount\` and of a new package: ${packageUnitNames.join(', ')}, or a usual spelling. Default: Grams or Each, by the product`,
    }),
  ),
  multiplier: Type.Optional(multiplier),
  ...optionalDetails,
});

/** What is received of a package: its content, where it goes, and what it cost. */
const received = {
  productId: Id(),
  productOptionId: Type.Optional(
    Nullable(Id({ description: 'Required if stock is kept per option, and only then' })),
  ),
  inventoryLocationId: Id(),
  multiplier: Type.Optional(multiplier),
  costPerUnit: DecimalText({ wholeDigitsMax: 9, description: 'Dollars per unit of stock' }),
};

export const CreatePackageBody = Type.Object({
  label: PackageLabel(),
  unit: NonBlankText({
    max: 50,
    description: `${packageUnitNames.join(', ')}, or a usual spelling such as \`lb\``,
  }),
  initialAmount: DecimalText({ sign: 'positive', description: 'The content, in its own unit' }),
  reception: Type.Optional(
    Type.Object(received, {
      description: 'The package is here: all of it is received with the same request',
    }),
  ),
  ...optionalDetails,
});

export const ReceivePackageBody = Type.Object({
  ...received,
  amount: DecimalText({ sign: 'positive', wholeDigitsMax: 9, description: 'In `unit`' }),
  unit: Type.Optional(
    NonBlankText({
      max: 50,
      description: "The unit of `amount`, of the kind of the package's. Default: its unit",
    }),
  ),
  confirmExcess,
});

export const VoidPackageBody = Type.Object({ reason: NonBlankText({ max: 500 }) });

export const RejectPackageBody = Type.Object({
  reason: NonBlankText({ max: 500, description: 'Why it goes back to the shipper' }),
});

export const PackageParams = Type.Object({ packageId: Id() });

// ---------------------------------------------------------------------------------------------------------
// Examples

export const packageExample = {
  id: 2601,
  organizationId: 1001,
  productOptionId: 2201,
  type: 'metrc',
  externalId: '771204',
  externalProductName: 'Moonlit Grove 3.5 g',
  label: '1A4FF0000000000000000001',
  status: 'received',
  initialAmount: '48',
  unit: 'Each',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-10T18:00:00.123456Z',
  receivedAt: '2026-03-01T17:05:09.123Z',
  finishedAt: null,
  multiplier: '1',
  expirationDate: '2027-01-31',
  transferredAt: null,
  transferReturnedAt: null,
  shippedAt: null,
  costPerUnit: '11.25',
  voidReason: null,
  thcPercent: '21.5',
  thcMg: null,
  cbdPercent: '0.1',
  cbdMg: null,
  producerName: 'Fernweh Farms',
  producerLicense: 'CCL18-0000123',
  harvestDate: '2026-01-18',
  harvestFacilityName: 'Fernweh Farms',
  harvestFacilityLicense: 'CCL18-0000123',
  labName: 'Cedar Ridge Labs',
  labLicense: 'C8-0000041-LIC',
  labDate: '2026-02-12',
  certificateUrl: 'https://cedarridgelabs.example/coa/771204.pdf',
  onHold: false,
  holdReason: null,
  tradeSample: false,
  originalSourceLabel: null,
  locationInventory: [{ inventoryLocationId: 2401, amount: '36' }],
  product: packagedProductExample,
} as const;

export const createPackageExample = {
  label: '1A4FF0000000000000000009',
  unit: 'Each',
  initialAmount: '48',
  externalProductName: 'Moonlit Grove 3.5 g',
  expirationDate: '2027-01-31',
  thcPercent: '21.5',
  labName: 'Cedar Ridge Labs',
  labDate: '2026-02-12',
} as const;
