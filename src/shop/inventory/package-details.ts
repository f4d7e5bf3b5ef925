/** The details of a package, without its stock: each field with its column. */
export const packageDetailColumns = {
  externalId: 'external_id',
  externalProductName: 'external_product_name',
  expirationDate: 'expiration_date',
  thcPercent: 'thc_percent',
  thcMg: 'thc_mg',
  cbdPercent: 'cbd_percent',
  cbdMg: 'cbd_mg',
  producerName: 'producer_name',
  producerLicense: 'producer_license',
  harvestDate: 'harvest_date',
  harvestFacilityName: 'harvest_facility_name',
  harvestFacilityLicense: 'harvest_facility_license',
  labName: 'lab_name',
  labLicense: 'lab_license',
  labDate: 'lab_date',
  certificateUrl: 'certificate_url',
  onHold: 'on_hold',
  holdReason: 'hold_reason',
  tradeSample: 'trade_sample',
  originalSourceLabel: 'original_source_label',
} as const;

type DetailName = keyof typeof packageDetailColumns;
type FlagName = 'onHold' | 'tradeSample';

export type PackageDetails = { [Name in DetailName]: Name extends FlagName ? boolean : string | null };

/** Details of a package where all are unknown. */
export const noPackageDetails: Readonly<PackageDetails> = {
  externalId: null,
  externalProductName: null,
  expirationDate: null,
  thcPercent: null,
  thcMg: null,
  cbdPercent: null,
  cbdMg: null,
  producerName: null,
  producerLicense: null,
  harvestDate: null,
  harvestFacilityName: null,
  harvestFacilityLicense: null,
  labName: null,
  labLicense: null,
  labDate: null,
  certificateUrl: null,
  onHold: false,
  holdReason: null,
  tradeSample: false,
  originalSourceLabel: null,
};

/** A row's details, by field name. */
export function packageDetailsOf(
  row: {
    readonly [Column in (typeof packageDetailColumns)[DetailName]]: string | boolean | null;
  },
): PackageDetails {
  return Object.fromEntries(
    Object.entries(packageDetailColumns).map(([name, column]) => [name, row[column]]),
  ) as unknown as PackageDetails;
}
