import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { Origin } from './context.ts';

/**
 * Refuses a change that was decided on by a state that is no longer there: fails with STALE_EDIT. To be called with
 * the row locked, so that of two who edit the same state one is told.
 */
export function refuseStaleEdit({ expectedUpdatedAtMs }: Origin, updatedAtMs: number): void {
  if (expectedUpdatedAtMs === undefined || expectedUpdatedAtMs === updatedAtMs) return;
  const updatedAt = isoTimestamp(updatedAtMs);
  throw failure('STALE_EDIT', `If-Match must be "${updatedAt}": somebody has changed this meanwhile.`, {
    updatedAt,
  });
}
