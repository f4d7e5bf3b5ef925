import { type Json, type JsonRow, membersOf, minus } from './json-rows.ts';
import { anyOf, type Sent, someOf } from './request-members.ts';
import { checkBuyer, saleTime } from './sale-rules.ts';
import { lineShape, moveStock, printLine, soldLines, totalsOf } from './sold-lines.ts';
import type { Delivery, SoldLine } from './state-models.ts';
import { RefusedRow, unauthorized } from './state-refusals.ts';
import { type Call, eachOf, listed, ownObject, type Route, seenObject } from './state-route.ts';
import { localInstant, preciseInstant, utcInstant } from './state-times.ts';
import { returnReasonsOf } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';

/* Deliveries of sales, one for each trip. The texts of refusals are invented. */

const deliveryShape = {
  Id: 'int',
  TransporterFacilityLicenseNumber: 'text',
  SalesDateTime: 'wall!',
  SalesCustomerType: 'text!',
  PatientLicenseNumber: 'text',
  ConsumerId: 'text',
  DriverEmployeeId: 'any',
  DriverName: 'text!',
  DriversLicenseNumber: 'text!',
  PhoneNumberForQuestions: 'text!',
  VehicleMake: 'text!',
  VehicleModel: 'text!',
  VehicleLicensePlateNumber: 'text!',
  RecipientName: 'text',
  RecipientAddressStreet1: 'text',
  RecipientAddressStreet2: 'text',
  RecipientAddressCity: 'text',
  RecipientAddressCounty: 'text',
  RecipientAddressState: 'text',
  RecipientAddressPostalCode: 'text',
  RecipientZoneId: 'any',
  PlannedRoute: 'text',
  EstimatedDepartureDateTime: 'wall!',
  EstimatedArrivalDateTime: 'wall!',
  Transactions: someOf(lineShape),
} as const;

type SentDelivery = Sent<typeof deliveryShape>;
type Member = keyof SentDelivery;

/** A flag and the members that may be filled only with it. */
const allowances: readonly (readonly [flag: string, ...members: Member[]])[] = [
  ['SalesDeliveryAllowPlannedRoute', 'PlannedRoute'],
  ['SalesDeliveryAllowAddress', 'RecipientAddressStreet1', 'RecipientAddressStreet2'],
  ['SalesDeliveryAllowCity', 'RecipientAddressCity'],
  ['SalesDeliveryAllowState', 'RecipientAddressState'],
  ['SalesDeliveryAllowCounty', 'RecipientAddressCounty'],
  ['SalesDeliveryAllowZip', 'RecipientAddressPostalCode'],
];

/** A flag and the member that it demands. */
const demands: readonly (readonly [flag: string, member: Member])[] = [
  ['SalesDeliveryRequireZone', 'RecipientZoneId'],
  ['SalesDeliveryRequireConsumerId', 'ConsumerId'],
  ['SalesDeliveryRequirePatientNumber', 'PatientLicenseNumber'],
  ['SalesDeliveryRequireRecipientName', 'RecipientName'],
];

/** Fails with a RefusedRow that names each member which the flags forbid or demand. */
function checkMembers({ world, facility: { flags } }: Call, sent: SentDelivery): void {
  const problems = [
    ...allowances
      .filter(([flag]) => flags[flag] !== true)
      .flatMap(([, ...members]) => members as Member[])
      .filter((member) => sent[member] !== null)
      .map((member) => `"${member}" is not allowed at this Facility.`),
    ...demands
      .filter(([flag, member]) => flags[flag] === true && sent[member] === null)
      .map(([, member]) => `"${member}" was not specified.`),
  ];
  if (world.settings['driver-employee-id'] === 'required' && sent.DriverEmployeeId === null) {
    problems.push('"DriverEmployeeId" was not specified.');
  }
  if (problems.length > 0) throw new RefusedRow(...problems);
}

/** What POST and PUT set. One label may not come twice in a delivery. */
function deliveryMembers(call: Call, sent: SentDelivery, before: readonly SoldLine[]) {
  const { Transactions, ...rest } = sent;
  checkBuyer(call, { CaregiverLicenseNumber: null, IdentificationMethod: null, ...sent });
  checkMembers(call, sent);
  const SalesDateTime = saleTime(call, sent.SalesDateTime);
  moveStock(call.world, before, []);
  const lines = soldLines(call, Transactions, { labelsDiffer: true });
  moveStock(call.world, [], lines);
  return { sent: { ...rest, SalesDateTime } as JsonRow, lines };
}

function record(call: Call, sent: SentDelivery): number {
  const { world, facility, user } = call;
  const members = deliveryMembers(call, sent, []);
  return world.deliveries.put({
    ...{ id: world.nextId(), license: facility.license, state: 'InProgress', arrivedAt: null },
    ...{ completedMs: null, voidedDate: null, recordedMs: world.nowMs(), recordedBy: user.name },
    ...members,
  }).id;
}

/** A delivery that is under way. Fails with a RefusedRow. */
function openDelivery({ world, facility }: Call, id: number | null): Delivery {
  const found = id === null ? undefined : world.deliveries.byId(id);
  if (found === undefined || found.license !== facility.license) {
    throw new RefusedRow(`Delivery ${id} does not exist in the current Facility.`);
  }
  if (found.state !== 'InProgress') throw new RefusedRow(`Delivery ${id} is ${found.state.toLowerCase()}.`);
  return found;
}

/** Lines that are left out are gone. */
function replace(call: Call, sent: SentDelivery): number {
  const before = openDelivery(call, sent.Id);
  return call.world.deliveries.change(before.id, deliveryMembers(call, sent, before.lines)).id;
}

const completionShape = {
  Id: 'int!',
  ActualArrivalDateTime: 'wall!',
  PaymentType: 'text',
  AcceptedPackages: 'texts',
  ReturnedPackages: anyOf({
    Label: 'text!',
    ReturnQuantityVerified: 'quantity!',
    ReturnUnitOfMeasure: 'text!',
    ReturnReason: 'text!',
    ReturnReasonNote: 'note',
  }),
} as const;

/** Accepted lines stay sold; what is returned goes back. Each line is one or the other. */
function complete(call: Call, sent: Sent<typeof completionShape>): undefined {
  const { world, facility } = call;
  const before = openDelivery(call, sent.Id);
  const problems: string[] = [];
  const reasons = returnReasonsOf(facility.state);
  for (const { ReturnReason, ReturnReasonNote } of sent.ReturnedPackages) {
    const reason = reasons.find(({ Name }) => Name.toLowerCase() === ReturnReason.toLowerCase());
    if (reason === undefined) problems.push(`Return Reason "${ReturnReason}" is not valid.`);
    if (reason?.RequiresNote && ReturnReasonNote === null)
      problems.push('Return reason note was not specified.');
  }
  const lines = before.lines.map((line): SoldLine => {
    const label = String(line.sent.PackageLabel);
    const back = sent.ReturnedPackages.find(({ Label }) => Label === label);
    const isAccepted = sent.AcceptedPackages?.includes(label) === true;
    if (back === undefined && !isAccepted)
      problems.push(`Package ${label} is neither accepted nor returned.`);
    const quantity = minus(line.quantity, back?.ReturnQuantityVerified ?? 0);
    if (quantity < 0) problems.push(`More of Package ${label} is returned than was sent.`);
    return { ...line, quantity };
  });
  if (problems.length > 0) throw new RefusedRow(...problems);
  moveStock(world, before.lines, lines);
  world.deliveries.change(before.id, {
    ...{ lines, state: 'Completed', arrivedAt: sent.ActualArrivalDateTime, completedMs: world.nowMs() },
    sent: { ...before.sent, PaymentType: sent.PaymentType },
  });
  return undefined;
}

function deleteDelivery(call: Call): undefined {
  const { world } = call;
  const it = ownObject(call, world.deliveries);
  if (it.state === 'Voided') {
    if (world.settings['void-twice'] === '401') throw unauthorized();
    if (world.settings['void-twice'] === '400') throw new RefusedRow('The Delivery is voided.');
    return undefined;
  }
  voidDelivery(world, it);
  return undefined;
}

/** Voids a delivery: its goods go back into the packages. */
export function voidDelivery(world: StateWorld, it: Delivery): void {
  moveStock(world, it.lines, []);
  const facility = world.facility(it.license)!;
  world.deliveries.change(it.id, { state: 'Voided', voidedDate: world.todayAt(facility) });
}

const rowTemplate = membersOf(
  `TransporterFacilityId TransporterFacilityLicenseNumber TransporterFacilityName RecipientDeliveryZoneId
  RecipientDeliveryZoneName ActualDepartureDateTime EstimatedReturnDepartureDateTime
  ActualReturnDepartureDateTime EstimatedReturnArrivalDateTime ActualReturnArrivalDateTime AcceptedDateTime`,
  null,
);

/** The word for the state of a delivery or ledger: real ones are not known. */
export const stateWord = ({ settings }: StateWorld, state: string): string =>
  settings['state-words'] === 'words' ? state : 'Undesignated';

/** A delivery as replies show it. `changed` in microseconds. */
export function printDelivery(world: StateWorld, it: Delivery, changed: number, withLines: boolean): Json {
  const facility = world.facility(it.license);
  // No phone number comes back.
  const { Id: _, PhoneNumberForQuestions: __, PaymentType: ___, ...sent } = it.sent;
  const word = stateWord(world, it.state);
  return {
    ...rowTemplate,
    ...sent,
    ...{ Id: it.id, DeliveryNumber: String(it.id).padStart(10, '0'), FacilityLicenseNumber: it.license },
    ...{ FacilityName: facility?.name ?? null, ShipperFacilityLicenseNumber: it.license },
    ...{ Direction: 'Undesignated', ActualArrivalDateTime: it.arrivedAt },
    ...totalsOf(world, it.lines),
    Transactions: withLines
      ? it.lines.map((line) =>
          printLine(world, line, { by: it.recordedBy, archivedDate: it.voidedDate, state: word }),
        )
      : [],
    CompletedDateTime: it.completedMs === null ? null : localInstant(it.completedMs, facility?.zone ?? 'UTC'),
    ...{ SalesDeliveryState: word, VoidedDate: it.voidedDate },
    ...{ RecordedDateTime: utcInstant(it.recordedMs), RecordedByUserName: it.recordedBy },
    LastModified: preciseInstant(changed),
  };
}

/** A delivery that a courier's hub carries. Fails with a RefusedRow. */
function hubDelivery({ world, facility }: Call, id: number): Delivery {
  const found = world.deliveries.byId(id);
  if (found?.sent.TransporterFacilityLicenseNumber === facility.license) return found;
  throw new RefusedRow(`Delivery ${id} does not exist in the current Facility.`);
}

function atHub(call: Call, id: number, members: JsonRow): undefined {
  const it = hubDelivery(call, id);
  call.world.deliveries.change(id, { sent: { ...it.sent, ...members } });
  return undefined;
}

const hubShape = {
  Id: 'int!',
  // Text in examples of requests, a number in replies: both are accepted.
  TransporterFacilityId: 'id',
  DriverEmployeeId: 'any',
  DriverName: 'text!',
  DriversLicenseNumber: 'text!',
  PhoneNumberForQuestions: 'text!',
  VehicleMake: 'text!',
  VehicleModel: 'text!',
  VehicleLicensePlateNumber: 'text!',
  PlannedRoute: 'text',
  EstimatedDepartureDateTime: 'wall!',
  EstimatedArrivalDateTime: 'wall!',
} as const;

const reading = ['View Sales Delivery', 'Manage Sales Delivery'];
const writing = ['Manage Sales Delivery'];
const tripFlags = ['CanDeliverSalesToConsumers', 'CanDeliverSalesToPatients'];
const hub = {
  rights: ['Manage Sales Delivery Hub'],
  flags: ['IsSalesDeliveryHub'],
  answers: 'nothing',
} as const;

const rows = (call: Call, isWanted: (it: Delivery) => boolean) =>
  listed(
    call,
    call.world.deliveries,
    (it, changed) => printDelivery(call.world, it, changed, false),
    isWanted,
  );

const localNow = ({ world, facility }: Call): string => localInstant(world.nowMs(), facility.zone);

export const tripRoutes: readonly Route[] = [
  {
    at: 'POST /sales/v2/deliveries',
    rights: writing,
    flags: tripFlags,
    each: eachOf(deliveryShape, record),
    answers: 'ids',
  },
  {
    at: 'PUT /sales/v2/deliveries',
    rights: writing,
    each: eachOf(deliveryShape, replace),
    answers: 'nothing',
  },
  {
    at: 'PUT /sales/v2/deliveries/complete',
    rights: writing,
    each: eachOf(completionShape, complete),
    answers: 'nothing',
  },
  { at: 'DELETE /sales/v2/deliveries/{id}', rights: writing, act: deleteDelivery },
  {
    at: 'GET /sales/v2/deliveries/active',
    rights: reading,
    window: 'sales',
    list: (call) => rows(call, ({ state }) => state === 'InProgress'),
  },
  {
    at: 'GET /sales/v2/deliveries/inactive',
    rights: reading,
    window: 'sales',
    list: (call) => rows(call, ({ state }) => state !== 'InProgress'),
  },
  {
    at: 'GET /sales/v2/deliveries/{id}',
    rights: reading,
    license: 'optional',
    read: (call) => {
      const { value, changed } = seenObject(call, call.world.deliveries);
      return printDelivery(call.world, value, changed, true);
    },
  },
  {
    ...hub,
    at: 'PUT /sales/v2/deliveries/hub',
    each: eachOf(hubShape, (call, { Id, ...members }) => atHub(call, Id, members as JsonRow)),
  },
  {
    ...hub,
    at: 'PUT /sales/v2/deliveries/hub/accept',
    each: eachOf({ Id: 'int!' }, (call, { Id }) => atHub(call, Id, { AcceptedDateTime: localNow(call) })),
  },
  {
    ...hub,
    at: 'PUT /sales/v2/deliveries/hub/depart',
    each: eachOf({ Id: 'int!' }, (call, { Id }) =>
      atHub(call, Id, { ActualDepartureDateTime: localNow(call) }),
    ),
  },
  {
    ...hub,
    at: 'PUT /sales/v2/deliveries/hub/verifyID',
    each: eachOf({ Id: 'int!', PaymentType: 'text' }, (call, { Id, PaymentType }) =>
      atHub(call, Id, { PaymentType }),
    ),
  },
];
