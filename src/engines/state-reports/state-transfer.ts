import { decimal } from '../../kernel/decimal.ts';
import { memberOf, textMember } from './json-members.ts';
import { isoMember } from './state-package.ts';

/** A transfer on its way to a license, or received there, as the state shows it. */
export interface StateTransfer {
  readonly id: number;
  readonly manifestNumber: string;
  /** By which its packages are read. */
  readonly deliveryId: number;
  readonly shipperName: string;
  readonly shipperLicense: string;
  readonly isVoided: boolean;
  readonly receivedAt: string | null;
}

/** Reads a row of the incoming transfers; null: it is none. */
export function readStateTransfer(value: unknown): StateTransfer | null {
  const [id, deliveryId] = [memberOf(value, 'Id'), memberOf(value, 'DeliveryId')];
  const manifestNumber = textMember(value, 'ManifestNumber');
  const shipperLicense = textMember(value, 'ShipperFacilityLicenseNumber');
  if (typeof id !== 'number' || typeof deliveryId !== 'number') return null;
  if (manifestNumber === null || shipperLicense === null) return null;
  return {
    ...{ id, manifestNumber, deliveryId, shipperLicense },
    shipperName: textMember(value, 'ShipperFacilityName') ?? shipperLicense,
    isVoided: memberOf(value, 'IsVoided') === true,
    receivedAt: isoMember(value, 'ReceivedDateTime'),
  };
}

/** A package of a transfer. */
export interface ShippedPackage {
  readonly id: number | null;
  readonly label: string;
  readonly item: string | null;
  readonly category: string | null;
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
  readonly state: 'Shipped' | 'Accepted' | 'Rejected' | 'Returned';
  readonly labState: string | null;
  readonly expirationDate: string | null;
  readonly isTradeSample: boolean;
}

const shipmentStates = ['Shipped', 'Accepted', 'Rejected', 'Returned'] as const;

/** Reads a row of a delivery's packages; null: it is none. */
export function readShippedPackage(value: unknown): ShippedPackage | null {
  const label = textMember(value, 'PackageLabel');
  const quantity = memberOf(value, 'ShippedQuantity');
  const unit = textMember(value, 'ShippedUnitOfMeasureName');
  const state = shipmentStates.find((it) => it === textMember(value, 'ShipmentPackageState'));
  if (label === null || typeof quantity !== 'number' || unit === null || state === undefined) return null;
  const id = memberOf(value, 'PackageId');
  const expires = textMember(value, 'ExpirationDate');
  return {
    ...{ id: typeof id === 'number' ? id : null, label, unit, state },
    ...{ item: textMember(value, 'ItemName'), category: textMember(value, 'ItemCategoryName') },
    quantity: decimal(quantity).toFixed(),
    labState: textMember(value, 'LabTestingState'),
    expirationDate: expires === null || expires.startsWith('0001-') ? null : expires.slice(0, 10),
    isTradeSample: memberOf(value, 'IsTradeSample') === true,
  };
}

/** The price of all of a package that a shipper asks for, in cents, by label; null: the row has none. */
export function readWholesale(value: unknown): { readonly label: string; readonly cents: number } | null {
  const label = textMember(value, 'PackageLabel');
  const price = memberOf(value, 'ReceiverWholesalePrice') ?? memberOf(value, 'ShipperWholesalePrice');
  if (label === null || typeof price !== 'number' || !(price >= 0)) return null;
  return { label, cents: decimal(price).times(100).round(0, 1).toNumber() };
}
