import { t } from '../../words/words.ts';

/** A waiting time, short enough for a badge: `just now`, `12 min`, `1 h 05 min`. */
export function waitingTime(sinceMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - sinceMs) / 60_000));
  if (minutes === 0) return t`just now`;
  if (minutes < 60) return t`${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return t`${Math.floor(hours / 24)} d`;
  return t`${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
}
