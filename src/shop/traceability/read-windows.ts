import { isoTimestamp } from '../../kernel/local-time.ts';

/** Changes show up late; windows overlap by that. */
const overlapMs = 20 * 60_000;
/** The widest window that every system takes is a day. */
const windowMs = 24 * 3_600_000 - 60_000;

/** A time in which things changed at the state. */
export interface StateWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** The window after what is read. They are read oldest first: what changes moves on to a later one. Null: there is none. */
export function nextWindow(readUntilMs: number, nowMs: number): StateWindow | null {
  const startMs = readUntilMs - overlapMs;
  return startMs >= nowMs ? null : { startMs, endMs: Math.min(nowMs, startMs + windowMs) };
}

/** The parameters of a window. */
export function windowQuery({ startMs, endMs }: StateWindow): Readonly<Record<string, string>> {
  return { lastModifiedStart: isoTimestamp(startMs), lastModifiedEnd: isoTimestamp(endMs) };
}
