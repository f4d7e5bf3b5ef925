import { type Json, type JsonRow, membersOf, minus, plus, sumOf } from './json-rows.ts';
import { contentMembers, unitMembers } from './printed-stock.ts';
import { anyOf, type Sent } from './request-members.ts';
import { checkBuyer } from './sale-rules.ts';
import { lineShape, moveStock, printLine, soldLines } from './sold-lines.ts';
import type { CarriedStock, Ledger, LedgerStop, SoldLine } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import { type Call, eachOf, listed, ownObject, type Route, seenObject } from './state-route.ts';
import { localInstant, preciseInstant, utcInstant } from './state-times.ts';
import type { StateWorld } from './state-world.ts';
import { stateWord } from './trip-desk.ts';

/* Ledgers of couriers: planned stops and spare stock, recorded before the courier leaves. Texts are invented. */

const stopShape = {
  Id: 'int',
  SalesDateTime: 'text',
  SalesCustomerType: 'text!',
  PatientLicenseNumber: 'text',
  ConsumerId: 'text',
  DriverEmployeeId: 'any',
  DriverName: 'text',
  DriversLicenseNumber: 'text',
  PhoneNumberForQuestions: 'text',
  VehicleMake: 'text',
  VehicleModel: 'text',
  VehicleLicensePlateNumber: 'text',
  RecipientName: 'text',
  RecipientAddressStreet1: 'text',
  RecipientAddressStreet2: 'text',
  RecipientAddressCity: 'text',
  RecipientAddressCounty: 'text',
  RecipientAddressState: 'text',
  RecipientAddressPostalCode: 'text',
  RecipientZoneId: 'any',
  PlannedRoute: 'text',
  EstimatedDepartureDateTime: 'text',
  EstimatedArrivalDateTime: 'text',
  Transactions: anyOf(lineShape),
} as const;

const stockShape = {
  PackageLabel: 'text!',
  Quantity: 'quantity!',
  UnitOfMeasure: 'text!',
  TotalPrice: 'money',
  DateTime: 'text',
  RemoveCurrentPackage: 'flag',
} as const;

const ledgerShape = {
  Id: 'int',
  DateTime: 'wall!',
  DriverEmployeeId: 'any',
  DriverName: 'text!',
  DriversLicenseNumber: 'text!',
  PhoneNumberForQuestions: 'text',
  VehicleMake: 'text!',
  VehicleModel: 'text!',
  VehicleLicensePlateNumber: 'text!',
  EstimatedDepartureDateTime: 'wall!',
  Destinations: anyOf(stopShape),
  Packages: anyOf(stockShape),
} as const;

const onLedger = { RetailerDeliveryId: 'int!' } as const;

const restockShape = {
  RetailerDeliveryId: 'int!',
  DateTime: 'wall!',
  EstimatedDepartureDateTime: 'text',
  Destinations: anyOf(stopShape),
  Packages: anyOf(stockShape),
} as const;

const unplannedShape = { ...stopShape, RetailerDeliveryId: 'int!' } as const;

const endShape = {
  RetailerDeliveryId: 'int!',
  ActualArrivalDateTime: 'wall!',
  Packages: anyOf({ Label: 'text!', EndQuantity: 'quantity!', EndUnitOfMeasure: 'text!' }),
} as const;

type SentStop = Sent<typeof stopShape>;

/** What a ledger holds, as lines that were taken from packages. */
const heldBy = (stops: readonly LedgerStop[], stock: readonly CarriedStock[]): SoldLine[] => [
  ...stops.flatMap(({ lines }) => lines),
  ...stock.map(
    ({ packageId, quantity }): SoldLine => ({
      ...{ packageId, quantity, amount: 0, codes: [], sent: {}, recordedMs: 0 },
    }),
  ),
];

function stopsOf(call: Call, sent: readonly SentStop[], carried: readonly number[] = []): LedgerStop[] {
  return sent.map((stop) => {
    const { Transactions, Id, ...rest } = stop;
    checkBuyer(call, { CaregiverLicenseNumber: null, IdentificationMethod: null, ...stop });
    const lines = soldLines(call, Transactions, { labelsDiffer: true, carried });
    return { id: Id ?? call.world.nextId(), sent: rest as JsonRow, lines };
  });
}

function stockOf(
  call: Call,
  sent: readonly Sent<typeof stockShape>[],
  carried: readonly number[],
): CarriedStock[] {
  const lines = soldLines(
    call,
    sent.map((it) => ({ ...noLineMembers, ...it, TotalAmount: 0 }) as unknown as Sent<typeof lineShape>),
    { labelsDiffer: false, carried, isStock: true },
  );
  return lines.map(({ packageId, quantity }, at) => ({ packageId, quantity, price: sent[at]!.TotalPrice }));
}

const noLineMembers = membersOf('QrCodes', null);

function record(call: Call, sent: Sent<typeof ledgerShape>): number {
  const { world, facility, user } = call;
  const { Destinations, Packages, ...rest } = sent;
  const stops = stopsOf(call, Destinations);
  const stock = stockOf(call, Packages, []);
  moveStock(world, [], heldBy(stops, stock));
  return world.ledgers.put({
    ...{ id: world.nextId(), license: facility.license, sent: rest as JsonRow, stops, stock },
    ...{ state: 'Recorded', leg: 1, departedMs: null, restockedAt: null, arrivedAt: null },
    ...{ completedMs: null, voidedDate: null, recordedMs: world.nowMs(), recordedBy: user.name },
  }).id;
}

/** A ledger in one of these states: the order of the steps is enforced. Fails with a RefusedRow. */
function ledgerIn(
  { world, facility }: Call,
  id: number | null,
  ...states: readonly Ledger['state'][]
): Ledger {
  const found = id === null ? undefined : world.ledgers.byId(id);
  if (found === undefined || found.license !== facility.license) {
    throw new RefusedRow(`Retailer Delivery ${id} does not exist in the current Facility.`);
  }
  if (states.includes(found.state)) return found;
  throw new RefusedRow(`Retailer Delivery ${id} is ${found.state.toLowerCase()}.`);
}

function replace(call: Call, sent: Sent<typeof ledgerShape>): number {
  const { world } = call;
  const before = ledgerIn(call, sent.Id, 'Recorded');
  const { Destinations, Packages, ...rest } = sent;
  moveStock(world, heldBy(before.stops, before.stock), []);
  // What it held itself does not block it.
  world.ledgers.change(before.id, { stops: [], stock: [] });
  const stops = stopsOf(call, Destinations);
  const stock = stockOf(call, Packages, []);
  moveStock(world, [], heldBy(stops, stock));
  return world.ledgers.change(before.id, { sent: rest as JsonRow, stops, stock }).id;
}

function depart(call: Call, id: number): undefined {
  const it = ledgerIn(call, id, 'Recorded');
  call.world.ledgers.change(it.id, { state: 'Departed', departedMs: call.world.nowMs() });
  return undefined;
}

function restock(call: Call, sent: Sent<typeof restockShape>): number {
  const { world } = call;
  const it = ledgerIn(call, sent.RetailerDeliveryId, 'Departed');
  const removed = sent.Packages.filter(({ RemoveCurrentPackage }) => RemoveCurrentPackage === true).map(
    ({ PackageLabel }) => PackageLabel,
  );
  const isRemoved = ({ packageId }: CarriedStock) =>
    removed.includes(world.packages.byId(packageId)?.label ?? '');
  const added = sent.Packages.filter(({ RemoveCurrentPackage }) => RemoveCurrentPackage !== true);
  const carried = it.stock.map(({ packageId }) => packageId);
  const stock = stockOf(call, added, carried);
  const stops = stopsOf(call, sent.Destinations, carried);
  moveStock(world, heldBy([], it.stock.filter(isRemoved)), heldBy(stops, stock));
  return world.ledgers.change(it.id, {
    ...{ stops: [...it.stops, ...stops], stock: [...it.stock.filter((one) => !isRemoved(one)), ...stock] },
    ...{ restockedAt: sent.DateTime, leg: it.leg + 1 },
  }).id;
}

/** A sale from the spare stock, which has left its package already. */
function sellUnplanned(call: Call, sent: Sent<typeof unplannedShape>): number {
  const { world } = call;
  const it = ledgerIn(call, sent.RetailerDeliveryId, 'Departed');
  const { Transactions, RetailerDeliveryId: _, Id: __, ...rest } = sent;
  checkBuyer(call, { CaregiverLicenseNumber: null, IdentificationMethod: null, ...sent });
  const carried = it.stock.map(({ packageId }) => packageId);
  const lines = soldLines(call, Transactions, { labelsDiffer: true, carried });
  const stock = lines.reduce((left, line) => lessCarried(world, left, line), it.stock);
  const stop = { id: world.nextId(), sent: rest as JsonRow, lines };
  world.ledgers.change(it.id, { stops: [...it.stops, stop], stock });
  return stop.id;
}

/** What is carried without some of it. Fails with a RefusedRow if less is carried. */
function lessCarried(
  world: StateWorld,
  stock: readonly CarriedStock[],
  { packageId, quantity }: { readonly packageId: number; readonly quantity: number },
): CarriedStock[] {
  const carried = sumOf(stock.filter((it) => it.packageId === packageId).map((it) => it.quantity));
  if (carried < quantity) {
    throw new RefusedRow(`Package ${world.packages.byId(packageId)?.label} is not carried in this quantity.`);
  }
  let left = quantity;
  return stock.map((it) => {
    if (it.packageId !== packageId) return it;
    const taken = Math.min(left, it.quantity);
    left = minus(left, taken);
    return { ...it, quantity: minus(it.quantity, taken) };
  });
}

/** What comes back unsold goes into its package again. */
function end(call: Call, sent: Sent<typeof endShape>): number {
  const { world, facility } = call;
  const it = ledgerIn(call, sent.RetailerDeliveryId, 'Departed');
  const back = sent.Packages.map(({ Label, EndQuantity }) => {
    const from = world.packageByLabel(Label, facility.license);
    if (from === undefined) throw new RefusedRow(`Package ${Label} does not exist in the current Facility.`);
    return { packageId: from.id, quantity: EndQuantity, price: null };
  });
  back.reduce((left, one) => lessCarried(world, left, one), it.stock as CarriedStock[]);
  moveStock(world, heldBy([], back), []);
  return world.ledgers.change(it.id, {
    ...{ state: 'Completed', arrivedAt: sent.ActualArrivalDateTime, completedMs: world.nowMs() },
  }).id;
}

function deleteLedger(call: Call): undefined {
  const own = ownObject(call, call.world.ledgers);
  voidLedger(call.world, ledgerIn(call, own.id, 'Recorded', 'Departed'));
  return undefined;
}

/** Voids a ledger: what it holds goes back into the packages. Of one that is over, what was not sold is there already. */
export function voidLedger(world: StateWorld, it: Ledger): void {
  moveStock(world, heldBy(it.stops, it.state === 'Completed' ? [] : it.stock), []);
  const facility = world.facility(it.license)!;
  world.ledgers.change(it.id, { state: 'Voided', voidedDate: world.todayAt(facility) });
}

function printStop(world: StateWorld, it: Ledger, stop: LedgerStop): Json {
  const { PhoneNumberForQuestions: _, ...sent } = stop.sent;
  const word = stateWord(world, it.state);
  return {
    ...sent,
    ...{ Id: stop.id, FacilityLicenseNumber: it.license, SalesDeliveryState: word },
    TotalPackages: stop.lines.length,
    TotalPrice: sumOf(stop.lines.map(({ amount }) => amount)),
    Transactions: stop.lines.map((line) =>
      printLine(world, line, { by: it.recordedBy, archivedDate: it.voidedDate, state: word }),
    ),
  };
}

const stockTemplate = membersOf(contentMembers.replaceAll(/\b(Unit|Serving)/g, 'Item$1'), null);

function printStock(world: StateWorld, it: Ledger, { packageId, quantity, price }: CarriedStock): Json {
  const from = world.packages.byId(packageId);
  const item = from && world.items.byId(from.itemId);
  return {
    ...stockTemplate,
    ...{ PackageId: packageId, PackageLabel: from?.label ?? null, ProductName: item?.name ?? null },
    ...{
      ProductCategoryName: item?.category ?? null,
      ItemStrainName: item?.strain ?? null,
      Quantity: quantity,
    },
    ...unitMembers(from?.unit ?? ''),
    ...{ TotalPrice: price, RetailerDeliveryState: stateWord(world, it.state), ArchivedDate: it.voidedDate },
    ...{ RecordedDateTime: utcInstant(it.recordedMs), RecordedByUserName: it.recordedBy },
    ...{ CompletedDateTime: null, LastModified: utcInstant(it.recordedMs) },
    ...{ IsOnInvestigationHold: false, IsOnRecall: from?.isOnRecall ?? null, IsOnInvestigationRecall: false },
    IsOnRecallCombined: from?.isOnRecall === true,
  };
}

function printLedger(world: StateWorld, it: Ledger, changed: number, isFull: boolean): Json {
  const facility = world.facility(it.license);
  const at = (ms: number | null) => (ms === null ? null : localInstant(ms, facility?.zone ?? 'UTC'));
  const { Id: _, PhoneNumberForQuestions: __, ...sent } = it.sent;
  const sold = sumOf(it.stops.flatMap(({ lines }) => lines.map(({ amount }) => amount)));
  const spare = sumOf(it.stock.map(({ price }) => price ?? 0));
  return {
    ...sent,
    ...{ Id: it.id, RetailerDeliveryNumber: String(it.id).padStart(10, '0') },
    ...{ FacilityLicenseNumber: it.license, FacilityName: facility?.name ?? null, Direction: 'Undesignated' },
    VehicleInfo: `${sent.VehicleMake} ${sent.VehicleModel} ${sent.VehicleLicensePlateNumber}`,
    ...{ ActualDepartureDateTime: at(it.departedMs), RestockDateTime: it.restockedAt },
    TotalPackages: heldBy(it.stops, it.stock).length,
    ...{ TotalPrice: plus(sold, spare), TotalPriceSold: sold, AcceptedDateTime: null },
    Destinations: isFull ? it.stops.map((stop) => printStop(world, it, stop)) : [],
    ...{ CompletedDateTime: at(it.completedMs), RetailerDeliveryState: stateWord(world, it.state) },
    ...{ AllowFullEdit: it.state === 'Recorded', Leg: it.leg, VoidedDate: it.voidedDate },
    ...{ RecordedDateTime: utcInstant(it.recordedMs), RecordedByUserName: it.recordedBy },
    LastModified: preciseInstant(changed),
    Packages: isFull ? it.stock.map((one) => printStock(world, it, one)) : [],
  };
}

const rows = (call: Call, isActive: boolean) =>
  listed(
    call,
    call.world.ledgers,
    (it, changed) => printLedger(call.world, it, changed, false),
    ({ state }) => (state === 'Recorded' || state === 'Departed') === isActive,
  );

const writing = { rights: ['Manage Retailer Delivery'], flags: ['RetailerDelivery'] } as const;
const reading = {
  rights: ['View Retailer Delivery', 'Manage Retailer Delivery'],
  flags: ['RetailerDelivery'],
} as const;
const path = '/sales/v2/deliveries/retailer';

export const ledgerRoutes: readonly Route[] = [
  { ...writing, at: `POST ${path}`, each: eachOf(ledgerShape, record), answers: 'ids' },
  { ...writing, at: `PUT ${path}`, each: eachOf(ledgerShape, replace), answers: 'ids' },
  {
    ...writing,
    at: `POST ${path}/depart`,
    each: eachOf(onLedger, (call, sent) => depart(call, sent.RetailerDeliveryId)),
    answers: 'nothing',
  },
  { ...writing, at: `POST ${path}/restock`, each: eachOf(restockShape, restock), answers: 'ids' },
  { ...writing, at: `POST ${path}/sale`, each: eachOf(unplannedShape, sellUnplanned), answers: 'ids' },
  { ...writing, at: `POST ${path}/end`, each: eachOf(endShape, end), answers: 'ids' },
  { ...writing, at: `DELETE ${path}/{id}`, act: deleteLedger },
  { ...reading, at: `GET ${path}/active`, window: 'sales', list: (call) => rows(call, true) },
  { ...reading, at: `GET ${path}/inactive`, window: 'sales', list: (call) => rows(call, false) },
  {
    ...reading,
    at: `GET ${path}/{id}`,
    license: 'optional',
    read: (call) => {
      const { value, changed } = seenObject(call, call.world.ledgers);
      return printLedger(call.world, value, changed, true);
    },
  },
];
