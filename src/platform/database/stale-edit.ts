import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Origin } from './context.ts';

/**
 * Fails with STALE_EDIT when the row has changed since the caller read it. Call it with the row locked, so that one of
 * two concurrent edits is refused.
 */
export function refuseStaleEdit({ expectedUpdatedAtMs }: Origin, updatedAtMs: number): void {
  if (expectedUpdatedAtMs === undefined || expectedUpdatedAtMs === updatedAtMs) return;
  const updatedAt = isoTimestamp(updatedAtMs);
  throw failure('STALE_EDIT', `If-Match must be "${updatedAt}": another user has changed this meanwhile.`, {
    updatedAt,
  });
}
