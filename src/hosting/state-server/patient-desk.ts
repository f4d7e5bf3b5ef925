import { type Json, type JsonRow, minus } from './json-rows.ts';
import type { Sent } from './request-members.ts';
import { ouncesBought } from './sale-rules.ts';
import type { Patient, PatientLimit } from './state-models.ts';
import { RefusedRow, StateRefusal, unauthorized } from './state-refusals.ts';
import { type Call, eachOf, listed, ownObject, type Route, seenObject } from './state-route.ts';
import { noDate } from './state-times.ts';
import type { StateWorld } from './state-world.ts';

/* Patients, caregivers and check-ins. */

/** Answers of look-ups are up to a minute old. */
const cacheMs = 60_000;

/** The answer of a look-up, or the one of the last minute. */
function cached(world: StateWorld, key: string, answer: () => Json): Json {
  const nowMs = world.nowMs();
  const known = world.answers.get(key);
  if (known !== undefined && nowMs < known.untilMs && nowMs >= known.untilMs - cacheMs) {
    return known.answer as Json;
  }
  const fresh = answer();
  world.answers.set(key, { untilMs: nowMs + cacheMs, answer: fresh });
  return fresh;
}

/** Fails if a state has switched the look-ups off for everybody. */
function checkLookups({ settings }: StateWorld): void {
  if (settings['patient-status'] === 'answers') return;
  if (settings['patient-status'] === '401') throw unauthorized();
  throw new StateRefusal(Number(settings['patient-status']), { Message: 'An error has occurred.' });
}

/** Every entry is a limit of its own. */
function statuses(call: Call): Json {
  const { world, params, facility } = call;
  checkLookups(world);
  const number = params.number!;
  return cached(world, `patient ${number}`, () => {
    const patient = world.patients.all().find((it) => it.number === number);
    if (patient === undefined) throw unauthorized();
    const isActive = patient.isActive && patient.effectiveUntil >= world.todayAt(facility);
    return patient.limits.map((limit) => printStatus(world, patient, limit, isActive));
  });
}

function printStatus(
  world: StateWorld,
  { number, effectiveFrom, effectiveUntil }: Patient,
  { registration, ounces, days }: PatientLimit,
  isActive: boolean,
): JsonRow {
  const bought = ouncesBought(world, number, days);
  return {
    ...{ PatientLicenseNumber: number, IdentificationMethod: null, RegistrationNumber: registration },
    ...{ Active: isActive, FlowerOuncesAllowed: ounces, ThcOuncesAllowed: 0, ConcentrateOuncesAllowed: 0 },
    ...{ InfusedOuncesAllowed: 0, FlowerOuncesPurchased: bought, ThcOuncesPurchased: 0 },
    ...{ ConcentrateOuncesPurchased: 0, InfusedOuncesPurchased: 0 },
    ...{ FlowerOuncesAvailable: minus(ounces, bought), ThcOuncesAvailable: 0 },
    ...{ ConcentrateOuncesAvailable: 0, InfusedOuncesAvailable: 0, PurchaseAmountDays: days },
    ...{ PatientLicenseExpirationDate: effectiveUntil, PatientRegistrationStartDate: effectiveFrom },
  };
}

function caregiver(call: Call): Json {
  const { world, params } = call;
  checkLookups(world);
  return cached(world, `caregiver ${params.number}`, () => {
    const found = world.caregivers.find(({ number }) => number === params.number);
    if (found === undefined) throw unauthorized();
    return { CaregiverLicenseNumber: found.number, Active: true, Patients: found.patients };
  });
}

const patientShape = {
  LicenseNumber: 'text!',
  NewLicenseNumber: 'text',
  LicenseEffectiveStartDate: 'date!',
  LicenseEffectiveEndDate: 'date!',
  RecommendedPlants: 'int',
  RecommendedSmokableQuantity: 'number',
  FlowerOuncesAllowed: 'number',
  ThcOuncesAllowed: 'number',
  ConcentrateOuncesAllowed: 'number',
  InfusedOuncesAllowed: 'number',
  MaxFlowerThcPercentAllowed: 'number',
  MaxConcentrateThcPercentAllowed: 'number',
  HasSalesLimitExemption: 'flag',
  ActualDate: 'date',
} as const;

type SentPatient = Sent<typeof patientShape>;

const memberOf = ({ world, facility }: Call, number: string): Patient | undefined =>
  world.patients.all(facility.license).find((it) => it.number === number && it.isMember);

function register(call: Call, sent: SentPatient): number {
  const { world, facility } = call;
  if (memberOf(call, sent.LicenseNumber) !== undefined) {
    throw new RefusedRow(`Patient ${sent.LicenseNumber} already exists.`);
  }
  const registered = { id: world.nextId(), license: facility.license, isMember: true, isActive: true };
  return world.patients.put({ ...registered, ...patientMembers(sent, sent.LicenseNumber) }).id;
}

const patientMembers = (sent: SentPatient, number: string) => ({
  ...{ number, effectiveFrom: sent.LicenseEffectiveStartDate, effectiveUntil: sent.LicenseEffectiveEndDate },
  limits: [{ registration: number, ounces: sent.FlowerOuncesAllowed ?? 0, days: 31 }],
  sent: sent as JsonRow,
});

function amend(call: Call, sent: SentPatient): undefined {
  const it = memberOf(call, sent.LicenseNumber);
  if (it === undefined) throw new RefusedRow(`Patient ${sent.LicenseNumber} does not exist.`);
  call.world.patients.change(it.id, patientMembers(sent, sent.NewLicenseNumber ?? sent.LicenseNumber));
  return undefined;
}

const printMember = (it: Patient): Json => ({
  ...{ PatientId: it.id, LicenseNumber: it.number, RegistrationDate: it.effectiveFrom },
  ...{ LicenseEffectiveStartDate: it.effectiveFrom, LicenseEffectiveEndDate: it.effectiveUntil },
  RecommendedPlants: it.sent.RecommendedPlants ?? 0,
  RecommendedSmokableQuantity: it.sent.RecommendedSmokableQuantity ?? 0,
  HasSalesLimitExemption: it.sent.HasSalesLimitExemption ?? false,
  OtherFacilitiesCount: 0,
});

const checkInShape = {
  Id: 'int',
  PatientLicenseNumber: 'text!',
  CheckInLocationId: 'int!',
  CheckInLocationName: 'text',
  RegistrationStartDate: 'date',
  RegistrationExpiryDate: 'date',
  CheckInDate: 'date!',
} as const;

function checkIn(call: Call, { Id, ...sent }: Sent<typeof checkInShape>): number {
  const { world, facility } = call;
  if (Id !== null && world.checkIns.byId(Id)?.license !== facility.license) {
    throw new RefusedRow(`Check-in ${Id} does not exist in the current Facility.`);
  }
  return world.checkIns.put({ id: Id ?? world.nextId(), license: facility.license, sent: sent as JsonRow })
    .id;
}

function checkInsOf(call: Call) {
  const from = call.query.get('checkinDateStart') ?? noDate;
  const until = call.query.get('checkinDateEnd') ?? '9999-12-31';
  return listed(
    call,
    call.world.checkIns,
    ({ id, sent }) => ({ Id: id, ...sent }),
    ({ sent }) => from <= String(sent.CheckInDate) && String(sent.CheckInDate).slice(0, 10) <= until,
  );
}

const members = { flags: ['CanHaveMemberPatients'], rights: ['Manage Patients'] } as const;
const checkIns = { flags: ['CanReportPatientCheckIns'], rights: ['Manage Patient CheckIns'] } as const;

export const patientRoutes: readonly Route[] = [
  {
    at: 'GET /patients/v2/statuses/{number}',
    flags: ['CanHaveMemberPatients'],
    rights: ['Lookup Patients'],
    read: statuses,
  },
  {
    at: 'GET /caregivers/v2/status/{number}',
    flags: ['CanHaveMemberPatients'],
    rights: ['Lookup Caregivers'],
    read: caregiver,
  },
  {
    ...members,
    at: 'GET /patients/v2/active',
    list: (call) =>
      listed(call, call.world.patients, printMember, ({ isMember, isActive }) => isMember && isActive),
  },
  {
    ...members,
    at: 'GET /patients/v2/{id}',
    read: (call) => printMember(seenObject(call, call.world.patients).value),
  },
  { ...members, at: 'POST /patients/v2', each: eachOf(patientShape, register), answers: 'ids' },
  { ...members, at: 'PUT /patients/v2', each: eachOf(patientShape, amend), answers: 'nothing' },
  {
    ...members,
    at: 'DELETE /patients/v2/{id}',
    act: (call) => {
      call.world.patients.change(ownObject(call, call.world.patients).id, { isActive: false });
      return undefined;
    },
  },
  {
    at: 'GET /patient-checkins/v2/locations',
    license: 'none',
    read: () => [{ Id: 4, Name: 'District of Columbia' }],
  },
  { ...checkIns, at: 'GET /patient-checkins/v2', list: checkInsOf },
  { ...checkIns, at: 'POST /patient-checkins/v2', each: eachOf(checkInShape, checkIn), answers: 'nothing' },
  { ...checkIns, at: 'PUT /patient-checkins/v2', each: eachOf(checkInShape, checkIn), answers: 'nothing' },
  {
    ...checkIns,
    at: 'DELETE /patient-checkins/v2/{id}',
    act: (call) => {
      call.world.checkIns.remove(ownObject(call, call.world.checkIns).id);
      return undefined;
    },
  },
];
