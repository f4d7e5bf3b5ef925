import type { JsonRow } from './json-rows.ts';
import type { Kept } from './versioned-shelf.ts';

/* What the state's system keeps. Replies have many more members: those that nothing here changes stand in templates. */

/** Members that a person or a seed set directly; they win over those that are computed. */
interface Overlaid {
  readonly extra: JsonRow;
}

export interface Facility {
  readonly id: number;
  readonly license: string;
  readonly name: string;
  /** Two capital letters. */
  readonly state: string;
  /** Time zone, such as America/Los_Angeles. */
  readonly zone: string;
  readonly licenseType: string;
  readonly flags: JsonRow;
}

export interface UserKey {
  readonly key: string;
  readonly name: string;
  readonly licenses: readonly string[];
  /** Null: every right. */
  readonly rights: readonly string[] | null;
}

export interface VendorKey {
  readonly key: string;
  /** By the state, for production. */
  readonly isApproved: boolean;
  readonly rights: readonly string[] | null;
}

export interface Item extends Kept, Overlaid {
  readonly name: string;
  readonly category: string;
  readonly unit: string;
  readonly strain: string | null;
  readonly brand: string | null;
  readonly isActive: boolean;
}

export interface Place extends Kept {
  readonly name: string;
  readonly typeName: string;
  readonly isActive: boolean;
}

/** How a package came to its license by a transfer. */
export interface Reception {
  readonly atMs: number;
  readonly manifest: string;
  readonly fromLicense: string;
  readonly fromName: string;
}

export interface StatePackage extends Kept, Overlaid {
  readonly label: string;
  readonly itemId: number;
  readonly quantity: number;
  readonly originalQuantity: number;
  readonly unit: string;
  readonly placeId: number | null;
  readonly packagedDate: string;
  readonly labState: string;
  readonly note: string;
  readonly externalId: string;
  readonly sourceLabels: readonly string[];
  readonly isOnHold: boolean;
  readonly isOnRecall: boolean | null;
  /** Discontinued. */
  readonly archivedDate: string | null;
  readonly finishedDate: string | null;
  /** Shipped by its license, and not yet accepted or rejected. */
  readonly isInTransit: boolean;
  /** Sold, adjusted or sent: it can no longer be discontinued. */
  readonly isUsed: boolean;
  readonly reception: Reception | null;
  /** Codes of its units. */
  readonly codes: readonly string[];
  readonly soldCodes: readonly string[];
}

/** What was taken from a package, and at what price. */
export interface SoldLine {
  readonly packageId: number;
  /** In the unit of the package. */
  readonly quantity: number;
  readonly amount: number;
  readonly codes: readonly string[];
  /** The optional members of the line, as they were sent. */
  readonly sent: JsonRow;
  readonly recordedMs: number;
}

export interface Receipt extends Kept, Overlaid {
  readonly external: string | null;
  /** Wall time of the facility, as it was sent. */
  readonly soldAt: string;
  readonly customerType: string;
  readonly patient: string | null;
  readonly caregiver: string | null;
  readonly identification: string | null;
  readonly registrationPlaceId: number | null;
  readonly lines: readonly SoldLine[];
  readonly isFinal: boolean;
  readonly voidedDate: string | null;
  readonly recordedMs: number;
  readonly recordedBy: string;
}

export interface Delivery extends Kept {
  /** As it was sent, without the lines. */
  readonly sent: JsonRow;
  readonly lines: readonly SoldLine[];
  readonly state: 'InProgress' | 'Completed' | 'Voided';
  readonly arrivedAt: string | null;
  readonly completedMs: number | null;
  readonly voidedDate: string | null;
  readonly recordedMs: number;
  readonly recordedBy: string;
}

export interface LedgerStop {
  readonly id: number;
  readonly sent: JsonRow;
  readonly lines: readonly SoldLine[];
}

/** Stock that a courier carries. */
export interface CarriedStock {
  readonly packageId: number;
  readonly quantity: number;
  readonly price: number | null;
}

export interface Ledger extends Kept {
  readonly sent: JsonRow;
  readonly stops: readonly LedgerStop[];
  readonly stock: readonly CarriedStock[];
  readonly state: 'Recorded' | 'Departed' | 'Completed' | 'Voided';
  readonly leg: number;
  readonly departedMs: number | null;
  readonly restockedAt: string | null;
  readonly arrivedAt: string | null;
  readonly completedMs: number | null;
  readonly voidedDate: string | null;
  readonly recordedMs: number;
  readonly recordedBy: string;
}

export interface Adjustment extends Kept {
  readonly packageId: number;
  readonly difference: number;
  readonly total: number;
  /** Whether a total was sent, not a difference. */
  readonly setsTotal: boolean;
  readonly reason: string;
  readonly note: string;
  readonly date: string;
  readonly by: string;
}

export interface ShippedPackage {
  readonly packageId: number;
  readonly label: string;
  readonly itemId: number;
  readonly quantity: number;
  readonly unit: string;
  readonly state: 'Shipped' | 'Accepted' | 'Rejected' | 'Returned';
  readonly received: number | null;
  readonly shipperPrice: number | null;
  readonly receiverPrice: number | null;
}

/** A transfer with one delivery. Its license is that of the recipient; the shipper sees it as outgoing. */
export interface Transfer extends Kept, Overlaid {
  readonly deliveryId: number;
  readonly manifest: string;
  readonly shipperLicense: string;
  readonly shipperName: string;
  readonly typeName: string;
  readonly packages: readonly ShippedPackage[];
  readonly isVoided: boolean;
  readonly isRejected: boolean;
  readonly createdMs: number;
  readonly receivedMs: number | null;
}

export interface LabResult extends Kept {
  readonly packageId: number;
  readonly testType: string;
  readonly passed: boolean;
  readonly level: number;
  readonly performedDate: string;
  readonly releasedMs: number | null;
  readonly revokedDate: string | null;
}

export interface PatientLimit {
  readonly registration: string;
  /** Ounces that may be bought in `days`. */
  readonly ounces: number;
  readonly days: number;
}

export interface Patient extends Kept {
  readonly number: string;
  readonly effectiveFrom: string;
  readonly effectiveUntil: string;
  readonly isActive: boolean;
  /** Each is a limit of its own. */
  readonly limits: readonly PatientLimit[];
  readonly isMember: boolean;
  readonly sent: JsonRow;
}

export interface CheckIn extends Kept {
  readonly sent: JsonRow;
}

export interface Tag extends Kept {
  readonly label: string;
  readonly isUsed: boolean;
}

export interface Caregiver {
  readonly number: string;
  readonly patients: readonly string[];
}

export interface Subscription extends Kept {
  readonly vendor: string;
  readonly objectType: string;
  readonly url: string;
  readonly verb: string;
  readonly status: string;
  readonly template: string;
  readonly errorTemplate: string;
  readonly userKey: string;
  readonly licenses: readonly string[];
}
