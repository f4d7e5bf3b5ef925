/** What a reply said of the time, and when it came by a clock that cannot be set. */
interface ToldTime {
  readonly serviceMs: number;
  readonly atMs: number;
}

let told: ToldTime | null = null;

/** A device whose clock is this far off shows the service's time; below, replies are too slow to tell. */
const farOffMs = 120_000;

/** Takes the `Date` of a reply of the service. */
export function noteServiceTime(date: string | null): void {
  const serviceMs = Date.parse(date ?? '');
  if (!Number.isNaN(serviceMs)) told = { serviceMs, atMs: performance.now() };
}

/** The present moment. A device whose clock is wrong, or jumps, does not change the time and the day that the shop is shown. */
export function shopNow(): number {
  return presentMoment(told, Date.now(), performance.now());
}

/** The device's time, unless the service's is far from it. */
export function presentMoment(said: ToldTime | null, deviceMs: number, nowMs: number): number {
  if (said === null) return deviceMs;
  const serviceMs = Math.round(said.serviceMs + nowMs - said.atMs);
  return Math.abs(deviceMs - serviceMs) > farOffMs ? serviceMs : deviceMs;
}
