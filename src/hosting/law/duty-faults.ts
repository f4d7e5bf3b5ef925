import { areComparable, contentUnits } from '../../engines/goods/content-units.ts';
import {
  type ClockWindow,
  type Duty,
  type DutyName,
  dutyRows,
  dutyTraits,
} from '../../engines/jurisdictions/duty.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';

type Fault = readonly [field: string, problem: string];

/** Duties of valid form that contradict themselves, or ask for what the service cannot do. Pure. */
export function faultsOfDuties({ duties, freeProductsBarred }: Jurisdiction): Fault[] {
  const faults = dutyRows(duties).flatMap(({ name, index, duty }) => {
    const at = `duties.${name}[${index}]`;
    return [...faultsOfKind(at, name, duty), ...faultsOfValue(at, name, duty)];
  });
  if (freeProductsBarred !== null && duties?.gifts !== undefined) {
    faults.push(['duties.gifts', 'must be absent, because freeProductsBarred says it']);
  }
  return faults;
}

function faultsOfKind(at: string, name: DutyName, { kind }: Duty): Fault[] {
  const kinds: readonly string[] = dutyTraits[name].kinds;
  if (kinds.includes(kind)) return [];
  return [[`${at}.kind`, `must be ${kinds.join(' or ')}: the service cannot do more for ${name}`]];
}

function faultsOfValue(at: string, name: DutyName, duty: Duty): Fault[] {
  switch (name) {
    case 'saleHours': {
      const { value, kind } = duty as Duty<'saleHours'>;
      if (value !== 'local') return faultsOfWindow(`${at}.value`, value);
      return kind === 'enforced' ? [[`${at}.kind`, 'must be by-hand, because a city or county decides']] : [];
    }
    case 'delivery':
      return faultsOfDelivery(at, duty as Duty<'delivery'>);
    case 'patientsOnlyProducts':
      return (duty as Duty<'patientsOnlyProducts'>).value.packagesAbove.flatMap(
        ({ cannabisType, amount: { unit } }, index): Fault[] => {
          const contentUnit = cannabisType === 'none' ? null : contentUnits[cannabisType];
          if (contentUnit !== null && areComparable(unit, contentUnit)) return [];
          const field = `${at}.value.packagesAbove[${index}].amount.unit`;
          return [[field, `is ${unit}, which cannot be compared with ${contentUnit}`]];
        },
      );
    case 'discounts':
    case 'loyalty': {
      const { value, kind } = duty as Duty<'discounts'>;
      if (value.barredFor !== 'none' || kind !== 'enforced') return [];
      return [[`${at}.kind`, 'must be shown, because it is barred for no buyer']];
    }
    default:
      return [];
  }
}

function faultsOfDelivery(
  at: string,
  { value: { to, hours, vehicleValueCents } }: Duty<'delivery'>,
): Fault[] {
  const faults = hours === null ? [] : faultsOfWindow(`${at}.value.hours`, hours);
  if (to !== 'none') return faults;
  if (hours !== null) faults.push([`${at}.value.hours`, 'must be null, because nothing is delivered']);
  if (vehicleValueCents !== null) {
    faults.push([`${at}.value.vehicleValueCents`, 'must be null, because nothing is delivered']);
  }
  return faults;
}

function faultsOfWindow(at: string, { from, to }: ClockWindow): Fault[] {
  if (from === '24:00') return [[`${at}.from`, 'must be before 24:00']];
  return from === to ? [[`${at}.to`, `must not equal from, ${from}`]] : [];
}
