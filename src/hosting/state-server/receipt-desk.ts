import type { Json, JsonRow } from './json-rows.ts';
import { type Sent, someOf } from './request-members.ts';
import { checkBuyer, checkPatient, saleTime } from './sale-rules.ts';
import { lineShape, moveStock, printLine, soldLines, totalsOf } from './sold-lines.ts';
import type { Receipt } from './state-models.ts';
import { RefusedRow, refusal, unauthorized } from './state-refusals.ts';
import { type Call, eachOf, listed, ownObject, type Route, seenObject } from './state-route.ts';
import { daysBetween, preciseInstant, utcInstant } from './state-times.ts';
import type { StateWorld } from './state-world.ts';

/* Sales receipts. The texts of refusals are invented: none was ever seen. */

const receiptShape = {
  Id: 'int',
  SalesDateTime: 'wall!',
  ExternalReceiptNumber: 'text',
  SalesCustomerType: 'text!',
  PatientLicenseNumber: 'text',
  CaregiverLicenseNumber: 'text',
  IdentificationMethod: 'text',
  PatientRegistrationLocationId: 'int',
  Transactions: someOf(lineShape),
} as const;

type SentReceipt = Sent<typeof receiptShape>;

/** Final and voided receipts are inactive. */
const isActive = ({ isFinal, voidedDate }: Receipt): boolean => !isFinal && voidedDate === null;

/** A receipt as replies show it: lists leave its lines out. */
export function printReceipt(
  world: StateWorld,
  it: Receipt,
  changed: number,
  { withLines }: { readonly withLines: boolean },
): JsonRow {
  const lineOf = { by: it.recordedBy, archivedDate: it.voidedDate, state: null };
  return {
    ...{ Id: it.id, ReceiptNumber: String(it.id).padStart(10, '0'), ExternalReceiptNumber: it.external },
    ...{ SalesDateTime: it.soldAt, SalesCustomerType: it.customerType, PatientLicenseNumber: it.patient },
    ...{ CaregiverLicenseNumber: it.caregiver, IdentificationMethod: it.identification },
    PatientRegistrationLocationId: it.registrationPlaceId,
    ...totalsOf(world, it.lines),
    Transactions: withLines ? it.lines.map((line) => printLine(world, line, lineOf)) : [],
    ...{ IsFinal: it.isFinal, ArchivedDate: it.voidedDate },
    ...{ RecordedDateTime: utcInstant(it.recordedMs), RecordedByUserName: it.recordedBy },
    LastModified: preciseInstant(changed),
    ...it.extra,
  };
}

/** The members that POST and PUT set. Fails with a RefusedRow. */
function receiptMembers(call: Call, sent: SentReceipt, before: readonly Receipt['lines'][number][]) {
  const { world } = call;
  checkBuyer(call, sent);
  const soldAt = saleTime(call, sent.SalesDateTime);
  checkExternal(call, sent, soldAt);
  // Codes that this receipt itself has sold may come again.
  moveStock(world, before, []);
  const lines = soldLines(call, sent.Transactions, {
    labelsDiffer: world.settings['same-label'] === '400',
  });
  checkPatient(call, sent.PatientLicenseNumber, lines);
  moveStock(world, [], lines);
  return {
    ...{ external: sent.ExternalReceiptNumber, soldAt, customerType: sent.SalesCustomerType },
    ...{ patient: sent.PatientLicenseNumber, caregiver: sent.CaregiverLicenseNumber },
    ...{ identification: sent.IdentificationMethod, registrationPlaceId: sent.PatientRegistrationLocationId },
    lines,
  };
}

function checkExternal({ world, facility }: Call, sent: SentReceipt, soldAt: string): void {
  const { 'external-unique': unique, 'external-max': max } = world.settings;
  const external = sent.ExternalReceiptNumber;
  if (external === null) return;
  if (external.length > Number(max)) {
    throw new RefusedRow(`"ExternalReceiptNumber" cannot be longer than ${max} characters.`);
  }
  if (unique === 'off') return;
  const isTaken = world.receipts
    .withKey(external, facility.license)
    .some(
      (it) => it.id !== sent.Id && (unique === 'license' || it.soldAt.slice(0, 10) === soldAt.slice(0, 10)),
    );
  if (isTaken) throw new RefusedRow(`External Receipt Number "${external}" already exists.`);
}

function record(call: Call, sent: SentReceipt): number {
  const { world, facility, user } = call;
  const members = receiptMembers(call, sent, []);
  return world.receipts.put({
    ...{ id: world.nextId(), license: facility.license, isFinal: false, voidedDate: null, extra: {} },
    ...{ recordedMs: world.nowMs(), recordedBy: user.name },
    ...members,
  }).id;
}

/** The receipt of an object in an array. Fails with a RefusedRow. */
function receiptOf({ world, facility }: Call, id: number | null): Receipt {
  const found = id === null ? undefined : world.receipts.byId(id);
  if (found?.license === facility.license) return found;
  throw new RefusedRow(
    id === null ? '"Id" was not specified.' : `Receipt ${id} does not exist in the current Facility.`,
  );
}

/** Fails with a RefusedRow if the receipt is final, or too old by the switch. */
function checkEditable({ world, facility }: Call, it: Receipt): void {
  if (it.isFinal) throw new RefusedRow(`Receipt ${it.id} is final.`);
  checkAge(world, facility, it);
}

function checkAge(world: StateWorld, facility: Call['facility'], it: Receipt): void {
  const days = world.settings['receipt-edit-days'];
  const age = daysBetween(it.soldAt.slice(0, 10), world.todayAt(facility));
  if (days !== 'none' && age > Number(days)) {
    throw new RefusedRow(`Receipt ${it.id} can no longer be changed.`);
  }
}

/** Replaces the whole receipt: lines that are left out are gone. */
function replace(call: Call, sent: SentReceipt): number {
  const before = receiptOf(call, sent.Id);
  if (before.voidedDate !== null) {
    voidedAgain(call.world);
    return before.id;
  }
  checkEditable(call, before);
  call.world.receipts.change(before.id, receiptMembers(call, sent, before.lines));
  return before.id;
}

/** What happens to a receipt that is voided already, by the switch. */
function voidedAgain({ settings }: StateWorld): void {
  if (settings['void-twice'] === '401') throw unauthorized();
  if (settings['void-twice'] === '400') throw new RefusedRow('The Receipt is voided.');
}

/** Voids a receipt: its quantities go back. Fails with a RefusedRow. */
export function voidReceipt(world: StateWorld, it: Receipt, today: string): void {
  moveStock(world, it.lines, []);
  world.receipts.change(it.id, { voidedDate: today });
}

function voidByCall(call: Call): undefined {
  const it = ownObject(call, call.world.receipts);
  if (it.voidedDate !== null) return voidedAgain(call.world) as undefined;
  if (it.isFinal && call.world.settings['void-final'] === '400') {
    throw new RefusedRow(`Receipt ${it.id} is final.`);
  }
  checkAge(call.world, call.facility, it);
  voidReceipt(call.world, it, call.world.todayAt(call.facility));
  return undefined;
}

function setFinal(call: Call, id: number, isFinal: boolean): undefined {
  const it = receiptOf(call, id);
  if (it.voidedDate !== null) throw new RefusedRow(`Receipt ${id} is voided.`);
  call.world.receipts.change(id, { isFinal });
  return undefined;
}

/** The receipts with an external number; not found is the same as locked out. */
function byExternal(call: Call): Json {
  const { world, licenses, params } = call;
  const found = world.receipts.seenWithKey(params.external!, licenses);
  if (found.length === 0) throw unauthorized();
  const printed = found.map(({ value, changed }) => printReceipt(world, value, changed, { withLines: true }));
  const { 'external-many': many, 'external-array': asArray } = world.settings;
  if (printed.length > 1 && many === '400') throw refusal(400, 'More than one Receipt has this number.');
  if (printed.length > 1 && many === 'array') return printed;
  const one = (many === 'newest' ? printed.at(-1) : printed[0])!;
  return asArray === 'yes' ? [one] : one;
}

const reading = ['View Sales', 'Manage Sales'];
const writing = ['Manage Sales'];
const sellingFlags = [
  'CanSellToConsumers',
  'CanSellToPatients',
  'CanSellToExternalPatients',
  'CanSellToCaregivers',
];

const rows = (call: Call, isWanted: (it: Receipt) => boolean) =>
  listed(
    call,
    call.world.receipts,
    (it, changed) => printReceipt(call.world, it, changed, { withLines: false }),
    isWanted,
  );

export const receiptRoutes: readonly Route[] = [
  {
    at: 'POST /sales/v2/receipts',
    rights: writing,
    flags: sellingFlags,
    alsoFlags: ['AdvancedSales'],
    each: eachOf(receiptShape, record),
    answers: 'ids',
  },
  {
    at: 'PUT /sales/v2/receipts',
    rights: writing,
    each: eachOf(receiptShape, replace),
    answers: 'ids-by-switch',
  },
  { at: 'DELETE /sales/v2/receipts/{id}', rights: writing, act: voidByCall },
  {
    at: 'PUT /sales/v2/receipts/finalize',
    rights: writing,
    each: eachOf({ Id: 'int!' }, (call, { Id }) => setFinal(call, Id, true)),
    answers: 'nothing',
  },
  {
    at: 'PUT /sales/v2/receipts/unfinalize',
    rights: writing,
    each: eachOf({ Id: 'int!' }, (call, { Id }) => setFinal(call, Id, false)),
    answers: 'nothing',
  },
  {
    at: 'GET /sales/v2/receipts/active',
    rights: reading,
    window: 'sales',
    list: (call) => rows(call, isActive),
  },
  {
    at: 'GET /sales/v2/receipts/inactive',
    rights: reading,
    window: 'sales',
    list: (call) => rows(call, (it) => !isActive(it)),
  },
  {
    at: 'GET /sales/v2/receipts/{id}',
    rights: reading,
    license: 'optional',
    read: (call) => {
      const { value, changed } = seenObject(call, call.world.receipts);
      return printReceipt(call.world, value, changed, { withLines: true });
    },
  },
  {
    at: 'GET /sales/v2/receipts/external/{external}',
    rights: reading,
    license: 'optional',
    read: byExternal,
  },
];
