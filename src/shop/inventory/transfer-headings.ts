import { failure } from '../../kernel/failure.ts';
import type { TransferColumn } from './transfer-rows.ts';

/*
 * The headings of transfers: ours, and those that the state systems' interfaces and files write (ShippedQuantity,
 * PackageLabel, UOM). They match without case, spaces and signs.
 */

const headings: Readonly<Record<TransferColumn, string>> = {
  manifestNumber:
    'manifestnumber manifest manifestno manifestid externalmanifestidentifier receivedfrommanifestnumber',
  transferExternalId: 'transferexternalid transferid deliveryid',
  shipperName:
    'shippername shipperfacilityname shipper originlicenseename originfacilityname fromfacilityname receivedfromfacilityname',
  shipperLicenseNumber:
    'shipperlicensenumber shipperfacilitylicensenumber shipperlicense originlicensenumber fromlicensenumber receivedfromfacilitylicensenumber',
  label:
    'label packagelabel package packagetag tag tagnumber metrctag inventoryexternalidentifier frominventoryexternalidentifier',
  externalId: 'externalid packageid externalidentifier',
  externalProductName: 'externalproductname itemname productname item product description',
  initialAmount: 'initialamount shippedquantity shippedqty shpdquantity quantity qty amount',
  unit: 'unit shippedunitofmeasurename shippedunitofmeasureabbreviation shippedunitofmeasure unitofmeasurename unitofmeasureabbreviation unitofmeasure uom',
  expirationDate: 'expirationdate expiration expirydate expdate expires',
  onHold: 'onhold isonhold',
  tradeSample: 'tradesample istradesample',
  shipmentState: 'shipmentstate shipmentpackagestate shipmentpackagestatename',
};

const fieldOf = new Map(
  Object.entries(headings).flatMap(([field, names]) =>
    names.split(' ').map((name, rank) => [name, { field: field as TransferColumn, rank }] as const),
  ),
);

/** What the states write besides: it is read over. A heading that begins like this belongs to it, too. */
const otherStarts =
  /^(item|lab|source|gross|received|receiver|recipient|driver|vehicle|transporter|planned|estimated|actual|production|product(requires|label)|contains|created|updated|lastmodified|islab|isdonation|istesting|isvoided|isfinished|weightperunit|servingsperunit|operation|packagetype|packagedate|packageddate|sellbydate|usebydate|shipment|shipperwholesaleprice|delivery|plantexternal|processing|remediation|decontamination|invoice|wholesale|name$|id$)/;

/** A heading without case, spaces and signs: `Manifest #` is `manifest`. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Which headings of a file are which fields, as its sender says: null reads over one. */
export type HeadingMapping = Readonly<Record<string, TransferColumn | null>>;

const headingLengthMax = 200;
const headingsMax = 200;

/** Checks a sent mapping. Fails with INVALID_PARAMS. */
export function readHeadingMapping(
  sent: Readonly<Record<string, unknown>>,
  fields: readonly TransferColumn[],
): HeadingMapping {
  const entries = Object.entries(sent);
  if (entries.length > headingsMax) {
    throw failure('INVALID_PARAMS', `mapping must have at most ${headingsMax} headings.`);
  }
  for (const [heading, field] of entries) {
    if (heading.length > headingLengthMax) {
      throw failure(
        'INVALID_PARAMS',
        `mapping: a heading must be at most ${headingLengthMax} characters long.`,
      );
    }
    if (field === null || (typeof field === 'string' && (fields as readonly string[]).includes(field)))
      continue;
    throw failure('INVALID_PARAMS', `mapping["${heading}"] must be null or one of ${fields.join(', ')}.`);
  }
  return Object.fromEntries(
    entries.map(([heading, field]) => [plainHeading(heading), field]),
  ) as HeadingMapping;
}

/** The field of a heading; null: it is read over; undefined: it is not known. */
export function fieldOfHeading(
  heading: string,
  mapping: HeadingMapping,
): { readonly field: TransferColumn; readonly rank: number } | null | undefined {
  const plain = plainHeading(heading);
  if (Object.hasOwn(mapping, plain)) {
    const field = mapping[plain]!;
    return field === null ? null : { field, rank: -1 };
  }
  return fieldOf.get(plain) ?? (otherStarts.test(plain) ? null : undefined);
}
