import { expect, test } from 'vitest';
import { type Duties, type Duty, type DutyName, dutyNames } from './duty.ts';
import { jurisdictions, type ShippedState } from './jurisdictions.ts';
import { secondDuties } from './second-duties.test-support.ts';

/** The value in the words of the second reading. */
function shortly(name: DutyName, { value }: Duty): string {
  // biome-ignore lint/suspicious/noExplicitAny: each duty has a value of its own form
  const it = value as any;
  const hours = ({ from, to }: { from: string; to: string }) => `${from}-${to}`;
  switch (name) {
    case 'saleHours':
      return it === 'local' ? 'local' : hours(it);
    case 'patientsOnlyProducts':
      return it.packagesAbove
        .map(
          (one: { cannabisType: string; amount: { amount: string; unit: string } }) =>
            `${one.cannabisType} ${one.amount.amount} ${one.amount.unit}`,
        )
        .join(', ');
    case 'delivery':
      return [it.to, it.hours && hours(it.hours), it.vehicleValueCents && `$${it.vehicleValueCents / 100}`]
        .filter((part) => part !== null)
        .join(' ');
    case 'discounts':
    case 'loyalty':
      return `barred for ${it.barredFor}`;
    case 'scanRetention':
      return `${it.days} days`;
    case 'reporting':
      return [it.system, ...(it.deadline === null ? [] : [it.deadline])].join(', ');
    default:
      return it.othersHave ?? it.free ?? it.barred ?? it.accepted ?? it.kept ?? '–';
  }
}

function listed(duties: Duties = {}): string[] {
  return dutyNames.flatMap((name): string[] => {
    const rows: readonly Duty[] | null | undefined = duties[name];
    if (rows === undefined) return [];
    if (rows === null) return [`${name} | not found`];
    return rows.map((duty) => {
      const kind = duty.ownerMayOverride ? `${duty.kind}, or the owner answers` : duty.kind;
      const to = duty.effectiveTo === null ? '' : ` to ${duty.effectiveTo}`;
      return `${name} | ${kind} | ${shortly(name, duty)} | ${duty.effectiveFrom ?? '–'}${to}`;
    });
  });
}

test.each(jurisdictions.map((it) => [it.name, it] as const))(
  '%s, read twice: the same duties',
  (_name, it) => {
    expect(listed(it.duties)).toEqual(secondDuties[it.state as ShippedState]);
  },
);
