import type { ClockTime, ClockWindow } from '../jurisdictions/duty.ts';

/** Whether a minute of the local day (0 to 1439) lies in a window: the minute of its end is outside. */
export function isWithin({ from, to }: ClockWindow, minuteOfDay: number): boolean {
  const [first, end] = [minuteOf(from), minuteOf(to)];
  const isOneDay = first < end;
  return isOneDay ? first <= minuteOfDay && minuteOfDay < end : first <= minuteOfDay || minuteOfDay < end;
}

function minuteOf(time: ClockTime): number {
  return Number.parseInt(time.slice(0, 2), 10) * 60 + Number.parseInt(time.slice(3), 10);
}
