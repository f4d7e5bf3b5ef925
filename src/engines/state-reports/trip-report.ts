import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { memberOf, textMember } from './json-members.ts';
import { dollars, linesText, type ReceiptContent, type ReceiptLine } from './receipt-of-sale.ts';

/* What the state is told of trips with deliveries, and what it shows of them. Nothing here calls it. */

/** How a license reports trips: by a ledger of all that a vehicle carries, or each delivery for itself. */
export type TripWay = 'ledger' | 'each';

/** How a license reports its trips, by the flags of the state; null: it does not, and its sales are receipts. */
export function tripWayOf(flags: Readonly<Record<string, unknown>>): TripWay | null {
  if (flags.RetailerDelivery === true) return 'ledger';
  const delivers = flags.CanDeliverSalesToConsumers === true || flags.CanDeliverSalesToPatients === true;
  return delivers ? 'each' : null;
}

/** Where the state has trips that are reported so. */
export const tripPathOf = (way: TripWay) => `/sales/v2/deliveries${way === 'ledger' ? '/retailer' : ''}`;

/** What a report of a trip tells. Times are wall times of the shop; people are looked up when it is sent. */
export interface TripContent extends ReceiptContent {
  readonly way: TripWay;
  /** When it leaves, and when it is at its stop, as planned. */
  readonly departsAt: string;
  readonly arrivesAt: string;
  /** What comes back: of a stop, or at the end of a ledger. */
  readonly back: readonly ReceiptLine[];
}

/** Who drives what, and to whom. */
export interface TripPeople {
  readonly driver: {
    readonly name: string;
    readonly licenseNumber: string | null;
    readonly employeeNumber: string | null;
    /** That of the driver, or of the shop. */
    readonly phone: string;
  };
  readonly vehicle: { readonly make: string; readonly model: string; readonly licensePlate: string };
  /** Null: a whole trip has none. */
  readonly recipient: {
    readonly name: string;
    readonly street1: string | null;
    readonly street2: string | null;
    readonly city: string | null;
    readonly state: string | null;
    readonly postalCode: string | null;
  } | null;
}

/** Lines together: one for each label, in the order of labels. */
export function linesTogether(lines: readonly ReceiptLine[]): ReceiptLine[] {
  const sums = new Map<string, ReceiptLine>();
  for (const line of lines) {
    const sum = sums.get(line.label);
    const quantity = decimalText(decimal(line.quantity).plus(sum?.quantity ?? zero));
    sums.set(line.label, { ...line, quantity, amountCents: line.amountCents + (sum?.amountCents ?? 0) });
  }
  return [...sums.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

/** What is left of lines after others; quantities of zero are left out, and amounts are those of the share that is left. */
export function linesWithout(lines: readonly ReceiptLine[], others: readonly ReceiptLine[]): ReceiptLine[] {
  const taken = new Map<string, Decimal>();
  for (const { label, quantity } of others) taken.set(label, (taken.get(label) ?? zero).plus(quantity));
  return lines.flatMap((line) => {
    const left = decimal(line.quantity).minus(taken.get(line.label) ?? zero);
    if (left.lte(zero)) return [];
    const amountCents = left.times(line.amountCents).div(line.quantity).round(0, 1).toNumber();
    return [{ ...line, quantity: decimalText(left), amountCents }];
  });
}

/** A body of one object; the last members are texts already, because numbers are exact decimal texts. */
const body = (members: object, rest: Readonly<Record<string, string>> = {}) => {
  const texts = Object.entries(rest).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const head = JSON.stringify(members).slice(1, -1);
  return `[{${[...(head === '' ? [] : [head]), ...texts].join(',')}}]`;
};

const driverMembers = ({ driver, vehicle }: TripPeople) => ({
  ...{ DriverEmployeeId: driver.employeeNumber, DriverName: driver.name },
  ...{ DriversLicenseNumber: driver.licenseNumber, PhoneNumberForQuestions: driver.phone },
  ...{ VehicleMake: vehicle.make, VehicleModel: vehicle.model },
  VehicleLicensePlateNumber: vehicle.licensePlate,
});

/** What the flags of the state let a recipient's members say. */
function recipientMembers({ recipient }: TripPeople, flags: Readonly<Record<string, unknown>>) {
  const allowed = (flag: string, value: string | null | undefined) =>
    flags[flag] === true ? (value ?? null) : null;
  return {
    ...{ RecipientName: recipient?.name ?? null, RecipientZoneId: null, ConsumerId: null },
    RecipientAddressStreet1: allowed('SalesDeliveryAllowAddress', recipient?.street1),
    RecipientAddressStreet2: allowed('SalesDeliveryAllowAddress', recipient?.street2),
    RecipientAddressCity: allowed('SalesDeliveryAllowCity', recipient?.city),
    RecipientAddressCounty: null,
    RecipientAddressState: allowed('SalesDeliveryAllowState', recipient?.state),
    RecipientAddressPostalCode: allowed('SalesDeliveryAllowZip', recipient?.postalCode),
  };
}

interface Told {
  readonly content: TripContent;
  readonly people: TripPeople;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly patientNumber: string | null;
}

const buyerMembers = ({ content, patientNumber }: Told) => ({
  ...{ SalesDateTime: content.soldAt, SalesCustomerType: content.customerType },
  ...{ PatientLicenseNumber: patientNumber, PlannedRoute: null },
  ...{ EstimatedDepartureDateTime: content.departsAt, EstimatedArrivalDateTime: content.arrivesAt },
});

/** A delivery of one order. */
export function deliveryBody(told: Told): string {
  const members = {
    ...{ TransporterFacilityLicenseNumber: null, ...buyerMembers(told), ...driverMembers(told.people) },
    ...recipientMembers(told.people, told.flags),
  };
  return body(members, { Transactions: linesText(told.content.lines) });
}

/**
 * A ledger. Everything is stock that the vehicle carries, the goods of orders, too: a stop that was planned in it cannot take less
 * than planned, and what is refused at the door could not come back.
 */
export function ledgerBody({ content, people }: Pick<Told, 'content' | 'people'>): string {
  const members = {
    ...{ DateTime: content.soldAt, ...driverMembers(people) },
    ...{ EstimatedDepartureDateTime: content.departsAt, Destinations: [] },
  };
  return body(members, { Packages: carriedText(content.lines) });
}

/** What a vehicle takes along, as JSON text. `extra`: further members of each. */
function carriedText(lines: readonly ReceiptLine[], extra = ''): string {
  const packages = lines.map(
    ({ label, quantity, unit, amountCents }) =>
      `{"PackageLabel":${JSON.stringify(label)},"Quantity":${quantity},"UnitOfMeasure":${JSON.stringify(unit)},"TotalPrice":${dollars(amountCents)}${extra}}`,
  );
  return `[${packages.join(',')}]`;
}

/** What the vehicle of a ledger takes on after it had left, beside what it still has. */
export function ledgerRestockBody(recordId: number, { soldAt, departsAt, lines }: TripContent): string {
  const members = {
    ...{ RetailerDeliveryId: recordId, DateTime: soldAt, EstimatedDepartureDateTime: departsAt },
    Destinations: [],
  };
  return body(members, { Packages: carriedText(lines, ',"RemoveCurrentPackage":false') });
}

/** That the vehicle of a ledger leaves. */
export const departureBody = (recordId: number) => body({ RetailerDeliveryId: recordId });

/** A sale of what a ledger carries. */
export function ledgerSaleBody(recordId: number, told: Told): string {
  const members = {
    ...{ RetailerDeliveryId: recordId, ...buyerMembers(told) },
    PhoneNumberForQuestions: told.people.driver.phone,
    ...recipientMembers(told.people, told.flags),
  };
  return body(members, { Transactions: linesText(told.content.lines) });
}

/** The end of a ledger, with what comes back. */
export function ledgerEndBody(recordId: number, { soldAt, back }: TripContent): string {
  const packages = back.map(
    ({ label, quantity, unit }) =>
      `{"Label":${JSON.stringify(label)},"EndQuantity":${quantity},"EndUnitOfMeasure":${JSON.stringify(unit)}}`,
  );
  return body(
    { RetailerDeliveryId: recordId, ActualArrivalDateTime: soldAt },
    { Packages: `[${packages.join(',')}]` },
  );
}

/** What became of a delivery: each label is accepted, or comes back with a reason. */
export function completionBody(
  recordId: number,
  { soldAt, lines, back }: TripContent,
  { reason, note }: { readonly reason: string | null; readonly note: string },
): string {
  const returned = new Set(back.map(({ label }) => label));
  const packages = back.map(({ label, quantity, unit }) => {
    const members = { Label: label, ReturnUnitOfMeasure: unit, ReturnReason: reason, ReturnReasonNote: note };
    return `${JSON.stringify(members).slice(0, -1)},"ReturnQuantityVerified":${quantity}}`;
  });
  const members = {
    ...{ Id: recordId, ActualArrivalDateTime: soldAt, PaymentType: null },
    AcceptedPackages: lines.flatMap(({ label }) => (returned.has(label) ? [] : [label])),
  };
  return body(members, { ReturnedPackages: `[${packages.join(',')}]` });
}

/** A trip or delivery as the state shows it. */
export interface StateTrip {
  readonly id: number;
  readonly isVoid: boolean;
  readonly isDeparted: boolean;
  readonly isCompleted: boolean;
  /** Wall time of the last restock of a ledger. */
  readonly restockedAt: string | null;
  /** Names it, with the plate: we tell each trip a moment of its own. */
  readonly at: string | null;
  readonly licensePlate: string | null;
  /** Sales at its stops; of a list, none. */
  readonly sales: readonly { readonly at: string | null; readonly lines: readonly ShownLine[] }[];
}

export interface ShownLine {
  readonly label: string;
  /** Decimal text. */
  readonly quantity: string;
}

/** Reads a row of a list, or a trip by its id; null: it is none. */
export function readStateTrip(value: unknown, way: TripWay): StateTrip | null {
  const id = memberOf(value, 'Id');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) return null;
  const stops = memberOf(value, 'Destinations');
  return {
    id,
    isVoid: isMoment(textMember(value, 'VoidedDate')),
    isDeparted: isMoment(textMember(value, 'ActualDepartureDateTime')),
    isCompleted: isMoment(textMember(value, 'CompletedDateTime')),
    restockedAt: textMember(value, 'RestockDateTime'),
    at: textMember(value, way === 'ledger' ? 'DateTime' : 'SalesDateTime'),
    licensePlate: textMember(value, 'VehicleLicensePlateNumber'),
    sales: (Array.isArray(stops) ? (stops as unknown[]) : []).map((stop) => ({
      at: textMember(stop, 'SalesDateTime'),
      lines: shownLines(memberOf(stop, 'Transactions')),
    })),
  };
}

/** What was handed over from a trip by what the state shows of it whole: at the stops of a ledger, or by a delivery. */
export function handedOver(value: unknown, way: TripWay): ShownLine[] {
  if (way === 'each') return shownLines(memberOf(value, 'Transactions'));
  return readStateTrip(value, way)?.sales.flatMap(({ lines }) => lines) ?? [];
}

/** The state writes the year 1 where it has no date. */
const isMoment = (text: string | null) => text !== null && text !== '' && !text.startsWith('0001-');

function shownLines(value: unknown): ShownLine[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((line) => {
    const label = textMember(line, 'PackageLabel');
    const quantity = memberOf(line, 'QuantitySold') ?? memberOf(line, 'Quantity');
    return label === null || typeof quantity !== 'number' ? [] : [{ label, quantity: String(quantity) }];
  });
}

/** Whether a ledger shows a sale that says what ours says. */
export function hasSale({ sales }: StateTrip, { soldAt, lines }: TripContent): boolean {
  return sales.some(
    (sale) =>
      sale.at === soldAt &&
      sale.lines.length === lines.length &&
      lines.every(({ label, quantity }) =>
        sale.lines.some((it) => it.label === label && isSameQuantity(it.quantity, quantity)),
      ),
  );
}

/** Whether a ledger has a restock of ours: they go out in their order, so that a later one says it, too. */
export const hasRestock = ({ restockedAt }: StateTrip, { soldAt }: TripContent): boolean =>
  restockedAt !== null && restockedAt >= soldAt;

/** Some systems keep three decimals: a thousandth of a gram. */
const isSameQuantity = (one: string, other: string) =>
  decimal(one).round(3, 1).eq(decimal(other).round(3, 1));
