import { Temporal } from 'temporal-polyfill';
import { decimal } from '../../kernel/decimal.ts';
import { minus, sumOf } from './json-rows.ts';
import type { PatientLimit, SoldLine } from './state-models.ts';
import { RefusedRow } from './state-refusals.ts';
import type { Call } from './state-route.ts';
import { daysBetween, instantOfWall, isSkipped, wallTime } from './state-times.ts';
import { unitNamed } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';

/* What a sale must be besides its lines: whom it is to, and when it was. */

const toleranceMs = 5 * 60_000;

/** Wall time of a sale, without zone. Fails with a RefusedRow. */
export function saleTime({ world, facility }: Call, sent: string): string {
  const { settings } = world;
  const [, wall = sent, suffix] = /^(.*?)(Z|[+-]\d{2}:\d{2})?$/.exec(sent) ?? [];
  if (suffix !== undefined && settings['zone-suffix'] === '400') {
    throw new RefusedRow('"SalesDateTime" must not have a time zone.');
  }
  const isConverted = suffix !== undefined && settings['zone-suffix'] === 'convert';
  const kept = isConverted ? wallTime(Temporal.Instant.from(sent).epochMilliseconds, facility.zone) : wall;
  if (settings['gap-hour'] === '400' && isSkipped(kept, facility.zone)) {
    throw new RefusedRow('"SalesDateTime" does not exist in the time zone of the Facility.');
  }
  const isFuture = instantOfWall(kept, facility.zone) > world.nowMs() + toleranceMs;
  if (isFuture && settings['future-sale'] === '400') {
    throw new RefusedRow('"SalesDateTime" cannot be in the future.');
  }
  return kept;
}

interface Buyer {
  readonly SalesCustomerType: string;
  readonly PatientLicenseNumber: string | null;
  readonly CaregiverLicenseNumber: string | null;
  readonly IdentificationMethod: string | null;
}

const flagOfType: Readonly<Record<string, string>> = {
  Consumer: 'CanSellToConsumers',
  Patient: 'CanSellToPatients',
  Caregiver: 'CanSellToCaregivers',
  ExternalPatient: 'CanSellToExternalPatients',
  NonResidentConsumer: 'RetailSalesToNonResidentConsumer',
};

/** Flag, customer type and the member that they require together. */
const numberRules: readonly (readonly [flag: string, type: string, member: keyof Buyer])[] = [
  ['SalesRequirePatientNumber', 'Patient', 'PatientLicenseNumber'],
  ['SalesRequireExternalPatientNumber', 'ExternalPatient', 'PatientLicenseNumber'],
  ['SalesRequireExternalPatientIdentificationMethod', 'ExternalPatient', 'IdentificationMethod'],
  ['SalesRequireCaregiverNumber', 'Caregiver', 'CaregiverLicenseNumber'],
  ['SalesRequireCaregiverPatientNumber', 'Caregiver', 'PatientLicenseNumber'],
];

/** Fails with a RefusedRow if the facility may not sell to such a customer, or lacks a number that its flags demand. */
export function checkBuyer({ facility: { flags } }: Call, buyer: Buyer): void {
  const flag = flagOfType[buyer.SalesCustomerType];
  if (flag === undefined || flags[flag] !== true) {
    throw new RefusedRow(`The Sales Customer Type "${buyer.SalesCustomerType}" is not valid.`);
  }
  const missing = numberRules.filter(
    ([rule, type, member]) =>
      flags[rule] === true && type === buyer.SalesCustomerType && buyer[member] === null,
  );
  if (missing.length > 0) {
    throw new RefusedRow(...missing.map(([, , member]) => `"${member}" was not specified.`));
  }
}

/** Ounces that lines take, by weight; items that are counted weigh what their item says. */
function ouncesOf(world: StateWorld, lines: readonly SoldLine[]): number {
  return sumOf(
    lines.map(({ packageId, quantity }) => {
      const from = world.packages.byId(packageId);
      const item = from && world.items.byId(from.itemId);
      const isCounted = unitNamed(from?.unit ?? '')?.kind === 'CountBased';
      const name = isCounted ? String(item?.extra.UnitWeightUnitOfMeasureName ?? '') : (from?.unit ?? '');
      const each = isCounted ? Number(item?.extra.UnitWeight ?? 0) : 1;
      const unit = unitNamed(name);
      if (unit?.kind !== 'WeightBased') return 0;
      const ounce = unitNamed('Ounces')!;
      return decimal(quantity).times(each).times(unit.size).div(ounce.size).round(4, 1).toNumber();
    }),
  );
}

/** Ounces that a patient bought within these days, at all shops. */
export function ouncesBought(world: StateWorld, number: string, days: number): number {
  const receipts = world.receipts.all().filter(({ patient, voidedDate, license, soldAt }) => {
    const facility = world.facility(license);
    if (patient !== number || voidedDate !== null || facility === undefined) return false;
    return daysBetween(soldAt.slice(0, 10), world.todayAt(facility)) < days;
  });
  return ouncesOf(
    world,
    receipts.flatMap(({ lines }) => lines),
  );
}

/** A sale above an allotment of a patient, or to one who is expired or unknown, by the switch. */
export function checkPatient(call: Call, number: string | null, lines: readonly SoldLine[]): void {
  const { world, facility } = call;
  const rule = world.settings['patient-limit'];
  if (number === null || rule === 'accept') return;
  const patient = world.patients.all().find((it) => it.number === number);
  const isValid = patient?.isActive === true && patient.effectiveUntil >= world.todayAt(facility);
  const wanted = ouncesOf(world, lines);
  const isWithin = ({ ounces, days }: PatientLimit) =>
    wanted <= minus(ounces, ouncesBought(world, number, days));
  if (isValid && patient.limits.every(isWithin)) return;
  const text = isValid
    ? `The sale exceeds the allotment of Patient ${number}.`
    : `Patient ${number} is not active.`;
  if (rule === '400') throw new RefusedRow(text);
  call.warnings.push(text);
}
